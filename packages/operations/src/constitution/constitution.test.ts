import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createSubmitter,
  explainRedemption,
  isDisabled,
  readAdopted,
  readConstitution,
  systemClock,
} from '@bardo/chain'
import { policyCage } from '@bardo/contracts'
import { createMemoryJournal, deploymentOn, encodeExecution } from '@bardo/core'
import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { createGolem, regrant, summonGolem } from '@bardo/golem'
import { ownerIn, partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { openStore, type Store } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { encodeFunctionData, type Hex, parseEther, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { performOperation } from '../performOperation.ts'
import {
  completeOperation,
  type PreparedOperationJson,
  prepareOperation,
  signedOperationSchema,
} from '../prepareOperation.ts'

const text = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $500/day'
const because = 'a test'
const buy = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because } as const
const tight = { max_share_percent: { WETH: 0.4 } }
const wide = { max_share_percent: { WETH: 30 }, max_drawdown_percent: 15 }

describe('the constitution of a Golem', () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-constitution-'))
  let world: Devnet
  let store: Store
  beforeAll(async () => {
    await copyEmptyPglite(home)
    world = await startDevnet({ port: 0 })
    store = await openStore({ home, clock: systemClock })
  })
  afterAll(async () => {
    await store?.close()
    await world?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  async function live(strategy = text, change?: Parameters<typeof summonIn>[4]) {
    const key = generatePrivateKey()
    const owner = change?.owner ?? privateKeyToAccount(key)
    const summoned = await summonIn(world, store, strategy, undefined, { owner, ...change })
    const context: OperationContext = {
      user: 'local',
      owner: owner.address,
      client: world.client,
      deployment: deploymentOn(world.chainId),
      book: devnetBook(world),
      store,
      clock: systemClock,
      confirmations: 1,
    }
    const parts = partsOf(world, store, summoned.id, { strategy: async () => buy })
    const open = () => createGolem(parts)
    const set = (rules: unknown) =>
      performOperation(context, summoned.signer, 'constitution', { golem: summoned.id, rules })
    const termsNow = async () => (await (await open()).status()).permission.terms
    return { ...summoned, key, owner, context, parts, open, set, termsNow }
  }
  const warnings = (golem: Hex) => store.grimoire.list({ golem, kind: 'warning' })
  const adopted = ({ context }: { context: OperationContext }) => readAdopted(context, context.owner)

  it('is enacted, adopted and signed: the same budget and window, the old root disabled', async () => {
    const golem = await live()
    const before = await golem.termsNow()
    const { result } = await golem.set(wide)
    const after = await golem.termsNow()
    expect(after).toEqual({ ...before, constitution: expect.stringMatching(/^0x/) })
    expect(await adopted(golem)).toBe(after.constitution)
    expect(await readConstitution(golem.context, after.constitution ?? zeroHash)).toMatchObject({
      limits: { maxDrawdownBps: 1_500 },
    })
    expect(await isDisabled(golem.context, golem.root)).toBe(true)
    expect(result).toMatchObject({ sentences: expect.arrayContaining([expect.stringContaining('30 %')]) })
    const running = await golem.open()
    expect(await running.tick()).toMatchObject({ type: 'ticked' })
    expect((await running.look()).day.spent).toBe(5_000n)
    // A second change continues the same budget.
    await golem.set({ ...wide, max_day_usd: 60 })
    expect((await (await golem.open()).look()).day.spent).toBe(5_000n)
    await expect((await golem.open()).preview(buy)).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      shortMessage: expect.stringContaining('DayLimitExceeded(10000, 6000)'),
    })
    // The violation is on record, and has moved the mood.
    expect(await warnings(golem.id)).toMatchObject([{ source: 'policy_violation' }])
    expect((await (await golem.open()).status()).state.mood.arousal).toBeGreaterThan(0)
  })

  it('is enforced by the chain: a thief with the session key is refused too', async () => {
    const golem = await live()
    await golem.set(tight)
    const { permission } = await (await golem.open()).status()
    const { redemption: bought } = await (await golem.open()).explain(buy)
    expect(bought).toMatchObject({ type: 'reverted', revert: { name: 'ConcentrationExceeded' } })
    // The thief enacts a constitution that allows everything, and has nothing to adopt it with.
    const generous = {
      assets: [],
      limits: {
        perTxCents: 1n,
        perSessionCents: 1n,
        perDayCents: 1n,
        sessionSeconds: 1,
        maxDrawdownBps: 10_000,
      },
      document: zeroHash,
    }
    const thief = privateKeyToAccount(generatePrivateKey())
    await world.fund(thief.address, { ETH: parseEther('1') })
    const submitter = createSubmitter({
      client: golem.parts.client,
      chainId: world.chainId,
      journal: createMemoryJournal(),
      clock: systemClock,
      signer: thief,
      settings: { finality: 1, pollMs: 20 },
    })
    const call = { abi: policyCage.abi, functionName: 'enact', args: [generous] } as const
    const to = world.addresses.policyCage
    const { result: hash } = await world.client.simulateContract({ address: to, ...call })
    await submitter.submit({ id: 'enact', to, data: encodeFunctionData(call) })
    const adopt = encodeFunctionData({ abi: policyCage.abi, functionName: 'adopt', args: [hash] })
    await submitter.submit({ id: 'adopt', to, data: adopt })
    expect(await adopted(golem)).toBe(permission.terms.constitution)
    // Through the account, PolicyCage is not a target.
    const { redemption } = await explainRedemption(golem.parts.client, golem.context.deployment, {
      links: permission.links,
      execution: encodeExecution([{ to, value: 0n, data: adopt }]),
      redeemer: permission.links[0].delegate,
    })
    expect(redemption).toMatchObject({ type: 'reverted', revert: { name: 'TargetNotAllowed' } })
    // The adopted one is not what the chain enforces: the hash is in the signed terms.
    expect((await (await golem.open()).look()).constitutionChanged).toBe(false)
  })

  it('survives a feed and a rotation, and an adjustment to a strategy that states none', async () => {
    const golem = await live()
    await golem.set(wide)
    const { constitution } = await golem.termsNow()
    await regrant(golem.signer, golem.parts)
    expect((await golem.termsNow()).constitution).toBe(constitution)
    await (await golem.open()).rotate('operations')
    expect((await golem.termsNow()).constitution).toBe(constitution)
    await regrant(golem.signer, golem.parts, text.replace('$500/day', '$400/day'))
    expect(await golem.termsNow()).toMatchObject({ constitution, dayCents: 40_000n })
    expect(await (await golem.open()).tick()).toMatchObject({ type: 'ticked' })
  })

  it('changes with an adjustment that states another, and is adopted before the root is handed out', async () => {
    const golem = await live(`${text}\n\nStop when the drawdown is 15%.`)
    const first = (await golem.termsNow()).constitution
    expect(await adopted(golem)).toBe(first)
    const running = await golem.open()
    await running.tick()
    const root = (await running.status()).permission.links[0]
    const { order } = await regrant(golem.signer, golem.parts, `${text}\n\nStop when the drawdown is 10%.`)
    const second = (await golem.termsNow()).constitution
    expect(order).toBe('disable-first')
    expect(await isDisabled(golem.context, root)).toBe(true)
    expect([second === first, await adopted(golem)]).toEqual([false, second])
    // The same process follows it: nothing ends.
    expect(await running.tick()).toMatchObject({ type: 'ticked' })
  })

  it('is removed only by name, with the change said as wider', async () => {
    const golem = await live()
    await golem.set(wide)
    const prepared = await prepareOperation(golem.context, 'constitution', { golem: golem.id, rules: null })
    expect(prepared.sentences.join(' ')).toContain('wider: constitution, in force → none')
    await golem.set(null)
    expect((await golem.termsNow()).constitution).toBeUndefined()
    expect(await (await golem.open()).tick()).toMatchObject({ type: 'ticked' })
    await expect(golem.set(null)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('ends the Golem if the owner adopts another one, and refuses a commit between', async () => {
    const golem = await live()
    await golem.set(wide)
    const running = await golem.open()
    await running.tick()
    const preview = await running.preview(buy)
    const other = await live()
    await other.set(tight)
    const hash = (await other.termsNow()).constitution ?? zeroHash
    const data = encodeFunctionData({ abi: policyCage.abi, functionName: 'adopt', args: [hash] })
    // Another owner adopts: it means nothing for this Golem.
    await other.signer.submitter.submit({ id: 'again', to: world.addresses.policyCage, data })
    expect((await running.look()).constitutionChanged).toBe(false)
    await golem.signer.submitter.submit({ id: 'other', to: world.addresses.policyCage, data })
    await expect(running.commit(preview.capabilityId, `${golem.id}:late`)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      outcome: 'not-sent',
    })
    await expect(running.replicate({} as never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(await running.tick()).toMatchObject({ type: 'dying', death: { trigger: 'policyViolation' } })
  })

  it('is one for an owner: another for a second Golem is refused before anything happens', async () => {
    const golem = await live()
    await golem.set(wide)
    const { constitution } = await golem.termsNow()
    const strategy = `${text}\n\nStop when the drawdown is 10%.`
    const { summons } = await ownerIn(world, store, strategy, { owner: golem.owner, name: 'second' })
    await expect(summonGolem(summons)).rejects.toMatchObject({
      shortMessage: 'Another Golem of this owner is signed for another constitution.',
    })
    const second = await live(text, { owner: golem.owner, name: 'third' })
    await expect(second.set(tight)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect(await adopted(golem)).toBe(constitution)
    // The same one is fine.
    await second.set(wide)
    expect(await (await golem.open()).tick()).toMatchObject({ type: 'ticked' })
  })

  it('is signed by a key in another process, round by round', async () => {
    const golem = await live()
    const rules = { ...wide, max_session_usd: 123 }
    const prepared = await prepareOperation(golem.context, 'constitution', { golem: golem.id, rules })
    // The new root, the veto for the old one, and the transaction that enacts.
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature', 'signature', 'transaction'])
    const running = await golem.open()
    await finish(prepared)
    const first = await adopted(golem)
    expect((await golem.termsNow()).constitution).toBe(first)
    // From one constitution to another: it does not end while the adopted one is not the signed one.
    const other = { golem: golem.id, rules: { ...rules, max_session_usd: 124 } }
    await finish(await prepareOperation(golem.context, 'constitution', other))
    expect((await golem.termsNow()).constitution).toBe(await adopted(golem))
    expect(await adopted(golem)).not.toBe(first)

    /** A worker ticks after each round. */
    async function finish(begun: PreparedOperationJson) {
      let current: Awaited<ReturnType<typeof completeOperation>> = begun
      for (let rounds = 0; current.type === 'prepared'; rounds += 1) {
        expect(rounds).toBeLessThan(4)
        current = await completeOperation(golem.context, await signElsewhere(current, golem.key))
        expect(await running.tick()).toMatchObject({ type: 'ticked' })
      }
      expect(current).toMatchObject({ result: { constitution: await adopted(golem) } })
    }
  })

  it('refuses another signer, another owner’s Golem, and a file from before a feed', async () => {
    const golem = await live()
    const input = { golem: golem.id, rules: wide }
    const prepared = await prepareOperation(golem.context, 'constitution', input)
    await expect(
      completeOperation(golem.context, await signElsewhere(prepared, generatePrivateKey())),
    ).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
    const stranger = await live()
    await expect(prepareOperation(stranger.context, 'constitution', input)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    const answers = await signElsewhere(prepared, golem.key)
    await regrant(golem.signer, golem.parts)
    await expect(completeOperation(golem.context, answers)).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
    })
    expect(await adopted(golem)).toBeUndefined()
  })

  /** Signs all steps in another process, which gets only the printed file. */
  async function signElsewhere(prepared: PreparedOperationJson, key: Hex) {
    const file = join(home, 'operation.json')
    writeFileSync(file, JSON.stringify(prepared))
    const { address } = privateKeyToAccount(key)
    const nonce = await world.client.getTransactionCount({ address })
    const script = join(import.meta.dirname, '../testing/signElsewhere.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [script, file, key, `${nonce}`])
    return signedOperationSchema.parse(JSON.parse(stdout))
  }
})
