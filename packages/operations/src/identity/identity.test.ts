import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createIdentityClient, createSubmitter, systemClock } from '@bardo/chain'
import {
  type Call,
  createMemoryJournal,
  type Delegation,
  encodeRedemption,
  golemAttestationRefusal,
  hybridAccount,
  signDelegation,
  unsignedAgentWalletGrant,
  walletSigner,
} from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem'
import {
  attestationFrom,
  attestationSchema,
  readIdentity,
  writeAgentId,
  writeAttestation,
} from '@bardo/golem/identity'
import { partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { openTestWorld, type TestWorld } from '@bardo/golem/testing/openStoreLocation'
import type { Store } from '@bardo/store'
import {
  type Address,
  erc721Abi,
  getAddress,
  type Hash,
  type Hex,
  type LocalAccount,
  parseEther,
  toFunctionSelector,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperationKind } from '../operations.ts'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { performOperation } from '../performOperation.ts'
import {
  completeOperation,
  type PreparedOperationJson,
  prepareOperation,
  signedOperationSchema,
} from '../prepareOperation.ts'

const run = promisify(execFile)
const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const delay = 2 * 86_400

const home = mkdtempSync(join(tmpdir(), 'bardo-identity-'))
let opened: TestWorld
let world: Devnet
let store: Store
beforeAll(async () => {
  opened = await openTestWorld()
  ;({ world, store } = opened)
})
afterAll(async () => {
  await opened?.stop()
  rmSync(home, { recursive: true, force: true })
})

/** An owner with a Golem, and with operations that are signed in another process or here. */
async function owned(name = 'alpha') {
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  const { id, account, root } = await summonIn(world, store, dca, undefined, { owner, name })
  const golem = () => createGolem(partsOf(world, store, id))
  const context = contextOf(owner.address)
  const card = async () => {
    const row = await store.golems.find(id)
    if (!row) throw new Error('the Golem is missing')
    return readIdentity(context, row, account)
  }
  const perform = (kind: OperationKind, input: object = {}, by: LocalAccount = owner) =>
    performOperation(contextOf(by.address), signerOf(by), kind, { golem: id, ...input })
  const agent = async () => {
    const { agent: found } = await card()
    if (!found) throw new Error('the Golem has no agent')
    return found
  }
  return { id, name, key, owner, account, firstKey: root.delegate, golem, context, card, agent, perform }
}

function contextOf(owner: Address): OperationContext {
  const { client, deployment, book } = partsOf(world, store, zeroHash)
  return {
    user: 'local',
    owner,
    client,
    deployment,
    book,
    store,
    clock: systemClock,
    confirmations: 1,
    runtime: {
      open: (id) => createGolem(partsOf(world, store, id)),
      partsOf: async (id) => partsOf(world, store, id),
    },
  }
}

const journal = createMemoryJournal()

function signerOf(owner: LocalAccount) {
  const { client, deployment } = contextOf(owner.address)
  const { chainId } = deployment
  const settings = { finality: 1, pollMs: 20 }
  return {
    client,
    deployment,
    account: hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) }),
    key: owner.address,
    submitter: createSubmitter({ client, chainId, journal, clock: systemClock, signer: owner, settings }),
  }
}

/** Completes an operation round by round, with a key in a process that gets only the printed file. */
async function finishElsewhere(context: OperationContext, prepared: PreparedOperationJson, key: Hex) {
  const rounds: string[][] = []
  let current: Awaited<ReturnType<typeof completeOperation>> = prepared
  while (current.type === 'prepared') {
    expect(rounds.length).toBeLessThan(5)
    rounds.push(current.steps.map(({ type }) => type))
    const file = join(home, `${current.operation}.json`)
    writeFileSync(file, JSON.stringify(current))
    const nonce = await world.client.getTransactionCount({ address: privateKeyToAccount(key).address })
    const script = join(import.meta.dirname, '../testing/signElsewhere.ts')
    const { stdout } = await run(process.execPath, [script, file, key, `${nonce}`])
    current = await completeOperation(context, signedOperationSchema.parse(JSON.parse(stdout)))
  }
  return { rounds, done: current }
}

async function stranger() {
  const account = privateKeyToAccount(generatePrivateKey())
  await world.client.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

const eventsOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 200 }))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('identity.'))

