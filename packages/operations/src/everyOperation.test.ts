import { resetWriter } from '@bardo/chain'
import { encodeContext, hashDelegation, runwayRequests, signDelegation } from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem'
import { policyFrom, walletPolicyHash } from '@bardo/golem/action'
import type { OwnerRequestKind } from '@bardo/golem/events'
import { type MigrationPlan, migrationHash, type OwnerAsk, planMigration } from '@bardo/golem/requests'
import { partsOf } from '@bardo/golem/testing/golemWorld'
import type { Json } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import {
  type Address,
  type Hash,
  type Hex,
  parseEther,
  sha256,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OperationKind, operations } from './operations.ts'
import type { OperationContext } from './owner/ownerOperation.ts'
import { unreadable } from './owner/stepSentences.ts'
import { performOperation } from './performOperation.ts'
import {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  preparedOperationSchema,
  prepareOperation,
  type SignedOperation,
} from './prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from './testing/operationWorld.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const narrower = 'Every hour, swap $5 of USDC into WETH.\n\nbudget: $20/day\nlifespan: 10 days'
const dayMs = 86_400_000
const guardDelay = 2 * 86_400
const poor = { runwayCents: 2_000n, dayPrices: { compute: 1_000n, data: 0n } }

/** An owner whose key is in another process, and their Golem. */
type Owned = Awaited<ReturnType<OperationWorld['golemOf']>> & {
  readonly key: Hex
  readonly context: OperationContext
}

/** One way to use an operation: what it needs, and its input. */
type Case = {
  readonly given: (golem: Owned) => Promise<object> | object
  /** Whether another root of the Golem makes what was prepared out of date. */
  readonly belongsTo: 'lineage' | 'account'
}

/** The requests that an owner answers. Co-signers answer the others. */
type RequestKind = Exclude<OwnerRequestKind, 'cosign' | 'feed'>

let here: OperationWorld

const lineage = (given: Case['given'] = ({ id }) => ({ golem: id })): Case => ({
  given,
  belongsTo: 'lineage',
})
const account = (given: Case['given']): Case => ({ given, belongsTo: 'account' })

/** Files a request as the Golem does, and returns its id. */
async function file({ id: golem }: Owned, kind: RequestKind, body: object = {}): Promise<string> {
  const id = `${kind}:${golem}`
  await here.store.ownerRequests.file({ id, golem, kind, body: body as Json })
  return id
}

const ask = (golem: Owned, body: OwnerAsk) => file(golem, body.type, body)
const keyOf = async ({ id }: Owned) => (await activeKey(here.store, id))?.address ?? zeroAddress
const nonceOf = (request: string) => BigInt(sha256(stringToHex(request)))

