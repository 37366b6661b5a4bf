import { BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Address } from 'viem'
import { keepWalletPolicy, readWalletPolicy, walletPolicyHash, widerIn } from '../action/walletPolicy.ts'
import type { Accepted } from './accepted.ts'
import { requirePermit } from './acceptPermit.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { policyPermit } from './rebuildPermit.ts'
import { otherGrant } from './requireSigned.ts'

type PolicyAsk = Extract<OwnerAsk, { type: 'policy' }>
type Permitted = Extract<OwnerAnswer, { type: 'permitted' }>

/** Accepts the requested wider policy, or one between the two, signed by the owner. */
export async function acceptPolicy(
  context: AnswerContext,
  request: Pick<OwnerRequest, 'id' | 'golem'>,
  ask: PolicyAsk,
  { signature, policy = ask.after }: Permitted,
  owner: Address,
): Promise<Accepted> {
  const { golem } = request
  const { before, after, account } = ask
  const permit = policyPermit(request, ask, BigInt(Math.floor(context.clock.now() / 1_000)))
  const wider = widerIn(after, policy)
  if (wider.length > 0) throw otherGrant(wider)
  const signed = { ...permit, action: walletPolicyHash(policy) }
  await requirePermit(context, { permit: signed, account, signature, owner })
  return {
    state: signed.action === permit.action ? 'approved' : 'adjusted',
    body: { signature, policy: { ...policy } },
    async apply({ grimoire }) {
      const now = (await readWalletPolicy({ grimoire }, golem)) ?? before
      // The policy was narrowed in the meantime, by a call that did not know of this request.
      if (walletPolicyHash(now) !== permit.policyHash)
        throw new BardoError('The policy has changed since the request.', {
          code: 'STEP_OUT_OF_ORDER',
          remedy: 'Request the change again, starting from the current policy.',
        })
      await keepWalletPolicy({ grimoire }, golem, policy, context.clock.now())
    },
  }
}