describe('the identity of a Golem', () => {
  it('is registered after the summoning by an owner whose key is elsewhere', async () => {
    const { id, key, account, firstKey, context, card, agent } = await owned()
    expect(await card()).toEqual({ agent: undefined, attestation: undefined })
    const prepared = await prepareOperation(context, 'identityRegister', { golem: id, uri: 'agent:alpha' })
    expect(prepared.sentences).toEqual([
      'Register alpha in the identity registry with agent:alpha. Your account owns the token.',
      `The key of alpha, ${getAddress(firstKey)}, becomes the agent’s wallet. It cannot move the token.`,
    ])
    const { rounds, done } = await finishElsewhere(context, prepared, key)
    // The wallet’s own consent is not in any file that the owner signs: it would be too old.
    expect(rounds).toEqual([['signature'], ['transaction'], ['signature']])
    const found = await agent()
    expect(done).toMatchObject({ type: 'done', result: { agentId: `${found.agentId}`, owner: account } })
    expect(found).toMatchObject({
      owner: account,
      wallet: firstKey,
      uri: 'agent:alpha',
      golem: id,
      belongs: 'account',
      walletIs: 'current',
      guarded: undefined,
    })
    expect(await eventsOf(id)).toEqual(['identity.registered', 'identity.walletSet'])
  })

  it('is registered once, and not by another owner or for a dead Golem', async () => {
    const [mine, other] = [await owned(), await owned('beta')]
    await expect(
      prepareOperation(other.context, 'identityRegister', { golem: mine.id }),
    ).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await mine.perform('identityRegister')
    await expect(mine.perform('identityRegister')).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
      remedy: expect.stringContaining('bardo identity wallet'),
    })
    const { agentId } = await mine.agent()
    // After its death the token stays as a record.
    await (await mine.golem()).kill()
    expect((await store.golems.find(mine.id))?.status).toBe('dead')
    expect(await mine.agent()).toMatchObject({ agentId, owner: mine.account, walletIs: 'old' })
    await expect(mine.perform('identityWallet')).rejects.toMatchObject({ code: 'SESSION_KEY_ZEROED' })
    await (await other.golem()).kill()
    await expect(other.perform('identityRegister')).rejects.toMatchObject({
      message: expect.stringContaining('is dead'),
    })
    // A successor of the same name gets a fresh one.
    const { id } = await summonIn(world, store, dca, undefined, { owner: mine.owner, ancestor: mine.id })
    const row = await store.golems.find(id)
    if (!row) throw new Error('the successor is missing')
    expect(await readIdentity(mine.context, row, mine.account)).toEqual({})
  })

  it('continues a registration after a crash, with the same token', async () => {
    const { id, owner, account, context, card, agent, perform } = await owned()
    const dying = { ...store, transaction: () => Promise.reject(new Error('the process ends')) }
    const register = (store: Store) =>
      performOperation({ ...context, store }, signerOf(owner), 'identityRegister', { golem: id })
    await expect(register(dying)).rejects.toThrow('the process ends')
    expect((await card()).agent).toBeUndefined()
    await perform('identityRegister')
    expect((await agent()).walletIs).toBe('current')
    const address = context.deployment.contracts.identityRegistry
    const tokens = { address, abi: erc721Abi, functionName: 'balanceOf', args: [account] } as const
    expect(await world.client.readContract(tokens)).toBe(1n)
  })

  it('is not registered where the chain has no registry', async () => {
    const { id, context } = await owned()
    const { deployment } = context
    const contracts = { ...deployment.contracts, identityRegistry: context.owner }
    await expect(
      prepareOperation({ ...context, deployment: { ...deployment, contracts } }, 'identityRegister', {
        golem: id,
      }),
    ).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
  })

  it('moves from the owner’s key to the account, where version 0.1 left it', async () => {
    const { id, owner, account, context, agent, perform } = await owned()
    const identity = createIdentityClient(context)
    const { submitter } = signerOf(owner)
    const call = identity.registerCall({ uri: 'agent:old', golem: id })
    const landed = await submitter.submit({ id: `old-${id}`, ...call })
    const agentId = await identity.registeredIn(landed, owner.address)
    await store.transaction((transaction) => writeAgentId(transaction, id, agentId))
    expect(await agent()).toMatchObject({ belongs: 'ownerKey', owner: owner.address })
    await expect(perform('identityWallet')).rejects.toMatchObject({
      remedy: 'Register it: bardo identity register GOLEM',
    })
    await perform('identityRegister')
    expect(await agent()).toMatchObject({ agentId, owner: account, belongs: 'account', walletIs: 'current' })
  })

  it('shows another owner’s agent, and an agent of a sibling, as not its own', async () => {
    const [mine, other] = [await owned(), await owned('beta')]
    await other.perform('identityRegister')
    const { agentId } = await other.agent()
    // A thief of the database writes another agent’s id into the row.
    await store.transaction((transaction) => writeAgentId(transaction, mine.id, agentId))
    expect((await mine.agent()).belongs).toBe('other')
    for (const kind of ['identityWallet', 'identityDeposit'] as const)
      await expect(mine.perform(kind)).rejects.toMatchObject({
        message: expect.stringContaining('does not belong to your account'),
      })
    const sibling = await summonIn(world, store, dca, undefined, { owner: other.owner, name: 'gamma' })
    await store.transaction((transaction) => writeAgentId(transaction, sibling.id, agentId))
    const row = await store.golems.find(sibling.id)
    if (!row) throw new Error('the sibling is missing')
    expect((await readIdentity(other.context, row, other.account)).agent).toMatchObject({
      owner: other.account,
      belongs: 'other',
    })
  })
})