/** How each kind of request is filed. */
const requests: Record<RequestKind, (golem: Owned) => Promise<string>> = {
  async fund(golem) {
    const { context } = golem
    const sinceBlock = await context.client.getBlockNumber()
    const amount = parseEther('0.004')
    const to = await keyOf(golem)
    return ask(golem, {
      type: 'fund',
      sentence: '',
      from: context.owner,
      to,
      token: zeroAddress,
      amount,
      sinceBlock,
    })
  },
  async grant(golem) {
    await (await golem.open()).rotate('suspected')
    return pending(golem, 'grant')
  },
  async runway(golem) {
    const { client, deployment, owner, book } = golem.context
    const { timestamp: now } = await client.getBlock()
    const usdc = book.assets.get('USDC')?.token ?? zeroAddress
    const plan = { usdcCentsPerDay: 500n, gasWeiPerDay: 0n, expiry: now + 864_000n, because: [] }
    const parties = { chainId: deployment.chainId, from: owner, to: golem.account, usdc, now }
    const [asked] = runwayRequests(plan, parties)
    const golems = [{ golem: golem.id, account: golem.account, key: await keyOf(golem) }]
    const requested = [JSON.parse(JSON.stringify(asked))]
    return ask(golem, {
      type: 'runway',
      sentence: '',
      golems,
      method: '',
      requests: requested,
      needsOverride: false,
    })
  },
  async revoke(golem) {
    await (await golem.open()).kill()
    return pending(golem, 'revoke')
  },
  async permit(golem) {
    const { context, id } = golem
    const [source, destination] = [await keyOf(golem), context.owner]
    const { steps, notMoved }: MigrationPlan = await planMigration(context, {
      source,
      destination,
      gasReserve: parseEther('0.5'),
      includeNfts: false,
      includeTokens: false,
      tokens: undefined,
      minBalanceCents: 0n,
    })
    const action = migrationHash(source, destination, steps)
    const permit = await permitOf(golem, {
      action,
      riskTier: 3,
      policyHash: zeroHash,
      simulationHash: action,
    })
    return ask(golem, {
      type: 'permit',
      sentence: '',
      permit: { ...permit, nonce: nonceOf(`permit:${id}`) },
      account: golem.account,
      source,
      destination,
      steps,
      notMoved,
    })
  },
  async policy(golem) {
    const { terms } = (await (await golem.open()).status()).permission
    const [before, after] = [policyFrom('read-only', terms), policyFrom('defi-trading', terms)]
    const [action, policyHash] = [walletPolicyHash(after), walletPolicyHash(before)]
    const permit = await permitOf(golem, { action, riskTier: 2, policyHash, simulationHash: zeroHash })
    const signed = { ...permit, nonce: nonceOf(`policy:${golem.id}`) }
    return ask(golem, { type: 'policy', sentence: '', before, after, permit: signed, account: golem.account })
  },
  async sessionKey(golem) {
    const publicKey = (await partsOf(here.world, here.store, golem.id).keys.vault?.make('second')) ?? '0x'
    const key = await here.store.sessionKeys.find(publicKey)
    const root = { ...golem.root, delegate: key?.address ?? zeroAddress, signature: '0x' } as const
    return ask(golem, { type: 'sessionKey', sentence: '', publicKey, label: 'second', root })
  },
  missedTicks: (golem) => file(golem, 'missedTicks', { since: 1 }),
  async redelegate(golem) {
    const firstKey = golem.root.delegate
    await resetWriter(golem.signer, { firstKey, newWriter: here.world.accounts.stranger })
    return file(golem, 'redelegate', { because: 'the key is refused' })
  },
}

async function permitOf(
  golem: Owned,
  permit: { action: Hash; riskTier: number; policyHash: Hash; simulationHash: Hash },
) {
  const { timestamp } = await golem.context.client.getBlock()
  return { golem: golem.id, ...permit, deadline: timestamp + 3_600n }
}

async function pending({ id }: Owned, kind: string): Promise<string> {
  const found = (await here.store.ownerRequests.pending(id)).find((one) => one.kind === kind)
  if (!found) throw new Error(`the Golem has not filed a ${kind} request`)
  return found.id
}

/** A case for an answer to a request. */
const answer = (kind: RequestKind, says: 'yes' | 'no'): Case =>
  lineage(async (golem) => ({ request: await requests[kind](golem), says }))

const perform = (golem: Owned, kind: OperationKind, input: object = {}) =>
  performOperation(golem.context, golem.signer, kind, { golem: golem.id, ...input })

/** A Golem with an identity, up to a step of its life. */
const withIdentity =
  (...done: readonly OperationKind[]): Case['given'] =>
  async (golem) => {
    for (const kind of done) await perform(golem, kind)
    return { golem: golem.id }
  }

