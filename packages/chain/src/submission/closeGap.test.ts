import { createMemoryJournal, type SubmissionEvent } from '@bardo/core'
import { type Anvil, startAnvil } from '@bardo/devnet'
import { type Hex, hexToNumber, numberToHex, RpcRequestError } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Around } from '../testing/fault.ts'
import { createSubmissionBench } from '../testing/submissionBench.ts'

/** A node that answers nonce queries with another number while `isLying` returns true. */
function lying(change: (nonce: number) => number, isLying: () => boolean, hidesBlocks = false): Around {
  return async (operation, run) => {
    if (hidesBlocks && isLying() && operation === 'eth_getBlockByNumber')
      throw new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message: 'pruned' } })
    const result = await run()
    if (operation !== 'eth_getTransactionCount' || !isLying()) return result
    return numberToHex(Math.max(change(hexToNumber(result as Hex)), 0)) as typeof result
  }
}

describe('a submitter whose nonces have a gap', () => {
  let anvil: Anvil
  let bench: ReturnType<typeof createSubmissionBench>
  beforeAll(async () => {
    anvil = await startAnvil({ port: 0 })
    bench = createSubmissionBench(anvil.url)
  })
  afterAll(() => anvil?.stop())

  const mine = (blocks = 1) => bench.chain.mine({ blocks })
  const reorg = (depth: number) =>
    bench.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
  const balanceOf = (address: Hex) => bench.chain.getBalance({ address })
  const namesOf = (events: readonly SubmissionEvent[]) => events.map(({ name }) => name)

  /** A key that has landed one intent, so deep that its funds survive every reorganisation of these tests. */
  async function landedOne(finality: number, around?: Around) {
    const key = await bench.fundedKey()
    await mine(10)
    const events: SubmissionEvent[] = []
    const journal = createMemoryJournal()
    const open = () =>
      bench.start(key, {
        journal,
        onSleep: () => mine(),
        settings: { finality, patienceMs: 300_000 },
        // A slow listener: steps that run at the same time would all emit before one of them settles.
        onEvent: async (event) => {
          events.push(event)
          await bench.chain.getBlockNumber({ cacheTime: 0 })
        },
        ...(around && { around }),
      })
    const process = open()
    const first = { id: 'first', to: bench.stranger(), value: 1n }
    const landed = await process.submitter.submit(first)
    return { key, journal, events, process, open, first, landed }
  }

  type Landed = Awaited<ReturnType<typeof landedOne>>

  /** The next intent lands, each intent is on chain once, and the journal names canonical blocks. */
  async function expectOneLandingEach({ key, journal, process, first }: Landed, gaps = 0) {
    const next = { id: 'next', to: bench.stranger(), value: 1n }
    await process.submitter.submit(next)
    await process.submitter.recover()
    for (const { id, to } of [first, next]) {
      expect(await balanceOf(to)).toBe(1n)
      const settlement = (await journal.find(id))?.settlement
      if (settlement?.kind !== 'landed') throw new Error(`${id} is ${settlement?.kind}`)
      const { hash } = settlement.mined
      expect((await bench.chain.getTransactionReceipt({ hash })).status).toBe('success')
    }
    expect(await bench.chain.getTransactionCount(key)).toBe(2 + gaps)
    expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
  }

  const depths = [1, 2, 3, 4, 5, 6, 7, 8]
  const cases = [1, 3].flatMap((finality) =>
    depths.flatMap((depth) => [true, false].map((isDropped) => [finality, depth, isDropped] as const)),
  )

  it.each(cases)(
    'lands each intent once: finality %i, a reorganisation of %i blocks, transaction dropped: %s',
    async (finality, depth, isDropped) => {
      const one = await landedOne(finality)
      const { journal, events, landed } = one
      const raw = (await journal.find('first'))?.attempts[0]?.raw
      const head = await bench.chain.getBlockNumber({ cacheTime: 0 })
      const isUndone = head - landed.blockNumber < BigInt(depth)
      await reorg(depth)
      if (!isDropped && isUndone && raw) await bench.chain.sendRawTransaction({ serializedTransaction: raw })
      await expectOneLandingEach(one)
      const names = namesOf(events)
      if (isUndone && isDropped) expect(names).toEqual(['submission.landingUndone', 'submission.landedAgain'])
      if (!isUndone) expect(names).toEqual([])
    },
  )

  it('reopens a landing that a reorganisation removed when a process starts', async () => {
    const one = await landedOne(1)
    await reorg(3)
    expect(await balanceOf(one.first.to)).toBe(0n)
    const [record] = await one.open().submitter.recover()
    expect(record).toMatchObject({ intent: { id: 'first' }, settlement: { kind: 'landed' } })
    expect(await balanceOf(one.first.to)).toBe(1n)
    expect(namesOf(one.events)).toEqual(['submission.landingUndone', 'submission.landedAgain'])
  })

  it('sends the same bytes again when the chain is shorter than before', async () => {
    const key = await bench.fundedKey()
    await mine(2)
    const events: SubmissionEvent[] = []
    const snapshot = await bench.chain.snapshot()
    const journal = createMemoryJournal()
    const settings = { replaceAfterMs: 6_000 }
    const process = bench.start(key, { journal, settings, onEvent: (event) => events.push(event) })
    const first = { id: 'first', to: bench.stranger(), value: 1n }
    await process.submitter.submit(first)
    const { hash } = (await journal.find('first'))?.attempts[0] ?? {}
    await bench.chain.revert({ id: snapshot })
    const next = { id: 'next', to: bench.stranger(), value: 1n }
    await process.submitter.submit(next)
    expect(await balanceOf(first.to)).toBe(1n)
    expect(await balanceOf(next.to)).toBe(1n)
    const receipt = await bench.chain.getTransactionReceipt({ hash: hash ?? '0x' })
    expect(receipt.status).toBe('success')
    expect(events[0]).toEqual({
      name: 'submission.gapClosed',
      from: key.address,
      nonce: 0,
      by: 'storedTransaction',
    })
    // Once the chain reaches that height again, the journal names the new block.
    await process.submitter.recover()
    const { blockHash } = receipt
    expect((await journal.find('first'))?.settlement).toMatchObject({ kind: 'landed', mined: { blockHash } })
  })

  it('closes the nonce of a reverted transaction when the chain is shorter than before', async () => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    await bench.chain.setCode({ address: to, bytecode: '0x60006000fd' })
    await mine(2)
    const snapshot = await bench.chain.snapshot()
    const settings = { replaceAfterMs: 6_000 }
    const { submitter, journal } = bench.start(key, { settings })
    const request = { id: 'first', to, value: 1n, gas: 100_000n }
    expect(await submitter.submit(request)).toMatchObject({ status: 'reverted' })
    await bench.chain.revert({ id: snapshot })
    await bench.chain.setCode({ address: to, bytecode: '0x00' })
    await submitter.submit({ id: 'next', to: bench.stranger(), value: 1n })
    await submitter.recover()
    expect(await balanceOf(to)).toBe(0n)
    expect((await journal.find('first'))?.settlement?.kind).toBe('closed')
  })

  it('lands several intents that one reorganisation removed, in order', async () => {
    const one = await landedOne(1)
    const more = ['second', 'third'].map((id) => ({ id, to: bench.stranger(), value: 1n }))
    for (const request of more) await one.process.submitter.submit(request)
    await reorg(8)
    const { submitter } = one.process
    // Several callers follow the same intents at the same time; each landing is still reported once.
    await Promise.all([
      submitter.submit({ id: 'next', to: bench.stranger(), value: 1n }),
      submitter.recover(),
      submitter.recover(),
    ])
    await submitter.recover()
    for (const { to } of [one.first, ...more]) expect(await balanceOf(to)).toBe(1n)
    expect(await bench.chain.getTransactionCount(one.key)).toBe(4)
    const again = one.events.flatMap((event) => (event.name === 'submission.landedAgain' ? event.intent : []))
    expect(again.toSorted()).toEqual(['first', 'second', 'third'])
  })

  it('replaces a removed landing at a higher fee if its own is too low', async () => {
    const one = await landedOne(1)
    await reorg(2)
    const attempt = (await one.journal.find('first'))?.attempts[0]
    const { baseFeePerGas } = await bench.chain.getBlock()
    await bench.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: (attempt?.maxFeePerGas ?? 0n) * 4n })
    await mine()
    await expectOneLandingEach(one)
    expect((await one.journal.find('first'))?.attempts.length).toBeGreaterThan(1)
    await bench.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 1n })
    await mine()
  })

  it.each([
    ['3 too high', (nonce: number) => nonce + 3],
    ['2 too low', (nonce: number) => nonce - 2],
    ['always 0', () => 0],
  ] as const)(
    'lands each intent once while the node temporarily reports nonces %s',
    async (_case, change) => {
      let isLying = false
      const one = await landedOne(
        1,
        lying(change, () => isLying),
      )
      isLying = true
      const next = one.process.submitter.submit({ id: 'next', to: bench.stranger(), value: 1n })
      // The node answers correctly again after forty polls.
      const { clock } = one.process
      const began = clock.now()
      const watch = async () => {
        while (clock.now() - began < 40_000) await new Promise((resolve) => setImmediate(resolve))
        isLying = false
      }
      await Promise.race([next, watch()])
      isLying = false
      await next
      expect((await one.journal.find('next'))?.nonce).toBe(1)
      expect(await bench.chain.getTransactionCount(one.key)).toBe(2)
      expect(await balanceOf(one.first.to)).toBe(1n)
    },
  )

  it('closes the gap with self-transfers after a node without history reported a nonce 3 too high', async () => {
    let isLying = false
    const one = await landedOne(
      1,
      lying(
        (nonce) => nonce + 3,
        () => isLying,
        true,
      ),
    )
    isLying = true
    const { clock, submitter } = one.process
    const to = bench.stranger()
    const next = submitter.submit({ id: 'next', to, value: 1n })
    while ((await one.journal.find('next'))?.attempts.length !== 1)
      await new Promise((resolve) => setImmediate(resolve))
    expect((await one.journal.find('next'))?.nonce).toBe(4)
    isLying = false
    const began = clock.now()
    await next
    // Within 30 seconds of the first correct answer.
    expect(clock.now() - began).toBeLessThan(30_000)
    expect(await balanceOf(to)).toBe(1n)
    await submitter.recover()
    expect(await bench.chain.getTransactionCount(one.key)).toBe(5)
    expect(await one.journal.open({ chainId: 31_337, from: one.key.address })).toEqual([])
    expect(one.events).toEqual(
      [1, 2, 3].map((nonce) => ({
        name: 'submission.gapClosed',
        from: one.key.address,
        nonce,
        by: 'selfTransfer',
      })),
    )
  })

  it('ignores a node that shows a landed transaction and reports its nonce as unused', async () => {
    const key = await bench.fundedKey()
    // Nonces 0 and 1 were used before the journal existed.
    for (const _ of [0, 1]) {
      const hash = await bench.chain.sendTransaction({ account: key, chain: null, to: key.address })
      await bench.chain.waitForTransactionReceipt({ hash })
    }
    let isLying = false
    const events: SubmissionEvent[] = []
    const { submitter, journal } = bench.start(key, {
      around: lying(
        () => 0,
        () => isLying,
      ),
      settings: { patienceMs: 60_000 },
      onEvent: (event) => events.push(event),
    })
    expect(await submitter.submit({ id: 'first', to: bench.stranger(), value: 1n })).toMatchObject({
      nonce: 2,
    })
    isLying = true
    await bench.chain.setAutomine(false)
    const next = { id: 'next', to: bench.stranger(), value: 1n }
    await expect(submitter.submit(next)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await bench.chain.setAutomine(true)
    await mine()
    expect(await submitter.submit(next)).toMatchObject({ nonce: 3 })
    expect(events).toEqual([])
    expect(await journal.from({ chainId: 31_337, from: key.address }, 0)).toHaveLength(2)
  })

  it('does not raise the fee of an intent that waits behind a gap', async () => {
    const key = await bench.fundedKey()
    const journal = createMemoryJournal()
    const intent = { id: 'ahead', chainId: 31_337, from: key.address, to: key.address, value: 0n } as const
    await journal.addIntent({ ...intent, data: '0x', gas: 21_000n }, 0)
    await journal.claimNonce('ahead', 200)
    const { submitter } = bench.start(key, { journal, settings: { patienceMs: 200_000 } })
    await submitter.recover()
    // The gap is wider than the limit for self-transfers.
    expect((await journal.find('ahead'))?.attempts).toHaveLength(1)
    expect(await bench.chain.getTransactionCount(key)).toBe(0)
  })

  it('does not let a displaced intent land when the displacing transaction is removed', async () => {
    const key = await bench.fundedKey()
    await mine(10)
    const journal = createMemoryJournal()
    const to = bench.stranger()
    let stolen: Hex | undefined
    const around: Around = async (operation, run) => {
      if (operation === 'eth_sendRawTransaction' && !stolen) {
        const theft = { account: key, chain: null, to: key.address, gas: 21_000n } as const
        stolen = await bench.chain.sendTransaction(theft)
        await mine(2)
      }
      return run()
    }
    const process = bench.start(key, { journal, around, onSleep: () => mine() })
    await expect(process.submitter.submit({ id: 'lost', to, value: 1n })).rejects.toMatchObject({
      code: 'NONCE_TAKEN',
    })
    await reorg(8)
    const again = bench.stranger()
    await process.submitter.submit({ id: 'again', to: again, value: 1n })
    await process.submitter.recover()
    expect(await balanceOf(to)).toBe(0n)
    expect(await balanceOf(again)).toBe(1n)
    expect((await journal.find('lost'))?.settlement?.kind).toBe('closed')
  })
})