describe('the wallet of an agent', () => {
  it('is an old key after a rotation, until the owner signs for the new one', async () => {
    const { id, key, firstKey, golem, context, agent, perform } = await owned()
    await perform('identityRegister')
    await expect(perform('identityWallet')).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    const prepared = await (async () => {
      const living = await golem()
      await living.rotate('age')
      expect(await agent()).toMatchObject({ wallet: firstKey, walletIs: 'old' })
      return prepareOperation(context, 'identityWallet', { golem: id })
    })()
    const { rounds, done } = await finishElsewhere(context, prepared, key)
    expect(rounds).toEqual([['signature']])
    const found = await agent()
    expect(found.walletIs).toBe('current')
    expect(found.wallet).not.toBe(firstKey)
    expect(done).toMatchObject({ result: { wallet: found.wallet } })
  })

  it('is not the old key if a rotation overtakes the owner’s signature', async () => {
    const { id, key, golem, context, agent, perform } = await owned()
    await perform('identityRegister')
    await (await golem()).rotate('age')
    const prepared = await prepareOperation(context, 'identityWallet', { golem: id })
    await (await golem()).rotate('age')
    await expect(finishElsewhere(context, prepared, key)).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
      remedy: expect.stringContaining('bardo identity wallet'),
    })
    expect((await agent()).walletIs).toBe('old')
  })
})

/** Sends calls as the holder of a delegation would, without a transaction. */
function redeemAs(key: Address, links: readonly Delegation[], call: Call) {
  const { deployment } = contextOf(key)
  const data = encodeRedemption([{ links, calls: [call] }])
  return world.client.call({ account: key, to: deployment.framework.DelegationManager, data })
}

/** The Cage's refusal of a target, as the node returns it. */
const targetNotAllowed = toFunctionSelector('TargetNotAllowed(address)')

