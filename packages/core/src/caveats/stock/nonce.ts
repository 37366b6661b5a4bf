import { createNonceTerms, decodeNonceTerms } from '@metamask/delegation-core'
import { type Hex, numberToHex } from 'viem'
import { demand, size, word } from './bytes.ts'
import { answered, stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { count, coveredIf } from './words.ts'

/** The delegator’s nonce at which the delegation works. */
export type NonceTerms = { readonly nonce: bigint }

const currentNonce = view('currentNonce(address,address)')

/** Nonce: works until the delegator counts up, which ends all delegations of that number at once. */
export const nonce = stockKind<NonceTerms>({
  name: 'Nonce',
  encode: ({ nonce }) => createNonceTerms({ nonce: numberToHex(nonce, { size: 32 }) }),
  decode: (terms: Hex) => ({ nonce: BigInt(decodeNonceTerms(terms).nonce) }),
  covers: (parent, child) =>
    coveredIf(child.nonce === parent.nonce, `nonce ${child.nonce}, the parent’s is ${parent.nonce}`),
  describe: ({ nonce }) => `until the signer raises their nonce above ${count(nonce)}`,
  reads: (_, context) => [currentNonce(context.enforcer, context.manager, context.delegator)],
  before(terms, hook) {
    demand(size(terms) === 32, 'NonceEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const signed = word(terms, 0)
    const current = answered(hook.read(currentNonce(hook.enforcer, hook.manager, hook.delegator)))
    demand(
      current === signed,
      'NonceEnforcer:invalid-nonce',
      `Ask the delegator to sign again with nonce ${current}; this one says ${signed}.`,
    )
  },
})
