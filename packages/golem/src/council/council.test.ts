import {
  coSigningTypedData,
  findCoSigned,
  redeem,
  swapCalls,
  systemClock,
  withCoSignatures,
} from '@bardo/chain'
import { createMemoryJournal, encodeContext, hashDelegation } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { type Address, type Hash, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callsOf } from '../action/explainAction.ts'
import { storeLedger } from '../action/storeLedger.ts'
import { refuel } from '../funding/refuel.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { GolemParts, GolemSettings } from '../permission/golemParts.ts'
import { answerRequest } from '../requests/answerRequest.ts'
import type { Intention, Strategy } from '../strategy/strategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { proposalId, readProposal } from './proposal.ts'
import { readAnswers, writeAnswer } from './storedAnswers.ts'

const trader = 'Swap USDC into WETH.\n\nbudget: $100/day\nlifespan: 30 days'
const council = `${trader}\n\nEvery action needs 2 of 3 co-signatures: scout, auditor, clerk.`
const idle: Strategy = async () => ({ type: 'wait', because: 'test' })
const swap = (cents: bigint): Intention => ({
  type: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents,
  because: 'test',
})

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const partsFor = (id: Hash, settings: Partial<GolemSettings> = {}): GolemParts =>
  partsOf(world, store, id, { strategy: idle, ...settings })
const golemOf = (id: Hash, settings: Partial<GolemSettings> = {}) => createGolem(partsFor(id, settings))
const tick = async (id: Hash, settings: Partial<GolemSettings> = {}) => (await golemOf(id, settings)).tick()
const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const proposals = async (id: Hash) =>
  (await store.ownerRequests.pending(id)).filter(({ kind }) => kind === 'cosign')

/** An owner with three members and ALPHA, whose every action needs two of them. */
async function summonCouncil(strategies: Partial<Record<'scout' | 'auditor' | 'clerk', string>> = {}) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const member = (name: 'scout' | 'auditor' | 'clerk') =>
    summonIn(world, store, strategies[name] ?? trader, undefined, { owner, name })
  const scout = await member('scout')
  const auditor = await member('auditor')
  const clerk = await member('clerk')
  const alpha = await summonIn(world, store, council, undefined, { owner, name: 'alpha' })
  return { owner, scout, auditor, clerk, alpha }
}

/** Previews a swap, and proposes it by the first commit. */
async function propose(alpha: { readonly id: Hash }, intent: string, cents = 1_000n) {
  const golem = await golemOf(alpha.id)
  const { capabilityId } = await golem.preview(swap(cents))
  const commit = async () => (await golemOf(alpha.id)).commit(capabilityId, intent)
  await expect(commit()).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    shortMessage: 'The action waits for co-signatures.',
  })
  const request = (await proposals(alpha.id)).at(-1)
  if (!request) throw new Error('there is no proposal')
  return { commit, request, capabilityId }
}