describe('a thief with the session key', () => {
  it('cannot move the token, announce a transfer or change the wallet by the Golem’s permission', async () => {
    const { id, account, firstKey, context, agent, perform } = await owned()
    await perform('identityRegister')
    const { agentId } = await agent()
    const [stored] = await store.delegations.list(id)
    if (!stored) throw new Error('the permission is missing')
    const identity = createIdentityClient(context)
    const thief = await stranger()
    const deadline = (await world.client.getBlock()).timestamp + 200n
    for (const call of [
      identity.moveCall(agentId, account, thief.address),
      identity.depositCall(agentId, account, thief.address),
      identity.announceCall(agentId, thief.address),
      await identity.walletCall({ agentId, wallet: thief, deadline }),
    ])
      await expect(redeemAs(firstKey, [stored.delegation], call)).rejects.toThrow(targetNotAllowed)
  })

  it('can use the owner’s grant for its wallet once, for this agent and this key, until it ends', async () => {
    const { id, owner, account, firstKey, golem, context, agent } = await owned()
    const { runtime: _, ...noRuntime } = context
    await performOperation(noRuntime, signerOf(owner), 'identityRegister', { golem: id })
    const { agentId, walletIs } = await agent()
    expect(walletIs).toBe('old')
    const identity = createIdentityClient(context)
    const { timestamp } = await world.client.getBlock()
    const { identityRegistry, identityGuardian } = context.deployment.contracts
    const signer = signerOf(owner)
    const terms = { key: firstKey, agentId, target: identityRegistry, end: timestamp + 3_600n, salt: 1n }
    const grantFor = (change: Partial<typeof terms>) =>
      signDelegation(signer.account, unsignedAgentWalletGrant(signer.account, { ...terms, ...change }))
    const grant = await grantFor({})
    const wallet = await partsOf(world, store, id).keys.open()
    if (!wallet) throw new Error('the key is missing')
    const thief = await stranger()
    const deadline = timestamp + 200n
    const own = await identity.walletCall({ agentId, wallet, deadline })
    await expect(redeemAs(firstKey, [grant], own)).resolves.toBeDefined()

    const refused: readonly (readonly [string, Delegation, Call])[] = [
      ['AllowedCalldata', grant, identity.moveCall(agentId, account, thief.address)],
      ['AllowedCalldata', grant, await identity.walletCall({ agentId, wallet: thief, deadline })],
      ['AllowedCalldata', await grantFor({ agentId: agentId + 1n }), own],
      ['AllowedTargets', grant, { ...own, to: identityGuardian }],
      ['AllowedTargets', await grantFor({ target: identityGuardian }), own],
      ['ValueLte', grant, { ...own, value: 1n }],
      ['Timestamp', await grantFor({ end: timestamp - 1n }), own],
    ]
    for (const [enforcer, link, call] of refused)
      await expect(redeemAs(firstKey, [link], call)).rejects.toThrow(`${enforcer}Enforcer`)
    await expect(redeemAs(thief.address, [grant], own)).rejects.toThrow()

    await (await golem()).becomeAgentWallet({ agentId, grant })
    expect((await agent()).walletIs).toBe('current')
    await expect(redeemAs(firstKey, [grant], own)).rejects.toThrow('LimitedCallsEnforcer')
  })
})

describe('an attestation', () => {
  it('is signed elsewhere, stored, and verified by anyone', async () => {
    const { id, key, owner, account, context, card } = await owned()
    const prepared = await prepareOperation(context, 'identityAttest', { golem: id })
    expect(prepared.steps[0]?.sentences).toEqual([
      `${owner.address} states that the Golem alpha (${id}) is theirs and acts for the account ${account}.`,
    ])
    const { rounds, done } = await finishElsewhere(context, prepared, key)
    expect(rounds).toEqual([['signature']])
    if (done.type !== 'done') throw new Error('not done')
    const attestation = attestationSchema.parse(done.result)
    const { chainId } = context.deployment
    expect(
      await golemAttestationRefusal(attestationFrom(attestation), { chainId, golem: id }),
    ).toBeUndefined()
    expect((await card()).attestation).toEqual(attestation)
    expect(await eventsOf(id)).toEqual(['identity.attested'])
  })

  it('of another owner, Golem or chain does not count, even if it is in the store', async () => {
    const [mine, other] = [await owned(), await owned('beta')]
    await expect(prepareOperation(other.context, 'identityAttest', { golem: mine.id })).rejects.toMatchObject(
      {
        code: 'ACTION_NOT_ALLOWED',
      },
    )
    const theirs = attestationSchema.parse((await other.perform('identityAttest')).result)
    const own = attestationSchema.parse((await mine.perform('identityAttest')).result)
    expect((await mine.card()).attestation).toEqual(own)
    const forgeries = [
      theirs,
      { ...theirs, golem: mine.id },
      { ...own, chainId: 8_453 },
      { ...own, name: 'gamma' },
      { ...own, account: other.account },
      { ...own, signature: theirs.signature },
    ]
    for (const forged of forgeries) {
      await store.transaction((transaction) => writeAttestation(transaction, mine.id, forged))
      expect((await mine.card()).attestation).toBeUndefined()
    }
  })
})

