import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  availableOf,
  budgetWarning,
  land,
  openBudget,
  reconcile,
  release,
  reserve,
  type SessionBudget,
} from './sessionBudget.ts'

const fresh = openBudget(1_000n, { left: 1_000n, block: 10n })

describe('a session budget', () => {
  it('counts pending operations, once each', () => {
    const once = reserve(fresh, 'a', 300n)
    expect(availableOf(once)).toBe(700n)
    expect(reserve(once, 'a', 300n)).toBe(once)
    expect(once.operations).toBe(1)
    expect(() => reserve(once, 'a', 301n)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => reserve(once, 'b', 701n)).toThrow(expect.objectContaining({ code: 'SPEND_LIMIT_EXCEEDED' }))
    expect(availableOf(release(once, 'a'))).toBe(1_000n)
  })

  it('keeps a landed operation until a chain reading includes it', () => {
    const landed = land(reserve(fresh, 'a', 300n), 'a', 250n, 12n)
    expect(availableOf(landed)).toBe(750n)
    expect(availableOf(reconcile(landed, { left: 1_000n, block: 11n }))).toBe(750n)
    expect(availableOf(reconcile(landed, { left: 750n, block: 12n }))).toBe(750n)
  })

  it('drops a landed operation at once if the reading already includes it', () => {
    const read = reconcile(reserve(fresh, 'a', 300n), { left: 750n, block: 12n })
    expect(availableOf(read)).toBe(450n)
    expect(availableOf(land(read, 'a', 250n, 12n))).toBe(750n)
  })

  it('does not release a landed operation', () => {
    const landed = land(reserve(fresh, 'a', 300n), 'a', 250n, 12n)
    expect(release(landed, 'a')).toBe(landed)
  })

  it('ignores an older chain reading', () => {
    expect(reconcile(fresh, { left: 5_000n, block: 9n })).toBe(fresh)
  })

  it('accepts any id for an operation', () => {
    const odd = reserve(reserve(fresh, '__proto__', 100n), 'toString', 100n)
    expect(availableOf(odd)).toBe(800n)
    expect(availableOf(release(odd, '__proto__'))).toBe(900n)
  })

  it('warns below a fifth', () => {
    expect(budgetWarning(reserve(fresh, 'a', 800n), 50n)).toBeUndefined()
    expect(budgetWarning(reserve(fresh, 'a', 801n), 50n)).toEqual({
      name: 'sessionKey.budgetWarning',
      remainingBps: 1_990,
      estimatedOperationsLeft: 3n,
    })
  })

  it('never allows what the chain would refuse, and converges to the chain', () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('reserve' as const), amount: fc.bigInt({ min: 0n, max: 400n }) }),
      fc.record({ do: fc.constant('include' as const), pick: fc.nat(), share: fc.nat(100) }),
      fc.record({ do: fc.constant('hear' as const), pick: fc.nat() }),
      fc.record({ do: fc.constant('drop' as const), pick: fc.nat() }),
      fc.record({ do: fc.constant('read' as const), age: fc.nat(3) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const world = new World()
        for (const one of actions) {
          if (one.do === 'reserve') world.reserve(one.amount)
          if (one.do === 'include') world.include(one.pick, one.share)
          if (one.do === 'hear') world.hear(one.pick)
          if (one.do === 'drop') world.drop(one.pick)
          if (one.do === 'read') world.read(one.age)
          world.check()
        }
        world.rest()
      }),
    )
  })
})

/** A chain with a budget, and a process that receives updates late, out of order, or twice. */
class World {
  budget: SessionBudget = openBudget(1_000n, { left: 1_000n, block: 0n })
  left = [1_000n]
  flying: { id: string; amount: bigint }[] = []
  landed: { id: string; spent: bigint; block: bigint }[] = []
  made = 0

  reserve(amount: bigint) {
    if (amount > availableOf(this.budget)) return
    const id = `${this.made++}`
    this.budget = reserve(this.budget, id, amount)
    this.flying.push({ id, amount })
  }
  include(pick: number, share: number) {
    const [operation] = this.flying.splice(pick % (this.flying.length || 1), 1)
    if (!operation) return
    const spent = (operation.amount * BigInt(share)) / 100n
    this.left.push((this.left.at(-1) ?? 0n) - spent)
    this.landed.push({ id: operation.id, spent, block: BigInt(this.left.length - 1) })
  }
  hear(pick: number) {
    const news = this.landed[pick % (this.landed.length || 1)]
    if (news) this.budget = land(this.budget, news.id, news.spent, news.block)
  }
  drop(pick: number) {
    const [operation] = this.flying.splice(pick % (this.flying.length || 1), 1)
    if (operation) this.budget = release(this.budget, operation.id)
  }
  read(age: number) {
    const block = Math.max(0, this.left.length - 1 - age)
    this.budget = reconcile(this.budget, { left: this.left[block] ?? 0n, block: BigInt(block) })
  }
  check() {
    const truth = this.left.at(-1) ?? 0n
    const onTheWay = this.flying.reduce((sum, { amount }) => sum + amount, 0n)
    expect(availableOf(this.budget) <= this.budget.reading.left).toBe(true)
    // The chain accepts everything that it would still reserve, together with pending operations.
    expect(availableOf(this.budget) + onTheWay <= truth).toBe(true)
  }
  /** After all updates nothing is lost and nothing is counted twice. */
  rest() {
    for (const _ of [...this.flying]) this.drop(0)
    for (const index of this.landed.keys()) this.hear(index)
    this.read(0)
    expect(availableOf(this.budget)).toBe(this.left.at(-1))
    expect(this.budget.operations).toBe(this.made)
    expect(this.budget.reservations).toEqual({})
  }
}
