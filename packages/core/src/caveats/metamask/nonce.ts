import { formatNumber } from '../../format/number.ts'
import { nonceTerms } from '../terms/metamaskTerms.ts'
import { demand, size, word } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf } from './words.ts'

/** The delegator's nonce at which the delegation is valid. */
export type NonceTerms = { readonly nonce: bigint }

const currentNonce = view('currentNonce(address,address)')

/**
 * Nonce: valid until the delegator increments the nonce, which ends all delegations with that nonce at once.
 */
export const nonce = metamaskKind<NonceTerms>({
  name: 'Nonce',
  encode: nonceTerms.encode,
  decode: nonceTerms.decode,
  covers: (parent, child) =>
    coveredIf(child.nonce === parent.nonce, `nonce ${child.nonce}; the parent’s is ${parent.nonce}`),
  describe: ({ nonce }) => `until the signer increments their nonce above ${formatNumber(nonce)}`,
  reads: (_, context) => [currentNonce(context.enforcer, context.manager, context.delegator)],
  before(terms, hook) {
    demand(size(terms) === 32, 'NonceEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const signed = word(terms, 0)
    const current = answered(hook.read(currentNonce(hook.enforcer, hook.manager, hook.delegator)))
    demand(
      current === signed,
      'NonceEnforcer:invalid-nonce',
      `Ask the delegator to sign again with nonce ${current}; the signed nonce is ${signed}.`,
    )
  },
})