describe('the guardian contract', () => {
  it('holds an identity, and releases it only after the delay, which the guardian can end', async () => {
    const { id, key, owner, account, context, agent, perform } = await owned()
    const [guardian, thief] = [await stranger(), await stranger()]
    await expect(perform('identityDeposit')).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    await perform('identityRegister', { uri: 'agent:alpha' })
    const { agentId, wallet } = await agent()
    await expect(perform('identityTransfer')).rejects.toMatchObject({
      remedy: 'Deposit it first: bardo identity deposit GOLEM',
    })
    for (const useless of [owner.address, account, wallet, context.deployment.contracts.identityGuardian])
      await expect(perform('identityDeposit', { guardian: useless })).rejects.toMatchObject({
        message: expect.stringContaining('cannot be the guardian'),
      })
    const prepared = await prepareOperation(context, 'identityDeposit', {
      golem: id,
      guardian: guardian.address,
    })
    const { rounds } = await finishElsewhere(context, prepared, key)
    expect(rounds).toEqual([['signature', 'signature'], ['transaction']])
    // The transfer cleared the wallet; the key set it again through the guardian contract.
    expect(await agent()).toMatchObject({
      owner: account,
      belongs: 'account',
      wallet,
      walletIs: 'current',
      guarded: { guardian: guardian.address, pending: undefined },
    })
    await expect(perform('identityDeposit')).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    for (const kind of ['identityCancel', 'identityComplete'] as const)
      await expect(perform(kind)).rejects.toMatchObject({
        message: expect.stringContaining('No transfer of this identity is announced'),
      })
    await expect(perform('identityTransfer', { to: world.addresses.usdc })).rejects.toMatchObject({
      message: expect.stringContaining('does not accept the identity token'),
    })

    // A thief of the owner's key announces; the guardian cancels.
    await perform('identityTransfer', { to: thief.address })
    const { timestamp } = await world.client.getBlock()
    const readyAt = timestamp + BigInt(delay)
    expect((await agent()).guarded?.pending).toEqual({ to: thief.address, readyAt })
    await expect(perform('identityTransfer')).rejects.toMatchObject({
      remedy: expect.stringContaining('bardo identity cancel'),
    })
    await expect(perform('identityComplete', {}, thief)).rejects.toMatchObject({
      message: expect.stringContaining('The delay of this transfer is not over'),
    })
    const identity = createIdentityClient(context)
    const execute = identity.executeCall(agentId)
    await expect(world.client.call({ account: thief, ...execute })).rejects.toThrow()
    await expect(perform('identityCancel', {}, thief)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await perform('identityCancel', {}, guardian)
    expect((await agent()).guarded?.pending).toBeUndefined()

    // The owner withdraws; anyone completes it.
    await perform('identityTransfer')
    await perform('identityCancel')
    await perform('identityTransfer')
    await world.warp(delay)
    const anyone = { ...contextOf(thief.address), clock: context.clock }
    await performOperation(anyone, signerOf(thief), 'identityComplete', { golem: id })
    expect(await agent()).toMatchObject({ owner: account, guarded: undefined, walletIs: 'none' })
    await perform('identityWallet')
    expect((await agent()).walletIs).toBe('current')
    expect((await eventsOf(id)).filter((name) => name.startsWith('identity.transfer'))).toEqual([
      'identity.transferAnnounced',
      'identity.transferCancelled',
      'identity.transferAnnounced',
      'identity.transferCancelled',
      'identity.transferAnnounced',
      'identity.transferCompleted',
    ])

    // Given away, it is another owner's; the Golem can get a new one.
    await perform('identityDeposit')
    await perform('identityTransfer', { to: thief.address })
    await world.warp(delay)
    await perform('identityComplete')
    expect(await agent()).toMatchObject({ agentId, owner: thief.address, belongs: 'other' })
    await perform('identityRegister', { uri: 'agent:alpha' })
    const next = await agent()
    expect(next).toMatchObject({ owner: account, belongs: 'account', walletIs: 'current' })
    expect(next.agentId).toBeGreaterThan(agentId)
  })

  it('keeps the identity of a dead Golem, which its owner can still withdraw', async () => {
    const { account, golem, agent, perform } = await owned()
    await perform('identityRegister')
    await perform('identityDeposit')
    await (await golem()).kill()
    await perform('identityAttest')
    await perform('identityTransfer')
    await world.warp(delay)
    await perform('identityComplete')
    expect(await agent()).toMatchObject({ owner: account, guarded: undefined, belongs: 'account' })
  })
})
