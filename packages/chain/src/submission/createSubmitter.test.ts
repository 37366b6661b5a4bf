import { createMemoryJournal, type JournalRecord } from '@bardo/core'
import { type Anvil, startAnvil } from '@bardo/devnet'
import { type Hex, keccak256, RpcRequestError } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Around } from '../testing/fault.ts'
import { createSubmissionBench } from '../testing/submissionBench.ts'

/** Fails the first `times` calls, before the node receives them or after. */
function failing(method: string, message: string, when: 'before' | 'after', times = 1): Around {
  let left = times
  return async (operation, run) => {
    if (operation !== method || left-- <= 0) return run()
    if (when === 'after') await run()
    throw new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message } })
  }
}

describe('a submitter', () => {
  let anvil: Anvil
  let bench: ReturnType<typeof createSubmissionBench>
  beforeAll(async () => {
    anvil = await startAnvil({ port: 0 })
    bench = createSubmissionBench(anvil.url)
  })
  afterEach(() => bench.chain.setAutomine(true))
  afterAll(() => anvil?.stop())

  const balanceOf = (address: Hex) => bench.chain.getBalance({ address })
  const mine = () => bench.chain.mine({ blocks: 1 })
  const pooled = async () => (await bench.chain.getTxpoolStatus()).pending
  const purposes = (record: JournalRecord | undefined) => record?.attempts.map(({ purpose }) => purpose)

  it('returns the same result for the same intent, and sends it once', async () => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    const { submitter } = bench.start(key)
    const first = await submitter.submit({ id: 'a', to, value: 5n })
    expect(first).toMatchObject({ id: 'a', nonce: 0, status: 'success' })
    expect(await submitter.submit({ id: 'a', to, value: 5n })).toEqual(first)
    expect(await balanceOf(to)).toBe(5n)
    await expect(submitter.submit({ id: 'a', to, value: 6n })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      outcome: 'not-sent',
    })
  })

  it.each([
    ['the answer is lost', 'connection reset', 'after', 1],
    ['the request is lost', 'connection reset', 'before', 1],
    ['the node answers "already known"', 'already known', 'after', 1],
    ['the node answers "nonce too low" after it landed', 'nonce too low', 'after', 1],
    ['the node is unreachable for a while', 'connection reset', 'before', 3],
    ['the node answers "underpriced"', 'replacement transaction underpriced', 'before', 1],
  ] as const)('lands once when %s', async (_case, message, when, times) => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    const around = failing('eth_sendRawTransaction', message, when, times)
    const { submitter, journal } = bench.start(key, { around, settings: { replaceAfterMs: 3_000 } })
    await submitter.submit({ id: 'a', to, value: 1n })
    expect(await balanceOf(to)).toBe(1n)
    expect(await bench.chain.getTransactionCount(key)).toBe(1)
    const record = await journal.find('a')
    expect(record?.settlement?.kind).toBe('landed')
  })

  it('replaces by fee at the same nonce, within its cap, and stores every hash', async () => {
    const key = await bench.fundedKey()
    await bench.chain.setAutomine(false)
    const to = bench.stranger()
    const settings = { replaceAfterMs: 2_000, maxAttempts: 3, patienceMs: 30_000 }
    const { submitter, journal } = bench.start(key, { settings })
    const waiting = submitter.submit({ id: 'a', to, value: 1n })
    await expect(waiting).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
      retryable: true,
    })
    const record = await journal.find('a')
    expect(purposes(record)).toEqual(['intent', 'intent', 'intent'])
    expect(new Set(record?.attempts.map(({ hash }) => hash)).size).toBe(3)
    for (const { hash, raw } of record?.attempts ?? []) expect(keccak256(raw)).toBe(hash)
    expect(await pooled()).toBe(1)
    await mine()
    expect((await submitter.submit({ id: 'a', to, value: 1n })).hash).toBe(record?.attempts.at(-1)?.hash)
    expect(await balanceOf(to)).toBe(1n)
  })

  it('offers no more than its cap', async () => {
    const key = await bench.fundedKey()
    await bench.chain.setAutomine(false)
    const maxFeePerGas = 3_000_000_000n
    const settings = { replaceAfterMs: 1_000, patienceMs: 40_000, maxAttempts: 20, maxFeePerGas }
    const { submitter, journal } = bench.start(key, { settings })
    await submitter.submit({ id: 'a', to: bench.stranger(), value: 1n }).catch(() => {})
    const fees = (await journal.find('a'))?.attempts.map((attempt) => attempt.maxFeePerGas) ?? []
    expect(fees.length).toBeLessThan(20)
    expect(fees.every((fee) => fee <= maxFeePerGas)).toBe(true)
    await mine()
  })

  it('does not raise the fee of later transactions after replacements', async () => {
    const tips: bigint[] = []
    // Enough blocks with the usual tip.
    for (let usual = 0; usual < 20; usual += 1)
      await bench
        .start(await bench.fundedKey())
        .submitter.submit({ id: 'a', to: bench.stranger(), value: 1n })
    for (let round = 0; round < 4; round += 1) {
      const key = await bench.fundedKey()
      await bench.chain.setAutomine(false)
      const settings = { replaceAfterMs: 2_000, patienceMs: 30_000 }
      const { submitter, journal } = bench.start(key, { settings })
      const request = { id: 'a', to: bench.stranger(), value: 1n }
      await submitter.submit(request).catch(() => {})
      // Its block is the last one: the node's next suggestion is its tip.
      await mine()
      await bench.chain.setAutomine(true)
      await submitter.submit(request)
      const attempts = (await journal.find('a'))?.attempts ?? []
      expect(attempts).toHaveLength(6)
      tips.push(attempts[0]?.maxPriorityFeePerGas ?? 0n)
    }
    expect(new Set(tips).size).toBe(1)
  })

  it('waits through a reorganisation and lands again', async () => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    let turns = 0
    const seen: (string | undefined)[] = []
    const journal = createMemoryJournal()
    // The block that contained it is replaced once, before it is final.
    const onSleep = async () => {
      turns += 1
      seen.push((await journal.find('a'))?.mined?.blockHash)
      if (turns === 2) await bench.chain.request({ method: 'anvil_reorg', params: [2, []] } as never)
      else await mine()
    }
    const { submitter } = bench.start(key, {
      journal,
      onSleep,
      settings: { finality: 4, replaceAfterMs: 5_000 },
    })
    const landed = await submitter.submit({ id: 'a', to, value: 1n })
    const blocks = new Set(seen.filter((block) => block !== undefined))
    expect(blocks.has(landed.blockHash)).toBe(true)
    expect(blocks.size).toBeGreaterThan(1)
    expect(await balanceOf(to)).toBe(1n)
    expect(await bench.chain.getTransactionCount(key)).toBe(1)
  })

  it('shares a key between two processes: each intent lands once', async () => {
    const key = await bench.fundedKey()
    const journal = createMemoryJournal()
    const processes = [bench.start(key, { journal }), bench.start(key, { journal })]
    const requests = Array.from({ length: 6 }, (_, n) => ({ id: `${n}`, to: bench.stranger(), value: 1n }))
    // Both processes submit every request at the same time.
    const landed = await Promise.all(
      requests.flatMap((request) => processes.map(({ submitter }) => submitter.submit(request))),
    )
    expect(new Set(landed.map(({ hash }) => hash)).size).toBe(6)
    expect(landed.map(({ nonce }) => nonce).toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    for (const { to } of requests) expect(await balanceOf(to)).toBe(1n)
    expect(await bench.chain.getTransactionCount(key)).toBe(6)
  })

  it.each([
    ['estimates its gas', 'eth_estimateGas', 1],
    ['signs it', 'eth_getBalance', 2],
  ])(
    'returns the result of another process that sends the same intent while this one %s',
    async (_, method, time) => {
      const key = await bench.fundedKey()
      const journal = createMemoryJournal()
      const request = { id: 'sweep', to: bench.stranger(), sweep: true } as const
      const other = bench.start(key, { journal })
      let times = 0
      // Afterwards the key is empty, so the same sweep cannot be drafted again.
      const around: Around = async (operation, run) => {
        if (operation === method) times += 1
        if (operation === method && times === time) await other.submitter.submit(request)
        return run()
      }
      const { submitter } = bench.start(key, { journal, around })
      expect(await submitter.submit(request)).toMatchObject({
        id: 'sweep',
        nonce: 0,
        status: 'success',
      })
      expect(times).toBeGreaterThanOrEqual(time)
      expect(await bench.chain.getTransactionCount(key)).toBe(1)
    },
  )

  it('closes the nonce of a cancelled intent with a self-transfer', async () => {
    const key = await bench.fundedKey()
    await bench.chain.setAutomine(false)
    const to = bench.stranger()
    const { submitter, journal } = bench.start(key, { settings: { patienceMs: 2_000 } })
    await submitter.submit({ id: 'a', to, value: 1n }).catch(() => {})
    await submitter.cancel('a').catch(() => {})
    await mine()
    expect((await submitter.cancel('a')).settlement?.kind).toBe('closed')
    expect(purposes(await journal.find('a'))).toEqual(['intent', 'close'])
    expect(await balanceOf(to)).toBe(0n)
    await expect(submitter.submit({ id: 'a', to, value: 1n })).rejects.toMatchObject({
      code: 'INTENT_CLOSED',
      outcome: 'not-sent',
    })
  })

  it('reports that the intent landed when the cancellation is too late', async () => {
    const key = await bench.fundedKey()
    const { submitter } = bench.start(key)
    const to = bench.stranger()
    await submitter.submit({ id: 'a', to, value: 1n })
    expect((await submitter.cancel('a')).settlement?.kind).toBe('landed')
  })

  it('closes a nonce that a crashed process claimed, so that the next intent can land', async () => {
    const key = await bench.fundedKey()
    const { submitter, journal, clock } = bench.start(key, { settings: { replaceAfterMs: 3_000 } })
    const lost = bench.stranger()
    const intent = {
      id: 'lost',
      chainId: 31_337,
      from: key.address,
      to: lost,
      value: 1n,
      data: '0x',
      gas: 21_000n,
    }
    await journal.addIntent({ ...intent, data: '0x', expiresAt: clock.now() + 1_000 }, clock.now())
    await journal.claimNonce('lost', 0)
    const to = bench.stranger()
    expect((await submitter.submit({ id: 'next', to, value: 1n })).nonce).toBe(1)
    expect(purposes(await journal.find('lost'))).toEqual(['close'])
    expect(await balanceOf(lost)).toBe(0n)
    expect(await balanceOf(to)).toBe(1n)
    expect((await submitter.recover()).map(({ settlement }) => settlement?.kind)).toEqual(['closed'])
  })

  it('drops an intent that expired before it had a nonce', async () => {
    const key = await bench.fundedKey()
    const { submitter, clock } = bench.start(key)
    const request = { id: 'a', to: bench.stranger(), value: 1n, expiresAt: clock.now() }
    await expect(submitter.submit(request)).rejects.toMatchObject({
      code: 'INTENT_CLOSED',
      outcome: 'not-sent',
    })
    expect(await bench.chain.getTransactionCount(key)).toBe(0)
  })

  it('waits for a node that reports a nonce as used before it shows the transaction', async () => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    let hidden: 'nothing' | 'receipt' | 'both' = 'nothing'
    // Like a node that is just storing the block: new state, but neither receipt nor block yet.
    const around: Around = async (operation, run) => {
      const result = await run()
      if (operation === 'eth_getTransactionReceipt' && hidden === 'nothing') {
        hidden = 'receipt'
        return null as typeof result
      }
      if (operation !== 'eth_getBlockByNumber' || hidden !== 'receipt') return result
      hidden = 'both'
      return { ...result, transactions: [] }
    }
    const { submitter, journal } = bench.start(key, { around })
    expect(await submitter.submit({ id: 'a', to, value: 1n, gas: 21_000n })).toMatchObject({
      status: 'success',
    })
    expect((await journal.find('a'))?.settlement?.kind).toBe('landed')
    expect(hidden).toBe('both')
  })

  it('reports that another party signs with the key', async () => {
    const key = await bench.fundedKey()
    const journal = createMemoryJournal()
    const to = bench.stranger()
    let stolen: Hex | undefined
    const { submitter } = bench.start(key, {
      journal,
      settings: { replaceAfterMs: 3_000 },
      // Between our claim and our broadcast an attacker uses the nonce.
      around: async (operation, run) => {
        if (operation === 'eth_sendRawTransaction' && !stolen) {
          const theft = { account: key, chain: null, to: key.address, gas: 21_000n } as const
          stolen = await bench.chain.sendTransaction(theft)
          await bench.chain.mine({ blocks: 9 })
        }
        return run()
      },
    })
    await expect(submitter.submit({ id: 'a', to, value: 1n })).rejects.toMatchObject({
      code: 'NONCE_TAKEN',
      outcome: 'not-sent',
    })
    expect((await journal.find('a'))?.settlement).toEqual({ kind: 'displaced', by: stolen })
    expect(await balanceOf(to)).toBe(0n)
    expect((await submitter.submit({ id: 'b', to, value: 1n })).nonce).toBe(1)
  })

  it('reports an unknown outcome when the node has pruned its receipts', async () => {
    const key = await bench.fundedKey()
    const to = bench.stranger()
    const forget: Around = async (operation, run) =>
      operation === 'eth_getTransactionReceipt' ? (null as Awaited<ReturnType<typeof run>>) : run()
    const journal = createMemoryJournal()
    const { submitter } = bench.start(key, { journal, around: forget, settings: { patienceMs: 5_000 } })
    await expect(submitter.submit({ id: 'a', to, value: 1n })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
    await bench.chain.mine({ blocks: 5 })
    await expect(submitter.submit({ id: 'a', to, value: 1n })).rejects.toMatchObject({ outcome: 'unknown' })
    // A node with receipts resolves it.
    await bench.start(key, { journal }).submitter.submit({ id: 'a', to, value: 1n })
    expect(await balanceOf(to)).toBe(1n)
  })

  it('assigns no nonce to an invalid transaction', async () => {
    const { submitter, journal } = bench.start(await bench.fundedKey())
    const to = bench.stranger()
    const wrong = [{ to: `0x${'aB'.repeat(20)}` }, { to: '0x01' }, { data: '0x123' }, { value: -1n }] as const
    for (const change of wrong)
      await expect(submitter.submit({ id: 'a', to, gas: 50_000n, ...change })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        outcome: 'not-sent',
      })
    expect(await journal.find('a')).toBeUndefined()
  })

  it('does not journal a transaction that would revert', async () => {
    const key = await bench.fundedKey()
    const { submitter, journal } = bench.start(key)
    const reverter = bench.stranger()
    await bench.chain.setCode({ address: reverter, bytecode: '0x5f5ffd' })
    await expect(submitter.submit({ id: 'a', to: reverter })).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      outcome: 'not-sent',
    })
    expect(await journal.find('a')).toBeUndefined()
    // With an explicit gas limit it is sent, lands, and uses its nonce.
    const landed = await submitter.submit({ id: 'a', to: reverter, gas: 50_000n })
    expect(landed).toMatchObject({ status: 'reverted', nonce: 0 })
  })

  it('reports a key without funds, and continues once it is funded', async () => {
    const key = await bench.fundedKey()
    const { submitter, journal } = bench.start(key)
    await bench.chain.setBalance({ address: key.address, value: 1n })
    const to = bench.stranger()
    const request = { id: 'a', to, value: 1n, gas: 21_000n }
    await expect(submitter.submit(request)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      outcome: 'unknown',
    })
    await bench.chain.setBalance({ address: key.address, value: 10n ** 18n })
    await bench.start(key, { journal }).submitter.recover()
    expect((await submitter.submit(request)).nonce).toBe(0)
    expect(await balanceOf(to)).toBe(1n)
  })
})
