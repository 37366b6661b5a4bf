/** How the owner's money is held. */
export type CustodyMode = 'delegation' | 'embedded' | 'localKey'
