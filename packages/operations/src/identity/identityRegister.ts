import { deployAccount, type OwnerSigner } from '@bardo/chain'
import { BardoError, type Call, ownerCall } from '@bardo/core'
import { recordEvents } from '@bardo/golem/events'
import { readAgentId, writeAgentId } from '@bardo/golem/identity'
import { keccak256 } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation, type RunContext } from '../owner/ownerOperation.ts'
import {
  addressField,
  agentIdField,
  findIdentity,
  findOwnIdentity,
  golemField,
  hashField,
  nextWallet,
  requireLanded,
  signWalletGrant,
  walletField,
} from './golemIdentity.ts'

const fieldsSchema = lineageFields.extend({
  uri: z.string(),
  /** The agent that the store names before; its token may be elsewhere. */
  earlier: agentIdField.nullable(),
  /** An agent of the owner's key, which moves to the account instead. */
  moved: agentIdField.nullable(),
  wallet: walletField,
})

type Fields = z.output<typeof fieldsSchema>

/**
 * Registers a Golem in ERC-8004's registry. The owner's account gets the token, and the Golem's key becomes the agent's
 * wallet. A token that version 0.1 gave to the owner's key moves to the account.
 */
export const identityRegister = defineOperation({
  input: z.strictObject({ golem: golemField, uri: z.string().max(2_048).default('') }),
  fields: fieldsSchema,
  result: z.strictObject({
    agentId: agentIdField,
    owner: addressField,
    wallet: addressField.nullable(),
    transaction: hashField,
  }),
  async resolve(context, { golem: id, uri }): Promise<Fields> {
    const { golem, agent, account } = await findOwnIdentity(context, id)
    if (agent?.belongs === 'account')
      throw new BardoError(`${golem.name} is registered already.`, {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        details: [`agent ${agent.agentId}`, `owner ${account}`],
        remedy: 'To make its current key the agent’s wallet: bardo identity wallet GOLEM',
        docsPath: 'identity.md',
      })
    const wallet = await nextWallet(context, golem)
    if (golem.status === 'dead' || golem.status === 'dying')
      throw new BardoError(`${golem.name} is ${golem.status}: it gets no new identity.`, {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        remedy: 'Register its successor.',
      })
    await requireRegistry(context)
    const moved = agent?.belongs === 'ownerKey' ? `${agent.agentId}` : null
    return {
      ...(await resolveLineage(context, golem.id)),
      uri,
      earlier: agent ? `${agent.agentId}` : null,
      moved,
      wallet,
    }
  },
  describe: (_, { name, uri, moved, wallet }) => [
    moved === null
      ? `Register ${name} in the identity registry${uri === '' ? '' : ` with ${uri}`}. Your account owns the token.`
      : `Move the identity of ${name}, agent ${moved}, from your wallet to your account.`,
    ...(wallet
      ? [`The key of ${name}, ${wallet.key}, becomes the agent’s wallet. It cannot move the token.`]
      : []),
  ],
  async run(context, signer, fields: Fields) {
    const { golem, earlier, moved, wallet } = fields
    const { account, submitter } = signer
    const { identity } = await findIdentity(context, golem)
    const [call] = await askInOrder([
      () => callFor(signer, fields, identity),
      // The account itself must call the registry, and must accept the token.
      () => deployAccount({ client: context.client, submitter }, account),
    ])
    // After a crash the same registration continues: its id depends on what was there before, and on nothing else.
    const id = `identity-${golem}-${earlier ?? 'first'}-${keccak256(call.data)}`
    const check = () => requireSameRoots(context, fields)
    const landed = requireLanded(await submitter.submit({ id, ...call, check }))
    const agentId = moved === null ? await identity.registeredIn(landed, account.address) : BigInt(moved)
    // Stored at once: a wallet that cannot be set is set later.
    await storeAgent(context, golem, agentId, wallet?.key ?? account.address)
    if (wallet && context.runtime) {
      // The key may be another one since then.
      await check()
      const grant = await signWalletGrant(context, signer, { agentId, isGuarded: false, wallet })
      await (await context.runtime.open(golem)).becomeAgentWallet({ agentId, grant })
    }
    return {
      agentId: `${agentId}`,
      owner: account.address,
      wallet: wallet?.key ?? null,
      transaction: landed.hash,
    }
  },
})

async function callFor(
  signer: OwnerSigner,
  { golem, uri, moved }: Fields,
  identity: Awaited<ReturnType<typeof findIdentity>>['identity'],
): Promise<Call & { readonly data: `0x${string}` }> {
  if (moved === null) return ownerCall(signer, identity.registerCall({ uri, golem }))
  return identity.moveCall(BigInt(moved), signer.key, signer.account.address)
}

async function requireRegistry({ client, deployment }: Pick<RunContext, 'client' | 'deployment'>) {
  const address = deployment.contracts.identityRegistry
  if (await client.getCode({ address })) return
  throw new BardoError('This chain has no identity registry.', {
    code: 'CODE_MISMATCH',
    outcome: 'not-sent',
    details: [`no code at ${address}`],
    docsPath: 'deployment.md',
  })
}

async function storeAgent(
  { store }: RunContext,
  golem: Fields['golem'],
  agentId: bigint,
  wallet: `0x${string}`,
): Promise<void> {
  const row = await store.golems.find(golem)
  if (row && (await readAgentId(store, row)) === agentId) return
  await store.transaction(async (transaction) => {
    await writeAgentId(transaction, golem, agentId)
    recordEvents(transaction, golem, [{ name: 'identity.registered', agentId, wallet }])
  })
}
