import { beforeEach, describe, expect, it } from 'vitest'
import type { Attempt, Intent, Journal, Mined } from '../journal.ts'

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

/** The contract of every journal, whatever its storage. `open` returns an empty one. */
export function describeJournal(name: string, open: () => Journal | Promise<Journal>) {
  describe(name, () => {
    let journal: Journal
    beforeEach(async () => {
      journal = await open()
      await journal.addIntent(intent('a'), 1)
      await journal.addIntent(intent('b'), 2)
    })

    it('accepts an id once', async () => {
      expect(await journal.addIntent({ ...intent('a'), value: 9n }, 3)).toBe(false)
      expect((await journal.find('a'))?.intent.value).toBe(0n)
    })

    it('gives a nonce to one intent only, under concurrent claims', async () => {
      const claims = await Promise.all(['a', 'b'].map((id) => journal.claimNonce(id, 5)))
      const [winner, loser] = claims[0] ? ['a', 'b'] : ['b', 'a']
      expect(claims.filter((won) => won)).toHaveLength(1)
      expect(await journal.claimNonce(winner, 6)).toBe(false)
      expect(await journal.claimNonce(loser, 6)).toBe(true)
      expect(await journal.highestNonce({ ...sender, from: from.toLowerCase() as typeof from })).toBe(6)
      expect((await journal.open(sender)).map(({ nonce }) => nonce)).toEqual([5, 6])
    })

    it('lets one of two signers add the next attempt, and only with a nonce', async () => {
      expect(await journal.addAttempt('a', 0, attempt(1))).toBe(false)
      await journal.claimNonce('a', 0)
      expect(await journal.addAttempt('a', 0, attempt(1))).toBe(true)
      expect(await journal.addAttempt('a', 0, attempt(2))).toBe(false)
      expect(await journal.addAttempt('a', 1, attempt(2))).toBe(true)
    })

    it('accepts no attempt for an intent that is closing', async () => {
      await journal.claimNonce('a', 0)
      expect(await journal.close('a')).toBe(true)
      expect(await journal.close('a')).toBe(false)
      expect(await journal.addAttempt('a', 0, attempt(1))).toBe(false)
      expect(await journal.addAttempt('a', 0, attempt(1, 'close'))).toBe(true)
      await journal.close('b')
      expect(await journal.claimNonce('b', 1)).toBe(false)
    })

    it('drops only intents without a nonce', async () => {
      await journal.claimNonce('a', 0)
      expect(await journal.settle('a', { kind: 'dropped' })).toBe(false)
      expect(await journal.settle('b', { kind: 'dropped' })).toBe(true)
    })

    it('does not change a settled intent', async () => {
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

    it('reopens only settled intents that have a nonce', async () => {
      await journal.claimNonce('a', 0)
      await journal.addAttempt('a', 0, attempt(1))
      expect(await journal.reopen('a', false)).toBe(false)
      await journal.settle('a', { kind: 'landed', mined })
      expect(await journal.reopen('a', false)).toBe(true)
      const undone = { kind: 'landed', mined } as const
      expect(await journal.find('a')).toMatchObject({
        settlement: undefined,
        undone,
        closing: false,
        nonce: 0,
      })
      expect(await journal.addAttempt('a', 1, attempt(2))).toBe(true)
      await journal.settle('a', { kind: 'displaced', by: '0x9' })
      expect((await journal.find('a'))?.undone).toEqual(undone)
      expect(await journal.reopen('a', true)).toBe(true)
      expect((await journal.find('a'))?.undone).toEqual({ kind: 'displaced', by: '0x9' })
      expect(await journal.addAttempt('a', 2, attempt(3))).toBe(false)
      expect(await journal.addAttempt('a', 2, attempt(3, 'close'))).toBe(true)
      await journal.settle('b', { kind: 'dropped' })
      expect(await journal.reopen('b', false)).toBe(false)
    })

    it('lists a sender’s intents from a nonce, settled or not', async () => {
      await journal.claimNonce('a', 4)
      await journal.claimNonce('b', 3)
      await journal.settle('a', { kind: 'landed', mined })
      const ids = async (nonce: number) => (await journal.from(sender, nonce)).map(({ intent }) => intent.id)
      expect(await ids(3)).toEqual(['b', 'a'])
      expect(await ids(4)).toEqual(['a'])
      expect(await ids(5)).toEqual([])
      expect(await journal.from({ ...sender, chainId: 2 }, 0)).toEqual([])
    })

    it('has no record of an unknown intent', async () => {
      await expect(journal.claimNonce('c', 0)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
      expect(await journal.find('c')).toBeUndefined()
    })

    it('returns exactly what was stored', async () => {
      const large = 2n ** 256n - 1n
      const wish: Intent = { ...intent('c'), value: large, data: '0xdeadbeef', gas: 2n ** 63n, expiresAt: 9 }
      const signed: Attempt = { ...attempt(1), maxFeePerGas: large, maxPriorityFeePerGas: 2n ** 64n }
      const seen: Mined = { ...mined, blockNumber: 2n ** 60n }
      await journal.addIntent(wish, 3)
      await journal.claimNonce('c', 0)
      await journal.addAttempt('c', 0, signed)
      await journal.noteMined('c', seen)
      const record = { intent: wish, addedAt: 3, nonce: 0, attempts: [signed], closing: false, mined: seen }
      expect(await journal.find('c')).toEqual({ ...record, settlement: undefined, undone: undefined })
      await journal.noteMined('c', undefined)
      await journal.settle('c', { kind: 'displaced', by: undefined })
      expect(await journal.find('c')).toEqual({
        ...record,
        mined: undefined,
        settlement: { kind: 'displaced', by: undefined },
      })
    })

    it('counts nonces per sender and chain', async () => {
      await journal.addIntent({ ...intent('other chain'), chainId: 2 }, 3)
      await journal.addIntent(
        { ...intent('other key'), from: '0x00000000000000000000000000000000000000Bb' },
        3,
      )
      for (const id of ['a', 'other chain', 'other key']) expect(await journal.claimNonce(id, 7)).toBe(true)
      expect(await journal.highestNonce({ ...sender, chainId: 3 })).toBeUndefined()
      expect((await journal.open({ ...sender, chainId: 2 })).map(({ intent }) => intent.id)).toEqual([
        'other chain',
      ])
    })

    it('lets exactly one of many callers make each change', async () => {
      const winners = async (writes: readonly Promise<boolean>[]) =>
        (await Promise.all(writes)).filter((won) => won).length
      const many = Array.from({ length: 20 }, (_, index) => index)
      expect(await winners(many.map((n) => journal.addIntent({ ...intent('c'), value: BigInt(n) }, n)))).toBe(
        1,
      )
      expect(await winners(many.map((n) => journal.claimNonce('c', n)))).toBe(1)
      expect(await winners(many.map((n) => journal.addAttempt('c', 0, attempt(n))))).toBe(1)
      expect(await winners(many.map(() => journal.close('c')))).toBe(1)
      expect(await winners(many.map(() => journal.settle('c', { kind: 'closed', mined })))).toBe(1)
      expect((await journal.find('c'))?.attempts).toHaveLength(1)
    })

    it('never both drops an intent and gives it a nonce', async () => {
      for (let round = 0; round < 20; round += 1) {
        const id = `race ${round}`
        await journal.addIntent(intent(id), round)
        const both = [journal.claimNonce(id, round), journal.settle(id, { kind: 'dropped' })]
        expect((await Promise.all(both)).filter((won) => won)).toHaveLength(1)
      }
    })
  })
}