/** Every kind of operation, and every kind of request. Leaving one out is a type error. */
const cases: Record<Exclude<OperationKind, 'answer'>, Readonly<Record<string, Case>>> & {
  readonly answer: Readonly<Record<`${RequestKind}, ${'yes' | 'no'}`, Case>>
} = {
  summon: {
    'a second Golem': account(() => ({
      name: 'beta',
      strategy,
      intervalSeconds: 3_600,
      graceSeconds: 86_400,
    })),
  },
  feed: {
    'the same time again': lineage(),
    'for days': lineage(({ id }) => ({ golem: id, days: 5 })),
    'what was signed before': lineage(async ({ id, context, key }) => {
      const begun = await prepareOperation(context, 'adjust', { golem: id, strategy: narrower })
      await completeOperation(context, await here.signed(begun, key))
      return { golem: id }
    }),
  },
  adjust: { 'to less': lineage(({ id }) => ({ golem: id, strategy: narrower })) },
  constitution: { 'a drawdown': lineage(({ id }) => ({ golem: id, rules: { max_drawdown_percent: 15 } })) },
  resetPhase: {
    'of a Golem without funds': lineage(async ({ id }) => {
      await (await createGolem(partsOf(here.world, here.store, id, { economy: poor }))).tick()
      return { golem: id }
    }),
  },
  answer: {
    'fund, yes': answer('fund', 'yes'),
    'fund, no': answer('fund', 'no'),
    'grant, yes': answer('grant', 'yes'),
    'grant, no': answer('grant', 'no'),
    'runway, yes': answer('runway', 'yes'),
    'runway, no': answer('runway', 'no'),
    'revoke, yes': answer('revoke', 'yes'),
    'revoke, no': answer('revoke', 'no'),
    'permit, yes': answer('permit', 'yes'),
    'permit, no': answer('permit', 'no'),
    'policy, yes': answer('policy', 'yes'),
    'policy, no': answer('policy', 'no'),
    'sessionKey, yes': answer('sessionKey', 'yes'),
    'sessionKey, no': answer('sessionKey', 'no'),
    'missedTicks, yes': answer('missedTicks', 'yes'),
    'missedTicks, no': answer('missedTicks', 'no'),
    'redelegate, yes': answer('redelegate', 'yes'),
    'redelegate, no': answer('redelegate', 'no'),
  },
  revoke: {
    everything: lineage(),
    'only the runway': lineage(async (golem) => {
      const request = await requests.runway(golem)
      const signer = { ...golem.signer, wallet: await walletOf(golem.key) }
      await performOperation(golem.context, signer, 'answer', { request, says: 'yes' })
      return { golem: golem.id, isRunway: true }
    }),
  },
  deposit: {
    tokens: account(() => ({ amount: '5', token: 'USDC' })),
    ether: account(() => ({ amount: '0.1', token: 'ETH' })),
  },
  withdraw: {
    tokens: account(() => ({ amount: '5', token: 'USDC' })),
    'tokens after the death of the Golem': account(async (golem) => {
      await (await golem.open()).kill()
      return { amount: 'all', token: 'USDC' }
    }),
  },
  identityRegister: { 'a first one': lineage(({ id }) => ({ golem: id, uri: 'agent:alpha' })) },
  identityWallet: {
    'of a new key': lineage(async (golem) => {
      await perform(golem, 'identityRegister')
      await (await golem.open()).rotate('age')
      return { golem: golem.id }
    }),
  },
  identityAttest: { 'the Golem': lineage() },
  identityDeposit: { 'a registered one': lineage(withIdentity('identityRegister')) },
  identityTransfer: { 'a deposited one': lineage(withIdentity('identityRegister', 'identityDeposit')) },
  identityCancel: {
    'an announced one': account(withIdentity('identityRegister', 'identityDeposit', 'identityTransfer')),
  },
  // The last one: it moves the chain’s time.
  identityComplete: {
    'an announced one': account(async (golem) => {
      const input = await withIdentity('identityRegister', 'identityDeposit', 'identityTransfer')(golem)
      await here.world.warp(guardDelay)
      return input
    }),
  },
}

const all = Object.entries(cases).flatMap(([kind, ways]) =>
  Object.entries(ways).map(([way, one]) => [kind as OperationKind, way, one] as const),
)

describe('every operation, with the owner’s key in a process that gets only the printed file', () => {
  beforeAll(async () => {
    here = await openOperationWorld()
  })
  afterAll(() => here?.stop())
  beforeEach(() => {
    here.clock.laterMs = 0
  })

  it.each(all)('%s (%s): is done, and refused for anyone and anything else', async (kind, _, one) => {
    const { key, context } = await here.newOwner()
    const golem: Owned = { ...(await here.golemOf(key, strategy)), key, context }
    const input = await one.given(golem)
    const prepared = await prepareOperation(context, kind, input)
    await refusesAnotherTime(golem, prepared)
    if (one.belongsTo === 'lineage') await refusesAnotherRoot(golem, prepared)
    const done = await finish(golem, prepared)
    expect(done).toMatchObject({ type: 'done', kind })
    expect(operations[kind].result.parse(done.result)).toEqual(done.result)
  })
})

