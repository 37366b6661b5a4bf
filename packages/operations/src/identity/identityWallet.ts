import { BardoError } from '@bardo/core'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import {
  addressField,
  agentIdField,
  findOwnIdentity,
  golemField,
  nextWallet,
  requireAgent,
  signWalletGrant,
  walletField,
} from './golemIdentity.ts'

const fieldsSchema = lineageFields.extend({
  agentId: agentIdField,
  isGuarded: z.boolean(),
  wallet: walletField.unwrap(),
})

type Fields = z.output<typeof fieldsSchema>

/** Makes the Golem's current key the wallet of its agent: after a rotation, a deposit or a transfer. One signature. */
export const identityWallet = defineOperation({
  input: z.strictObject({ golem: golemField }),
  fields: fieldsSchema,
  result: z.strictObject({ agentId: agentIdField, wallet: addressField }),
  async resolve(context, { golem: id }): Promise<Fields> {
    const found = await findOwnIdentity(context, id)
    const { agentId, walletIs, guarded } = requireAgent(found)
    const { name } = found.golem
    const wallet = await nextWallet(context, found.golem)
    if (!wallet)
      throw new BardoError(`${name} has no active key.`, {
        code: 'SESSION_KEY_ZEROED',
        outcome: 'not-sent',
        remedy: 'A dead Golem needs no wallet: its identity stays as a record.',
      })
    if (walletIs === 'current')
      throw new BardoError(`The current key of ${name} is the agent’s wallet already.`, {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        details: [`agent ${agentId}`, `wallet ${wallet.key}`],
      })
    const lineage = await resolveLineage(context, found.golem.id)
    return { ...lineage, agentId: `${agentId}`, isGuarded: guarded !== undefined, wallet }
  },
  describe: (_, { name, agentId, wallet }) => [
    `The key of ${name}, ${wallet.key}, becomes the wallet of agent ${agentId}. It cannot move the token.`,
  ],
  async run(context, signer, fields: Fields) {
    const { golem, isGuarded, wallet } = fields
    await requireSameRoots(context, fields)
    const agentId = BigInt(fields.agentId)
    const grant = await signWalletGrant(context, signer, { agentId, isGuarded, wallet })
    if (!context.runtime) throw new BardoError('Without a runtime no key can consent.', { code: 'INTERNAL' })
    await (await context.runtime.open(golem)).becomeAgentWallet({ agentId, grant })
    return { agentId: fields.agentId, wallet: wallet.key }
  },
})