describe('a Golem whose every action needs 2 of 3 co-signatures', () => {
  it('proposes in its tick, and commits once when two members have signed', async () => {
    const { alpha, scout, auditor, clerk } = await summonCouncil()
    const { permission } = await (await golemOf(alpha.id)).status()
    expect(permission.plan.sections.coSigners).toMatchObject({ threshold: 2 })
    const before = await usdc(alpha.account)
    const settings: Partial<GolemSettings> = {
      strategy: async () => swap(1_000n),
    }
    await tick(alpha.id, settings)
    const [request, second] = await proposals(alpha.id)
    if (!request || second) throw new Error('there is not exactly one proposal')
    expect(readProposal(request)).toMatchObject({ nonce: 1n, valueCents: 1_000n })
    await tick(scout.id)
    await tick(scout.id)
    expect(await readAnswers(store, alpha.id, request.id)).toMatchObject([{ type: 'signed' }])
    await tick(alpha.id, settings)
    expect(await usdc(alpha.account)).toBe(before)
    expect(await proposals(alpha.id)).toHaveLength(1)
    await tick(auditor.id)
    // A restart between the signatures and the commit: only the store remembers.
    await tick(alpha.id, settings)
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('10', 6))
    expect(await proposals(alpha.id)).toEqual([])
    expect((await store.ownerRequests.find(request.id))?.state).toBe('approved')
    // A member that comes late has nothing to sign.
    await tick(clerk.id)
    await tick(alpha.id)
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('10', 6))
    const names = (await store.events.read({ after: 0, golem: auditor.id, limit: 1_000 })).map(
      ({ name }) => name,
    )
    expect(names).toContain('council.coSigned')
    // The next proposal has the next nonce that no other pending proposal of this root has.
    const waiting = readProposal(request)
    if (!waiting) throw new Error('there was no proposal')
    const parallel = { id: 'cosign-parallel', golem: alpha.id, kind: 'cosign' }
    await store.ownerRequests.file({ ...parallel, body: { ...waiting, nonce: 2n } })
    const next = await propose(alpha, 'next')
    expect(readProposal(next.request)).toMatchObject({ nonce: 3n })
    for (const { id } of [auditor, clerk]) await tick(id)
    const done = await next.commit()
    expect(await next.commit()).toEqual(done)
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('20', 6))
  })

  it('ends a proposal that members refuse by their own limits, with their reasons', async () => {
    const small = 'Swap USDC into WETH.\n\nbudget: $5/day\nlifespan: 30 days'
    const elsewhere = 'Deposit USDC into the vault.\n\nbudget: $100/day\nlifespan: 30 days'
    const { alpha, scout, auditor, clerk } = await summonCouncil({ scout: small, clerk: elsewhere })
    const before = await usdc(alpha.account)
    const { request, commit } = await propose(alpha, 'refused')
    for (const { id } of [scout, auditor, clerk]) await tick(id)
    expect(await readAnswers(store, alpha.id, request.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'refused', because: expect.stringContaining('at most 5000000') }),
        expect.objectContaining({ type: 'signed' }),
        expect.objectContaining({
          type: 'refused',
          because: expect.stringContaining('is not a contract that this member agrees to'),
        }),
      ]),
    )
    await expect(commit()).rejects.toThrow(/too many co-signers refused/)
    expect(await usdc(alpha.account)).toBe(before)
    expect(await proposals(alpha.id)).toEqual([])
    // It is not a violation: the Golem can propose again.
    expect((await (await golemOf(alpha.id)).status()).state).toMatchObject({ pending: undefined })
    const again = await propose(alpha, 'smaller', 400n)
    for (const { id } of [scout, auditor]) await tick(id)
    await again.commit()
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('4', 6))
  })

  it('executes nothing else if the stored proposal or its answers are forged', async () => {
    const { alpha, scout, auditor } = await summonCouncil()
    const before = await usdc(alpha.account)
    const golem = await golemOf(alpha.id)
    const { capabilityId } = await golem.preview(swap(1_000n))
    const built = (await storeLedger(store).find(capabilityId))?.built
    const { permission } = await golem.status()
    const root = permission.links[0]
    if (!built) throw new Error('nothing was built')
    // The thief files the row first, under the id of the honest proposal, with calls of their own.
    const { usdc: from, weth: to, swapRouter02: router } = world.addresses
    const order = { router, account: alpha.account, from, to, amountIn: 9_000_000n, minimumOut: 1n, fee: 500 }
    const id = proposalId('forged', callsOf(built), hashDelegation(root))
    const forged = {
      type: 'cosign',
      context: encodeContext([root]),
      delegation: hashDelegation(root),
      calls: swapCalls(order).map(({ to: target, value = 0n, data = '0x' }) => ({ to: target, value, data })),
      nonce: 1n,
      valueCents: 1n,
    } as const
    await store.ownerRequests.file({ id, golem: alpha.id, kind: 'cosign', body: forged })
    // A second row pays a stranger: members evaluate the bytes, not the row's words.
    const paid = { ...forged, calls: swapCalls({ ...order, account: world.accounts.stranger }) }
    const body = { ...paid, calls: paid.calls.map((call) => ({ value: 0n, data: '0x' as const, ...call })) }
    await store.ownerRequests.file({ id: 'cosign-theft', golem: alpha.id, kind: 'cosign', body })
    for (const member of [scout, auditor]) await tick(member.id)
    expect(await readAnswers(store, alpha.id, id)).toMatchObject([{ type: 'signed' }, { type: 'signed' }])
    expect(await readAnswers(store, alpha.id, 'cosign-theft')).toMatchObject([
      { type: 'refused', because: expect.stringContaining('RecipientNotAccount') },
      { type: 'refused' },
    ])
    // Both signatures are valid for other bytes: they do not count, and nothing is executed.
    const commit = async () => (await golemOf(alpha.id)).commit(capabilityId, 'forged')
    await expect(commit()).rejects.toMatchObject({
      details: expect.arrayContaining([expect.stringContaining('0 of 2')]),
    })
    // Answers that the thief writes do not count either.
    const [link] = findCoSigned(partsFor(alpha.id).deployment, [root])
    for (const key of link?.coSigners.keys ?? [])
      await writeAnswer(store, alpha.id, id, { type: 'signed', key, signature: `0x${'11'.repeat(65)}` })
    await expect(commit()).rejects.toThrow(/waits for co-signatures/)
    expect(await usdc(alpha.account)).toBe(before)
    // The owner refuses the forged rows.
    const answering = partsFor(alpha.id)
    await answerRequest(answering, id, alpha.owner.address, { type: 'refused' })
    await expect(commit()).rejects.toThrow(/refused or withdrawn/)
  })

  it('keeps a signature across rotations of the member and of the proposer', async () => {
    const { alpha, scout, auditor } = await summonCouncil()
    const before = await usdc(alpha.account)
    const { commit } = await propose(alpha, 'rotated')
    await tick(scout.id)
    await (await golemOf(scout.id)).rotate('age')
    await (await golemOf(alpha.id)).rotate('age')
    await tick(auditor.id)
    await commit()
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('10', 6))
    // The owner signed for the old key: the new one is not a co-signer until the owner signs again.
    const next = await propose(alpha, 'rotated-2')
    await tick(scout.id)
    expect(await readAnswers(store, alpha.id, next.request.id)).toEqual([])
  })

  it('gives a thief of the proposer’s key and one member’s key nothing', async () => {
    const { alpha, scout } = await summonCouncil()
    const { client, deployment, keys } = partsFor(alpha.id)
    const [own, member] = [await keys.open(), await partsFor(scout.id).keys.open()]
    if (!own || !member) throw new Error('there is no key')
    const { permission } = await (await golemOf(alpha.id)).status()
    const [root] = permission.links
    const { usdc: from, weth: to, swapRouter02: router } = world.addresses
    const account = alpha.account
    const calls = swapCalls({ router, account, from, to, amountIn: 1_000_000n, minimumOut: 1n, fee: 500 })
    const request = { deployment, delegation: root, calls, nonce: 1n }
    const signed = async (wallet: typeof member) => ({
      key: wallet.address,
      signature: await wallet.signTypedData(coSigningTypedData(request, wallet.address)),
    })
    const signatures = [await signed(member), await signed(own)]
    await expect(withCoSignatures(request, signatures)).rejects.toMatchObject({ code: 'TOO_FEW_SIGNATURES' })
    const submitter = createWalletSubmitter(own, {
      client,
      chainId: world.chainId,
      journal: createMemoryJournal(),
      clock: systemClock,
      settings: { finality: 1, pollMs: 20 },
    })
    const redeemer = { client, deployment, address: own.address, submitter }
    await expect(redeem(redeemer, { id: 'theft', steps: [{ links: [root], calls }] })).rejects.toMatchObject({
      code: 'REDEMPTION_REFUSED',
    })
  })

  it('asks the owner for gas, because the chain would refuse a draw without co-signatures', async () => {
    const { owner, alpha, scout, auditor } = await summonCouncil()
    const plain = await summonIn(world, store, trader, undefined, { owner, name: 'plain' })
    await world.fund(alpha.account, { ETH: parseEther('1') })
    const weiOf = () => world.client.getBalance({ address: alpha.account })
    /** A tick with enough gas for a draw, and less than a few actions cost. `tries` counts how often a draw was sent. */
    const tickWithLittle = async (id: Hash) => {
      const golem = await golemOf(id, { strategy: async () => swap(1_000n) })
      const { permission } = await golem.status()
      const key = permission.links[0].delegate
      const price = await world.client.getGasPrice()
      await world.client.setBalance({ address: key, value: price * 1_500_000n })
      const { gas: seen } = await golem.look()
      if (!seen) throw new Error('no gas is signed')
      const send = vi.fn().mockRejectedValue(new Error('sent'))
      const need = { seen, phase: 'thriving', leftTodayCents: 5_000n } as const
      await refuel(partsFor(id), permission, send, 'gas-try', need).catch(() => undefined)
      const before = await weiOf()
      await golem.tick()
      return { golem, key, drawn: before - (await weiOf()), tries: send.mock.calls.length }
    }
    // The same account, without co-signers.
    const other = await tickWithLittle(plain.id)
    expect(other.tries).toBe(1)
    expect(other.drawn).toBeGreaterThan(0n)
    const { golem, key, drawn, tries } = await tickWithLittle(alpha.id)
    expect({ drawn, tries }).toEqual({ drawn: 0n, tries: 0 })
    for (const { id } of [scout, auditor]) await tick(id)
    await world.client.setBalance({ address: key, value: 0n })
    await golem.tick()
    const pending = await store.ownerRequests.pending(alpha.id)
    expect(pending.map(({ kind }) => kind)).toContain('fund')
  })

  it('withdraws its proposal when it is killed, and expires one that is not answered', async () => {
    const { alpha, scout, auditor } = await summonCouncil()
    const before = await usdc(alpha.account)
    const { request, commit } = await propose(alpha, 'late')
    await tick(scout.id)
    // A day later.
    const later = { ...systemClock, now: () => systemClock.now() + 25 * 3_600_000 }
    const late = await createGolem({ ...partsFor(alpha.id), clock: later })
    await late.tick()
    expect((await late.status()).state.pending).toBeUndefined()
    await expect(commit()).rejects.toMatchObject({ name: 'BardoError' })
    expect(await proposals(alpha.id)).toEqual([])
    // The nonce is used again: once the next execution lands, the old signature is void.
    const next = await propose(alpha, 'after-late')
    expect(readProposal(next.request)).toMatchObject({ nonce: readProposal(request)?.nonce })
    await (await golemOf(alpha.id)).kill()
    expect((await store.ownerRequests.find(next.request.id))?.state).toBe('withdrawn')
    for (const { id } of [scout, auditor]) await tick(id)
    expect(await readAnswers(store, alpha.id, next.request.id)).toEqual([])
    await expect(next.commit()).rejects.toMatchObject({ name: 'BardoError' })
    expect(await usdc(alpha.account)).toBe(before)
  })

  it('lets another Golem act under a council of its own, with a maximum value and contracts', async () => {
    const { owner, scout, auditor, clerk } = await summonCouncil()
    const both = 'Swap USDC into WETH. Deposit USDC into the vault.\n\nbudget: $100/day\nlifespan: 30 days'
    const giver = await summonIn(world, store, both, undefined, { owner, name: 'giver' })
    const keys = await Promise.all(
      [scout, auditor, clerk].map(async ({ id }) => (await golemOf(id)).status()),
    ).then((all) => all.map(({ permission }) => permission.links[0].delegate))
    const ascending = keys.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
    const beta = await summonIn(world, store, trader, undefined, { name: 'beta' })
    const { permission } = await (await golemOf(beta.id)).status()
    const gift = {
      to: permission.links[0].delegate,
      name: 'beta',
      type: 'act',
      budgetCents: 1_500n,
      lifespanSeconds: 86_400,
      calls: 5,
      targets: ['swapRouter02'],
      coSigners: { threshold: 2, keys: ascending },
    } as const
    const given = await (await golemOf(giver.id)).give(gift)
    const received = await (await golemOf(beta.id)).accept({ context: given.context, from: 'giver' })
    const before = await usdc(giver.account)
    const golem = await golemOf(beta.id)
    // The maximum value and the contracts hold for every signer.
    await expect(golem.preview(swap(1_501n), received)).rejects.toThrow(/ReplicantBudget/)
    const deposit = { type: 'deposit', asset: 'USDC', cents: 100n, because: 'test' } as const
    await expect(golem.preview(deposit, received)).rejects.toMatchObject({ name: 'BardoError' })
    const { capabilityId } = await golem.preview(swap(1_000n), received)
    const commit = async () => (await golemOf(beta.id)).commit(capabilityId, 'given-council')
    await expect(commit()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await tick(scout.id)
    await expect(commit()).rejects.toMatchObject({
      details: expect.arrayContaining([expect.stringContaining('1 of 2 co-signatures')]),
    })
    expect(await usdc(giver.account)).toBe(before)
    await tick(clerk.id)
    await commit()
    expect(before - (await usdc(giver.account))).toBe(parseUnits('10', 6))
    const give = async (changes: object) => (await golemOf(giver.id)).give({ ...gift, ...changes })
    await expect(give({ targets: [world.addresses.usdc] })).rejects.toThrow(/does not include this contract/)
    const useless = { targets: ['vault USDC'], methods: ['exactInputSingle'] }
    await expect(give(useless)).rejects.toThrow(/only contracts of its parent that its methods need/)
  })

  it('asks the co-signers of every link, below a root that has them', async () => {
    const { alpha, scout, auditor } = await summonCouncil()
    const beta = await summonIn(world, store, trader, undefined, { name: 'beta' })
    const { permission } = await (await golemOf(beta.id)).status()
    const gift = {
      to: permission.links[0].delegate,
      name: 'beta',
      type: 'act',
      budgetCents: 1_500n,
      lifespanSeconds: 86_400,
      calls: 5,
    } as const
    const given = await (await golemOf(alpha.id)).give(gift)
    const received = await (await golemOf(beta.id)).accept({ context: given.context, from: 'alpha' })
    const before = await usdc(alpha.account)
    const { capabilityId } = await (await golemOf(beta.id)).preview(swap(1_000n), received)
    const commit = async () => (await golemOf(beta.id)).commit(capabilityId, 'given-below')
    await expect(commit()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(await proposals(beta.id)).toHaveLength(2)
    for (const { id } of [scout, auditor]) await tick(id)
    await commit()
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('10', 6))
    expect(await proposals(beta.id)).toEqual([])
  })
})
