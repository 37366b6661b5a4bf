import { BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Address } from 'viem'
import type { Accepted } from './accepted.ts'
import { requirePermit } from './acceptPermit.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { otherGrant } from './requireSigned.ts'
import { policyKey, readWalletPolicy, walletPolicyHash, widerIn } from './walletPolicy.ts'

type Asked = Extract<OwnerAsk, { is: 'policy' }>
type Permitted = Extract<OwnerAnswer, { is: 'permitted' }>

/** A wider policy, signed by the owner; or one between the two, signed as it is. */
export async function acceptPolicy(
  context: AnswerContext,
  { golem }: Pick<OwnerRequest, 'golem'>,
  { before, after, permit, account }: Asked,
  { signature, policy = after }: Permitted,
  owner: Address,
): Promise<Accepted> {
  const wider = widerIn(after, policy)
  if (wider.length > 0) throw otherGrant(wider)
  const signed = { ...permit, action: walletPolicyHash(policy) }
  await requirePermit(context, { permit: signed, account, signature, owner })
  return {
    state: signed.action === permit.action ? 'approved' : 'adjusted',
    body: { signature, policy: { ...policy } },
    async apply({ grimoire }) {
      const now = (await readWalletPolicy({ grimoire }, golem)) ?? before
      // Whoever narrowed it meanwhile did so without knowing of this.
      if (walletPolicyHash(now) !== permit.policyHash)
        throw new BardoError('The policy has changed since this was asked.', {
          code: 'STEP_OUT_OF_ORDER',
          remedy: 'Ask again from the policy as it is now.',
        })
      await grimoire.put({ golem, key: policyKey, kind: 'policy', body: { ...policy } })
    },
  }
}
