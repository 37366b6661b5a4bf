import { isDisabled } from '@bardo/chain'
import { runwayRequests } from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { activeKey } from '@bardo/wallets'
import { type Hex, parseEther, parseGwei, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountOf } from '../owner/accountOf.ts'
import type { OperationContext } from '../owner/ownerOperation.ts'
import {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  prepareOperation,
} from '../prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from '../testing/operationWorld.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'

describe('an answer of an owner whose key is in another process', () => {
  let here: OperationWorld
  let key: Hex
  let context: OperationContext
  let alpha: Awaited<ReturnType<OperationWorld['golemOf']>>
  beforeAll(async () => {
    here = await openOperationWorld()
  })
  afterAll(() => here?.stop())
  beforeEach(async () => {
    here.clock.laterMs = 0
    ;({ key, context } = await here.newOwner())
    alpha = await here.golemOf(key, strategy)
  })

  const prepare = (request: string, says = 'yes', more = {}) =>
    prepareOperation(context, 'answer', { request, says, ...more })
  const complete = async (prepared: PreparedOperationJson, by = key) =>
    completeOperation(context, await here.signed(prepared, by))
  const stateOf = async (request: string) => (await here.store.ownerRequests.find(request))?.state

  /** A request for gas, as the Golem files it. */
  async function askForGas(amount = parseEther('0.01')): Promise<string> {
    const id = `${alpha.id}:gas`
    const to = (await activeKey(here.store, alpha.id))?.address
    const body = {
      type: 'fund',
      sentence: 'ignored',
      from: context.owner,
      to: `${to}`,
      token: zeroAddress,
      amount,
      sinceBlock: await context.client.getBlockNumber(),
    }
    await here.store.ownerRequests.file({ id, golem: alpha.id, kind: 'fund', body })
    return id
  }

  it('sends the gas that a Golem asks for', async () => {
    const request = await askForGas()
    const prepared = await prepare(request, 'yes', { amount: '0.004' })
    expect(prepared.steps).toMatchObject([{ type: 'transaction', value: `${parseEther('0.004')}` }])
    expect(await here.finish(context, prepared, key)).toMatchObject({ result: { isTaken: true } })
    expect(await stateOf(request)).toBe('adjusted')
  })

  it('refuses only with the owner’s signature', async () => {
    const request = await askForGas()
    const prepared = await prepare(request, 'no')
    expect(prepared.steps).toMatchObject([{ type: 'signature', typedData: { primaryType: 'RequestAnswer' } }])
    await expect(complete(prepared, generatePrivateKey())).rejects.toMatchObject({
      code: 'SIGNATURE_MALFORMED',
    })
    expect(await stateOf(request)).toBe('pending')
    expect(await complete(prepared)).toMatchObject({ type: 'done', result: { says: 'no', isTaken: true } })
    expect(await stateOf(request)).toBe('refused')
  })

  it('replaces a suspected key: the old root first, the new one last', async () => {
    const before = (await activeKey(here.store, alpha.id))?.address
    await (await alpha.open()).rotate('suspected')
    const [request] = await here.store.ownerRequests.pending(alpha.id)
    const prepared = await prepare(`${request?.id}`)
    expect(prepared.sentences[0]).toBe('Approve the grant request of alpha:')
    // Nothing is signed for the new key while the old one can act.
    expect(prepared.steps).toHaveLength(1)
    expect(prepared.steps[0]?.sentences.join(' ')).not.toContain('Cage')
    const done = await here.finish(context, prepared, key)
    expect(done).toMatchObject({ result: { kind: 'grant', isTaken: true } })
    expect(await isDisabled(context, alpha.root)).toBe(true)
    const golem = await alpha.open()
    await golem.tick()
    const { permission } = await golem.status()
    expect(permission.links[0].delegate).not.toBe(before)
    expect(await isDisabled(context, permission.links[0])).toBe(false)
  })

  it('sends the gas that was prepared, also if the gas price falls before each answer', async () => {
    const { client } = here.world
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('8') })
    await client.mine({ blocks: 1 })
    await (await alpha.open()).rotate('suspected')
    const [request] = await here.store.ownerRequests.pending(alpha.id)
    let done: PreparedOperationJson | FinishedOperation = await prepare(`${request?.id}`)
    while (done.type === 'prepared') {
      const answers = await here.signed(done, key)
      // An empty block lowers the base fee by an eighth.
      await client.mine({ blocks: 30 })
      done = await completeOperation(context, answers)
    }
    expect(done).toMatchObject({ result: { kind: 'grant', isTaken: true } })
  })

  it('grants a runway with the owner’s wallet, which gets the printed request', async () => {
    const { client, book } = context
    const { timestamp: now } = await client.getBlock()
    const usdc = book.assets.get('USDC')?.token ?? zeroAddress
    const to = accountOf(context)
    const runway = { usdcCentsPerDay: 500n, gasWeiPerDay: 0n, expiry: now + 864_000n, because: [] }
    const parties = { chainId: context.deployment.chainId, from: context.owner, to, usdc, now }
    const [asked] = runwayRequests(runway, parties)
    const id = `runway:${alpha.id}`
    const { address } = (await activeKey(here.store, alpha.id)) ?? { address: zeroAddress }
    const body = {
      type: 'runway',
      sentence: 'ignored',
      golems: [{ golem: alpha.id, account: to, key: address }],
      method: 'ignored',
      requests: [JSON.parse(JSON.stringify(asked))],
      needsOverride: false,
    }
    await here.store.ownerRequests.file({ id, golem: alpha.id, kind: 'runway', body })
    const prepared = await prepare(id, 'yes', { amount: '2' })
    const [step] = prepared.steps
    if (step?.type !== 'permissions') throw new Error('the request for the wallet is missing')
    const { url, framework } = here.world
    const wallet = createOwnerWallet({ url, environment: framework, accounts: [privateKeyToAccount(key)] })
    await wallet.request({ method: 'eth_requestAccounts' })
    const permissions = await wallet.request({ method: step.method, params: step.params })
    const { operation } = prepared
    const answers = { operation, answers: [{ digest: step.digest, permissions: permissions as never }] }
    const next = await completeOperation(context, answers)
    if (next.type === 'done') throw new Error('the draw is not signed')
    expect(next.steps.map(({ type }) => type)).toEqual(['signature'])
    expect(await here.finish(context, next, key)).toMatchObject({ result: { kind: 'runway', isTaken: true } })
    const permission = await here.store.permissions.list(alpha.id)
    expect(permission).toMatchObject([{ grant: { data: { periodAmount: 2_000_000n } } }])
  })

  it('disables the delegations that a dead Golem leaves', async () => {
    await (await alpha.open()).kill()
    const pending = (await here.store.ownerRequests.pending(alpha.id)).filter(({ kind }) => kind === 'revoke')
    const done = await here.finish(context, await prepare(`${pending[0]?.id}`), key)
    expect(done).toMatchObject({ result: { kind: 'revoke', isTaken: true } })
    expect(await isDisabled(context, alpha.root)).toBe(true)
  })

  it('refuses another owner, a changed byte, another chain, an old file and a changed root', async () => {
    const request = await askForGas()
    const other = await here.newOwner()
    await expect(prepareOperation(other.context, 'answer', { request, says: 'yes' })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const prepared = await prepare(request)
    const changed = JSON.parse(JSON.stringify(prepared))
    changed.steps[0].to = zeroAddress
    await expect(complete(changed)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(complete(prepared, other.key)).rejects.toMatchObject({
      details: [expect.stringContaining('sender: ')],
    })
    const answers = await here.signed(prepared, key)
    const deployment = { ...context.deployment, chainId: 1 }
    await expect(completeOperation({ ...context, deployment }, answers)).rejects.toMatchObject({
      code: 'CHAIN_MISMATCH',
    })
    await here.finish(context, await prepareOperation(context, 'feed', { golem: alpha.id }), key)
    await expect(completeOperation(context, answers)).rejects.toMatchObject({
      details: ['The Golem’s roots changed since it was prepared.', expect.anything()],
    })
    here.clock.laterMs = 86_400_000
    await expect(completeOperation(context, answers)).rejects.toMatchObject({
      details: ['It ended 24 hours after it was prepared.'],
    })
    expect(await stateOf(request)).toBe('pending')
  })
})
