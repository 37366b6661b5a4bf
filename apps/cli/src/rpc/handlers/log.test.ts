import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { openStore, type Store } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { type Hash, keccak256, pad, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLog } from './log.ts'

const alpha: Hash = pad('0x0a')
const strategy = 'Every hour, swap $10 of USDC into WETH.\nbudget: $40/day\nlifespan: 30 days'
const transaction = keccak256('0x01')

describe('the log of a data folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-log-'))
  let store: Store
  beforeAll(async () => {
    await copyEmptyPglite(home)
    store = await openStore({ home, clock: systemClock })
    await store.golems.create({
      id: alpha,
      owner: zeroAddress,
      name: 'alpha\u001b[31m',
      custody: 'delegation',
      status: 'alive',
      phase: 'thriving',
      strategy: { text: strategy, hash: keccak256(stringToHex(strategy)) },
      onboarding: { step: 'authenticating', method: 'qrCode' },
      nextTick: undefined,
    })
  })
  afterAll(async () => {
    await store?.close()
    rmSync(home, { recursive: true, force: true })
  })

  const never = { tell: () => {}, signal: new AbortController().signal }
  const read = (question: object = {}) => readLog({ store }, { limit: 20, follow: false, ...question }, never)
  const tell = (name: string, body: Readonly<Record<string, unknown>> = {}) =>
    store.events.append([{ golem: alpha, name, body: JSON.parse(JSON.stringify(body)) }])

  it('joins a decision with its outcome, and names the signed sentence of a refusal', async () => {
    await tell('golem.summoned', { custody: 'delegation' })
    await tell('action.intended', { intent: 'one', summary: 'swap USDC to WETH', valueCents: '1000' })
    await tell('heartbeat.ticked', { tick: 1, nextTickAt: 1 })
    await tell('action.landed', { intent: 'one', transaction, spentCents: '1000' })
    const failure = { code: 'TOO_SOON', message: 'Too soon.', outcome: 'not-sent', remedy: 'Wait.' }
    await tell('action.postponed', { intent: 'two', failure })
    const entries = await read()
    expect(entries.map(({ event }) => event)).toEqual(['action.postponed', 'action.landed', 'golem.summoned'])
    expect(entries[1]).toMatchObject({ action: 'swap USDC to WETH', cents: '1000', transaction })
    expect(entries[0]).toMatchObject({ code: 'TOO_SOON', remedy: 'Wait.' })
    expect(entries[0]?.signed).toEqual([{ line: 1, sentence: 'Every hour, swap $10 of USDC into WETH.' }])
    expect(JSON.stringify(entries)).not.toContain('\\u001b')
  })

  it('shows the action of an outcome although its decision is older than the limit', async () => {
    await tell('action.intended', { intent: 'old', summary: 'deposit USDC', valueCents: '100' })
    for (let n = 0; n < 6; n += 1) await tell('golem.registeredAgain')
    await tell('action.landed', { intent: 'old', transaction, spentCents: '100' })
    expect(await read({ limit: 1 })).toMatchObject([{ event: 'action.landed', action: 'deposit USDC' }])
    expect(await read({ since: Date.now() + 60_000 })).toEqual([])
  })

  it('shows a decision whose outcome is not known yet', async () => {
    await tell('action.intended', { intent: 'open', summary: 'withdraw USDC', valueCents: '100' })
    expect((await read({ limit: 1 }))[0]).toMatchObject({ event: 'action.intended', action: 'withdraw USDC' })
  })

  it('follows: the latest entries oldest first, then each new one once', async () => {
    const stop = new AbortController()
    const told: string[] = []
    const following = readLog(
      { store },
      { limit: 2, follow: true },
      {
        tell: (entry) => {
          told.push(JSON.parse(JSON.stringify(entry)).event)
          if (told.length === 2) void tell('golem.paused')
          if (told.length === 3) stop.abort()
        },
        signal: stop.signal,
      },
    )
    await following
    expect(told).toEqual(['action.landed', 'action.intended', 'golem.paused'])
  })
})