/** Another chain, and a file that is a day old. */
async function refusesAnotherTime({ context, key }: Owned, prepared: PreparedOperationJson): Promise<void> {
  const answers = await answersOf(prepared, key)
  const deployment = { ...context.deployment, chainId: 1 }
  await expect(completeOperation({ ...context, deployment }, answers)).rejects.toMatchObject({
    code: 'CHAIN_MISMATCH',
  })
  here.clock.laterMs = dayMs
  await expect(completeOperation(context, answers)).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: ['It ended 24 hours after it was prepared.'],
  })
  here.clock.laterMs = 0
}

/** Another root of the lineage, as another process of the owner would store it. */
async function refusesAnotherRoot(golem: Owned, prepared: PreparedOperationJson): Promise<void> {
  const { signer, root, id, key, context } = golem
  const delegation = await signDelegation(signer.account, { ...root, salt: root.salt + 1n })
  const { store } = context
  const [record] = await store.delegations.list(id)
  if (!record) throw new Error('the Golem has no root')
  const hash = hashDelegation(delegation)
  const list = async () => [
    ...(await store.delegations.list(id)),
    { ...record, hash, delegation, context: encodeContext([delegation]) },
  ]
  const changedStore = { ...store, delegations: { ...store.delegations, list } }
  await expect(
    completeOperation({ ...context, store: changedStore }, await answersOf(prepared, key)),
  ).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: ['The Golem’s roots changed since it was prepared.', `new root: ${hash}`],
  })
}

/** Completes an operation. In each round, a changed byte and another signer are refused first. */
async function finish({ context, key }: Owned, prepared: PreparedOperationJson): Promise<FinishedOperation> {
  let current: PreparedOperationJson | FinishedOperation = prepared
  for (let rounds = 0; rounds < 8; rounds += 1) {
    if (current.type === 'done') return current
    expect(preparedOperationSchema.parse(current)).toEqual(current)
    // Each step says what it does.
    for (const { sentences } of current.steps) {
      expect(sentences.length).toBeGreaterThan(0)
      expect(sentences.join('\n')).not.toContain(unreadable)
    }
    for (const wrong of [
      await answersOf(changed(current), key),
      await answersOf(current, generatePrivateKey()),
    ])
      await expect(completeOperation(context, wrong)).rejects.toMatchObject({
        code: expect.stringMatching(/^(SIGNATURE_MALFORMED|INVALID_INPUT|GRANT_MALFORMED)$/),
      })
    current = await completeOperation(context, await answersOf(current, key))
  }
  throw new Error(`${prepared.kind} is not done after 8 rounds`)
}

async function walletOf(key: Hex) {
  const { url, framework } = here.world
  const wallet = createOwnerWallet({ url, environment: framework, accounts: [privateKeyToAccount(key)] })
  await wallet.request({ method: 'eth_requestAccounts' })
  return wallet
}

/** The answers of a key: its wallet grants permissions, and the other process signs everything else. */
async function answersOf(prepared: PreparedOperationJson, key: Hex): Promise<SignedOperation> {
  const { operation, steps } = prepared
  const [step] = steps
  if (step?.type !== 'permissions') return here.signed(prepared, key)
  const wallet = await walletOf(key)
  const permissions = await wallet.request({ method: step.method, params: step.params }).catch(() => [])
  return { operation, answers: [{ digest: step.digest, permissions: permissions as never }] }
}

/** The same file with one changed digit in its first step. */
function changed(prepared: PreparedOperationJson): PreparedOperationJson {
  const copy = structuredClone(prepared)
  const [step] = copy.steps
  if (step?.type === 'transaction') {
    if (step.data === '0x') step.value = `${BigInt(step.value) + 1n}`
    else step.data = otherDigit(step.data)
  }
  if (step?.type === 'permissions') step.params = []
  if (step?.type === 'signature') {
    const message = step.typedData['message'] as Record<string, unknown>
    const [name = '', value] = Object.entries(message)[0] ?? []
    message[name] = otherDigit(value as Address)
  }
  return copy
}

function otherDigit(hex: Hex): Hex {
  return `0x${hex.slice(2, -1)}${hex.endsWith('1') ? '2' : '1'}`.toLowerCase() as Hex
}
