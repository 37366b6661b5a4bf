import { BardoError, createMemoryJournal, type SubmissionEvent } from '@bardo/core'
import { type Anvil, startAnvil } from '@bardo/devnet'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Around } from '../testing/fault.ts'
import { createSubmissionBench } from '../testing/submissionBench.ts'
import { resendSettled } from './resendSettled.ts'
import type { SubmitterSettings } from './settings.ts'

/** Runtime code of a target: one accepts every call, the other reverts. */
const codes = { success: '0x00', reverted: '0x60006000fd' } as const

type Status = keyof typeof codes

const opposite = { success: 'reverted', reverted: 'success' } as const

describe('a submitter whose settled transaction was removed by a reorganisation', () => {
  let anvil: Anvil
  let bench: ReturnType<typeof createSubmissionBench>
  beforeAll(async () => {
    anvil = await startAnvil({ port: 0 })
    bench = createSubmissionBench(anvil.url)
  })
  afterAll(() => anvil?.stop())

  const mine = (blocks = 1) => bench.chain.mine({ blocks })
  const sendRaw = (serializedTransaction: Hex) => bench.chain.sendRawTransaction({ serializedTransaction })
  const namesOf = (events: readonly SubmissionEvent[]) => events.map(({ name }) => name)

  /** Removes the newest blocks. The target then behaves as `status` says. */
  async function removeAndAnswer(to: Hex, status: Status) {
    await bench.chain.request({ method: 'anvil_reorg', params: [3, []] } as never)
    await bench.chain.setCode({ address: to, bytecode: codes[status] })
  }

  /** An intent that is settled with this status. */
  async function settled(status: Status, around?: Around) {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    await bench.chain.setCode({ address: to, bytecode: codes[status] })
    await mine(10)
    const events: SubmissionEvent[] = []
    const journal = createMemoryJournal()
    const open = (settings: Partial<SubmitterSettings> = {}, isKeyless = false) =>
      bench.start(key, {
        journal,
        isKeyless,
        onSleep: () => mine(),
        settings: { patienceMs: 300_000, ...settings },
        onEvent: (event) => events.push(event),
        ...(around && { around }),
      })
    const process = open()
    const landed = await process.submitter.submit({ id: 'first', to, value: 1n, gas: 100_000n })
    expect(landed.status).toBe(status)
    return { key, to, events, journal, open, process, landed }
  }

  /**
   * An intent that is settled with this status. Its block is then removed, and its target behaves the
   * opposite way.
   */
  async function settledThenRemoved(status: Status, around?: Around) {
    const one = await settled(status, around)
    const { key, to, journal, process } = one
    const raw = (await journal.find('first'))?.attempts[0]?.raw ?? '0x'
    await removeAndAnswer(to, opposite[status])

    /** Sends two more intents with the key. All nonces are used afterwards, and nothing is open. */
    async function sendNext({ submitter } = process) {
      for (const id of ['next', 'last']) await submitter.submit({ id, to: bench.stranger(), value: 1n })
      expect(await bench.chain.getTransactionCount(key)).toBe(3)
      expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
      const settlement = (await journal.find('first'))?.settlement
      if (settlement?.kind !== 'landed' && settlement?.kind !== 'closed') throw new Error('it is not settled')
      const receipt = await bench.chain.getTransactionReceipt({ hash: settlement.mined.hash })
      expect(settlement.mined).toEqual({
        hash: receipt.transactionHash,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        status: receipt.status,
      })
      return { kind: settlement.kind, status: receipt.status }
    }
    const effect = () => bench.chain.getBalance({ address: to })
    return { ...one, raw, sendNext, effect }
  }

  it('does not resend a reverted transaction: a self-transfer uses its nonce', async () => {
    const { events, key, landed, sendNext, effect } = await settledThenRemoved('reverted')
    expect(await sendNext()).toEqual({ kind: 'closed', status: 'success' })
    expect(await effect()).toBe(0n)
    const { hash: transaction } = landed
    expect(events).toEqual([
      { name: 'submission.landingUndone', from: key.address, nonce: 0, intent: 'first', transaction },
      { name: 'submission.gapClosed', from: key.address, nonce: 0, by: 'selfTransfer', intent: 'first' },
    ])
  })

  it('resends a successful transaction and records that it now reverts', async () => {
    const { events, sendNext, effect } = await settledThenRemoved('success')
    expect(await sendNext()).toEqual({ kind: 'landed', status: 'reverted' })
    expect(await effect()).toBe(0n)
    expect(namesOf(events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
    expect(events[1]).toMatchObject({ intent: 'first', status: 'reverted' })
  })

  it('settles the resent transaction even if the next intent is refused before it is sent', async () => {
    const { key, to, journal, process } = await settled('success')
    await removeAndAnswer(to, 'success')
    // The node answers before the block is mined, as nodes do.
    await bench.chain.setAutomine(false)
    const check = () => Promise.reject(new BardoError('It is too soon.', { code: 'TOO_SOON' }))
    const refused = process.submitter.submit({ id: 'next', to, value: 1n, check })
    await expect(refused.finally(() => bench.chain.setAutomine(true))).rejects.toThrow('It is too soon.')
    expect(await bench.chain.getTransactionCount(key)).toBe(1)
    expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
  })

  it.each(['reverted', 'success'] as const)(
    'records the new result of a transaction settled as %s that another node includes again',
    async (status) => {
      const { events, raw, sendNext, effect } = await settledThenRemoved(status)
      await sendRaw(raw)
      expect(await sendNext()).toEqual({ kind: 'landed', status: opposite[status] })
      expect(await effect()).toBe(status === 'reverted' ? 1n : 0n)
      expect(namesOf(events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
      expect(events[1]).toMatchObject({ intent: 'first', status: opposite[status] })
    },
  )

  it('records a success if the removed transaction lands before the self-transfer', async () => {
    let raw: Hex | undefined
    const around: Around = async (operation, run) => {
      const isFirst = operation === 'eth_sendRawTransaction' && raw !== undefined
      if (isFirst && raw) await sendRaw(raw)
      if (isFirst) raw = undefined
      return run()
    }
    const one = await settledThenRemoved('reverted', around)
    raw = one.raw
    expect(await one.sendNext()).toEqual({ kind: 'landed', status: 'success' })
    expect(await one.effect()).toBe(1n)
    expect(namesOf(one.events).filter((name) => name === 'submission.landedAgain')).toHaveLength(1)
    expect(one.events.at(-1)).toMatchObject({ intent: 'first', status: 'success' })
  })

  it('emits the new result after a crash that follows the reopening', async () => {
    let isDead = false
    const around: Around = async (operation, run) => {
      if (isDead) throw new Error('the process has crashed')
      const result = await run()
      if (operation === 'reopen') isDead = true
      return result
    }
    const one = await settledThenRemoved('reverted', around)
    await one.process.submitter.recover().catch(() => undefined)
    expect(isDead).toBe(true)
    expect((await one.journal.find('first'))?.settlement).toBeUndefined()
    isDead = false
    await sendRaw(one.raw)
    // The same journal with new memory.
    const after = one.open()
    const [record] = await after.submitter.recover()
    expect(record?.settlement).toMatchObject({ kind: 'landed', mined: { status: 'success' } })
    expect(namesOf(one.events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
  })

  it.each(['reverted', 'success'] as const)(
    'resends a transaction settled as %s without its key, and records the new result',
    async (status) => {
      const { journal, events, key, effect } = await settledThenRemoved(status)
      const parts = {
        client: bench.chain,
        journal,
        finality: 1,
        onEvent: (event: SubmissionEvent) => void events.push(event),
      }
      const sender = { chainId: 31_337, from: key.address }
      expect(await resendSettled(parts, sender)).toBe(1)
      expect(await resendSettled(parts, sender)).toBe(0)
      expect(await effect()).toBe(status === 'reverted' ? 1n : 0n)
      const settlement = (await journal.find('first'))?.settlement
      expect(settlement).toMatchObject({ kind: 'landed', mined: { status: opposite[status] } })
      expect(namesOf(events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
      expect(events[1]).toMatchObject({ status: opposite[status] })
    },
  )

  it('does not resend a reverted transaction while the fee cap prevents the self-transfer', async () => {
    const { open, key, effect, sendNext } = await settledThenRemoved('reverted')
    await open({ maxFeePerGas: 1n, patienceMs: 60_000 }).submitter.recover()
    expect(await bench.chain.getTransactionCount(key)).toBe(0)
    expect(await sendNext()).toMatchObject({ kind: 'closed' })
    expect(await effect()).toBe(0n)
  })

  it('does not change settled intents when the key is gone', async () => {
    const { open, journal } = await settledThenRemoved('reverted')
    const before = await journal.find('first')
    await open({}, true).submitter.recover()
    expect(await journal.find('first')).toEqual(before)
  })

  it('follows an open intent when the key is gone, and does not change settled ones', async () => {
    let isDying = false
    let isDead = false
    const around: Around = async (operation, run) => {
      if (isDead) throw new Error('the process has crashed')
      isDead = isDying && operation === 'eth_sendRawTransaction'
      return run()
    }
    const one = await settled('reverted', around)
    const { journal, to, process, open } = one
    const next = { id: 'next', to: bench.stranger(), value: 1n }
    isDying = true
    await expect(process.submitter.submit(next)).rejects.toThrow()
    isDying = false
    isDead = false
    const before = await journal.find('first')
    await removeAndAnswer(to, 'success')
    for (const id of ['first', 'next'])
      await sendRaw((await journal.find(id))?.attempts[0]?.raw ?? '0x').catch(() => undefined)
    expect(await open({}, true).submitter.submit(next)).toMatchObject({ nonce: 1, status: 'success' })
    expect(await journal.find('first')).toEqual(before)
  })

  it('records the new result when the reorganisation happens while the next intent lands', async () => {
    let reorganise: (() => Promise<unknown>) | undefined
    const around: Around = async (operation, run) => {
      const work = operation === 'eth_sendRawTransaction' ? reorganise : undefined
      if (work) reorganise = undefined
      await work?.()
      return run()
    }
    const { key, to, journal, process, events } = await settled('success', around)
    const raw = (await journal.find('first'))?.attempts[0]?.raw ?? '0x'
    reorganise = async () => {
      await removeAndAnswer(to, 'reverted')
      await sendRaw(raw)
    }
    await process.submitter.submit({ id: 'next', to: bench.stranger(), value: 1n })
    expect(await bench.chain.getTransactionCount(key)).toBe(2)
    const settlement = (await journal.find('first'))?.settlement
    expect(settlement).toMatchObject({ kind: 'landed', mined: { status: 'reverted' } })
    expect(namesOf(events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
  })

  it('resends more than one page of transactions', async () => {
    const key = await bench.fundedKey()
    await mine(2)
    const events: SubmissionEvent[] = []
    const { submitter, journal } = bench.start(key, {
      onSleep: () => mine(),
      settings: { patienceMs: 300_000 },
      onEvent: (event) => events.push(event),
    })
    const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
    const to = bench.stranger()
    const before = await bench.chain.getBlockNumber({ cacheTime: 0 })
    for (const id of ids) await submitter.submit({ id, to, value: 1n })
    const depth = Number((await bench.chain.getBlockNumber({ cacheTime: 0 })) - before)
    await bench.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    expect(await bench.chain.getBalance({ address: to })).toBe(0n)
    await submitter.recover()
    expect(await bench.chain.getBalance({ address: to })).toBe(20n)
    expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
    expect(namesOf(events).filter((name) => name === 'submission.landedAgain')).toHaveLength(20)
  })

  it('reads one block while the newest settled transaction is still on the chain', async () => {
    const key = await bench.fundedKey()
    let blocks = 0
    const around: Around = (operation, run) => {
      if (operation === 'eth_getBlockByNumber') blocks += 1
      return run()
    }
    const { submitter } = bench.start(key, { around })
    for (const id of ['a', 'b', 'c']) await submitter.submit({ id, to: bench.stranger(), value: 1n })
    blocks = 0
    await submitter.recover()
    expect(blocks).toBe(1)
  })

  it('changes nothing while the block of the newest settled transaction is canonical', async () => {
    const key = await bench.fundedKey()
    const events: SubmissionEvent[] = []
    const { submitter, journal } = bench.start(key, { onEvent: (event) => events.push(event) })
    await submitter.submit({ id: 'first', to: bench.stranger(), value: 1n })
    const before = await journal.find('first')
    await submitter.submit({ id: 'next', to: bench.stranger(), value: 1n })
    expect(await journal.find('first')).toEqual(before)
    expect(events).toEqual([])
  })
})
