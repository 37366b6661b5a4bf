import { createRedeemerTerms, decodeRedeemerTerms } from '@metamask/delegation-core'
import type { Address } from 'viem'
import { demand } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { stockKind } from './stockKind.ts'
import { either, named } from './words.ts'

/** Who may call the manager. */
export type RedeemerTerms = { readonly redeemers: readonly Address[] }

/** Redeemer: only the named accounts redeem, so handing the delegation on is of no use. */
export const redeemer = stockKind<RedeemerTerms>({
  name: 'Redeemer',
  encode: ({ redeemers }) => createRedeemerTerms({ redeemers: [...redeemers] }),
  decode: decodeRedeemerTerms,
  covers: (parent, child) => coversList(parent.redeemers, child.redeemers),
  describe: ({ redeemers }, names) =>
    `only ${either(redeemers.map((account) => named(account, names)))} may use it`,
  before(terms, hook) {
    const redeemers = packedList(terms, 20, 'RedeemerEnforcer:invalid-terms-length')
    demand(
      redeemers.includes(hook.redeemer.toLowerCase() as Address),
      'RedeemerEnforcer:unauthorized-redeemer',
      () => `Redeem as ${redeemers.join(' or ')} instead of ${hook.redeemer}.`,
    )
  },
})
