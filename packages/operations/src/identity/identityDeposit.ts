import { BardoError, formatLongDuration, ownerCall } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import {
  addressField,
  agentIdField,
  type FoundIdentity,
  findIdentity,
  findOwnIdentity,
  golemField,
  hashField,
  nextWallet,
  recordIdentityEvent,
  requireAgent,
  requireLanded,
  signWalletGrant,
  walletField,
} from './golemIdentity.ts'

const fieldsSchema = lineageFields.extend({
  agentId: agentIdField,
  guardian: addressField.nullable(),
  delaySeconds: z.int().positive(),
  wallet: walletField,
})

type Fields = z.output<typeof fieldsSchema>

/** Deposits a Golem's identity with the guardian contract: from then on it moves only after a public delay. */
export const identityDeposit = defineOperation({
  input: z.strictObject({ golem: golemField, guardian: addressField.optional() }),
  fields: fieldsSchema,
  result: z.strictObject({
    agentId: agentIdField,
    guardian: addressField.nullable(),
    wallet: addressField.nullable(),
    transaction: hashField,
  }),
  async resolve(context, { golem: id, guardian }): Promise<Fields> {
    const found = await findOwnIdentity(context, id)
    const { agentId, guarded } = requireAgent(found)
    if (guarded)
      throw new BardoError('The guardian contract holds this identity already.', {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        details: [`agent ${agentId}`, `guardian ${guarded.guardian ?? 'none'}`],
        remedy: 'To change the guardian, transfer it to your account first: bardo identity transfer GOLEM',
      })
    if (guardian) await requireSecondKey(context, found, guardian)
    return {
      ...(await resolveLineage(context, found.golem.id)),
      agentId: `${agentId}`,
      guardian: guardian ?? null,
      delaySeconds: await found.identity.transferDelay(),
      wallet: await nextWallet(context, found.golem),
    }
  },
  describe: (_, { name, agentId, guardian, delaySeconds }) => [
    `Deposit the identity of ${name}, agent ${agentId}, with the guardian contract.`,
    `It then moves only after ${formatLongDuration(delaySeconds)}, also to you.`,
    guardian
      ? `${guardian} can cancel a transfer, and nothing else. It can keep the token there for good.`
      : 'Only you can cancel a transfer.',
  ],
  async run(context, signer, fields: Fields) {
    const { golem, guardian, wallet, operation } = { ...fields, ...context }
    const agentId = BigInt(fields.agentId)
    const { account, submitter } = signer
    const { identity } = await findIdentity(context, golem)
    const [call, grant] = await askInOrder([
      () => ownerCall(signer, identity.depositCall(agentId, account.address, guardian ?? undefined)),
      // The transfer clears the agent's wallet.
      async () => wallet && signWalletGrant(context, signer, { agentId, isGuarded: true, wallet }),
    ])
    const check = () => requireSameRoots(context, fields)
    const landed = requireLanded(
      await submitter.submit({ id: `identity-deposit-${operation}`, ...call, check }),
    )
    await recordIdentityEvent(context, golem, {
      name: 'identity.deposited',
      agentId,
      guardian: guardian ?? undefined,
    })
    if (grant && context.runtime)
      await (await context.runtime.open(golem)).becomeAgentWallet({ agentId, grant })
    return { agentId: fields.agentId, guardian, wallet: wallet?.key ?? null, transaction: landed.hash }
  },
})

/** Refuses a guardian that protects nothing, or that a thief of a session key controls. */
async function requireSecondKey(
  { owner, store, deployment }: Parameters<typeof findOwnIdentity>[0],
  { account, golem }: FoundIdentity,
  guardian: `0x${string}`,
): Promise<void> {
  const { identityGuardian, identityRegistry } = deployment.contracts
  const keys = (await store.sessionKeys.list(golem.id)).map(({ address }) => address)
  const useless = [owner, account, identityGuardian, identityRegistry, ...keys]
  if (BigInt(guardian) !== 0n && !useless.some((one) => isAddressEqual(one, guardian))) return
  throw new BardoError('This address cannot be the guardian.', {
    code: 'INVALID_INPUT',
    outcome: 'not-sent',
    details: [guardian],
    remedy: 'Name another key of yours, which is kept elsewhere than the owner’s key.',
    docsPath: 'identity.md#the-guardian-contract',
  })
}
