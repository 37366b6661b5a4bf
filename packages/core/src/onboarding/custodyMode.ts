/** How the owner's money is held. Origin: spec 000 §1. */
export type CustodyMode = 'delegation' | 'embedded' | 'localKey'
