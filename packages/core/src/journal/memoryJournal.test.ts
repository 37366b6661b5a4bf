import { beforeEach, describe, expect, it } from 'vitest'
import type { Attempt, Intent, Journal, Mined } from './journal.ts'
import { createMemoryJournal } from './memoryJournal.ts'

const from = '0x00000000000000000000000000000000000000Aa'
const sender = { chainId: 1, from } as const
const intent = (id: string): Intent => ({ id, ...sender, to: from, value: 0n, data: '0x', gas: 21_000n })
const attempt = (n: number, purpose: Attempt['purpose'] = 'intent'): Attempt => ({
  hash: `0x${n}`,
  raw: `0x${n}`,
  purpose,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  storedAt: n,
})
const mined: Mined = { hash: '0x1', blockNumber: 1n, blockHash: '0x2', status: 'success' }

describe('the memory journal', () => {
  let journal: Journal
  beforeEach(async () => {
    journal = createMemoryJournal()
    await journal.addIntent(intent('a'), 1)
    await journal.addIntent(intent('b'), 2)
  })

  it('takes an id once', async () => {
    expect(await journal.addIntent({ ...intent('a'), value: 9n }, 3)).toBe(false)
    expect((await journal.find('a'))?.intent.value).toBe(0n)
  })

  it('gives a nonce to one intent only, however many ask at once', async () => {
    const claims = await Promise.all(['a', 'b'].map((id) => journal.claimNonce(id, 5)))
    expect(claims).toEqual([true, false])
    expect(await journal.claimNonce('a', 6)).toBe(false)
    expect(await journal.claimNonce('b', 6)).toBe(true)
    expect(await journal.highestNonce({ ...sender, from: from.toLowerCase() as typeof from })).toBe(6)
    expect((await journal.open(sender)).map(({ nonce }) => nonce)).toEqual([5, 6])
  })

  it('lets one of two signers add the next attempt, and nobody without a nonce', async () => {
    expect(await journal.addAttempt('a', 0, attempt(1))).toBe(false)
    await journal.claimNonce('a', 0)
    expect(await journal.addAttempt('a', 0, attempt(1))).toBe(true)
    expect(await journal.addAttempt('a', 0, attempt(2))).toBe(false)
    expect(await journal.addAttempt('a', 1, attempt(2))).toBe(true)
  })

  it('signs for an intent no more once it is closing', async () => {
    await journal.claimNonce('a', 0)
    expect(await journal.close('a')).toBe(true)
    expect(await journal.close('a')).toBe(false)
    expect(await journal.addAttempt('a', 0, attempt(1))).toBe(false)
    expect(await journal.addAttempt('a', 0, attempt(1, 'close'))).toBe(true)
    await journal.close('b')
    expect(await journal.claimNonce('b', 1)).toBe(false)
  })

  it('drops only what has no nonce', async () => {
    await journal.claimNonce('a', 0)
    expect(await journal.settle('a', { kind: 'dropped' })).toBe(false)
    expect(await journal.settle('b', { kind: 'dropped' })).toBe(true)
  })

  it('never changes what is settled', async () => {
    await journal.claimNonce('a', 0)
    expect(await journal.settle('a', { kind: 'landed', mined })).toBe(true)
    const writes = [
      journal.settle('a', { kind: 'displaced', by: '0x9' }),
      journal.addAttempt('a', 0, attempt(1)),
      journal.noteMined('a', undefined),
      journal.close('a'),
    ]
    expect(await Promise.all(writes)).toEqual([false, false, false, false])
    expect((await journal.open(sender)).map(({ intent }) => intent.id)).toEqual(['b'])
  })

  it('knows no intent that it was not told of', async () => {
    await expect(journal.claimNonce('c', 0)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await journal.find('c')).toBeUndefined()
  })
})
