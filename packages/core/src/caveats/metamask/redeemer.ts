import type { Address } from 'viem'
import { addressListTerms } from '../terms/metamaskTerms.ts'
import { demand } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { metamaskKind } from './metamaskKind.ts'
import { either, named } from './words.ts'

/** Who may call the manager. */
export type RedeemerTerms = { readonly redeemers: readonly Address[] }

/** Redeemer: only the named accounts may redeem, so a redelegation to another account has no effect. */
export const redeemer = metamaskKind<RedeemerTerms>({
  name: 'Redeemer',
  encode: ({ redeemers }) => addressListTerms.encode(redeemers),
  decode: (terms) => ({ redeemers: addressListTerms.decode(terms) }),
  covers: (parent, child) => coversList(parent.redeemers, child.redeemers),
  describe: ({ redeemers }, names) =>
    `only ${either(redeemers.map((account) => named(account, names)))} may redeem`,
  before(terms, hook) {
    const redeemers = packedList(terms, 20, 'RedeemerEnforcer:invalid-terms-length')
    demand(
      redeemers.includes(hook.redeemer.toLowerCase() as Address),
      'RedeemerEnforcer:unauthorized-redeemer',
      () => `Redeem as ${redeemers.join(' or ')} instead of ${hook.redeemer}.`,
    )
  },
})
