import { type Address, type Hex, numberToHex } from 'viem'
import type { RulesVersion } from '../../caveats/caveatKind.ts'
import { lineageKey } from '../../caveats/measure/frames.ts'
import { hashKey } from '../../caveats/metamask/balanceChange.ts'
import { type Dice, now } from '../../caveats/testing/cases.ts'
import { drawBudget, drawGas, drawTotals } from '../../caveats/testing/drawBudget.ts'
import { mappingSlot } from '../../caveats/testing/harness.ts'

/** Identifies the row that an enforcer reads and writes. */
export type RowOwner = {
  readonly manager: Address
  readonly delegator: Address
  readonly delegationHash: Hex
  readonly terms: Hex
  /** What the execution's first call moves. */
  readonly amount: bigint
  readonly golem: Hex
  readonly constitution: Hex
  /** The version of the enforcer. Default: 2. */
  readonly rules?: RulesVersion
}

type Slots = readonly (readonly [slot: Hex, value: bigint])[]

const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 })
const wordAt = (terms: Hex, byte: number): bigint =>
  BigInt(`0x${terms.slice(2 + 2 * byte, 66 + 2 * byte).padEnd(64, '0')}`)
const addressAt = (terms: Hex, byte: number): Hex =>
  `0x${terms.slice(2 + 2 * byte, 42 + 2 * byte).padEnd(40, '0')}`

/** An enforcer's state near its limits, as storage slots; often none. */
export function drawRows(name: string, dice: Dice, owner: RowOwner): Slots {
  const kind = name.replace(' of version 1', '')
  const draw = rows[name] ?? rows[kind]
  return draw && dice.once(3) ? draw(dice, { ...owner, rules: kind === name ? 2 : 1 }) : []
}

const byHash = ({ manager, delegationHash }: RowOwner) =>
  mappingSlot(delegationHash, mappingSlot(word(BigInt(manager)), 0n))
const byDelegator = ({ manager, delegator }: RowOwner) =>
  mappingSlot(word(BigInt(delegator)), mappingSlot(word(BigInt(manager)), 0n))
const behind = (slot: Hex, ...values: readonly bigint[]): Slots =>
  values.map((value, i) => [word(BigInt(slot) + BigInt(i)), value])
const around = (dice: Dice, value: bigint) => {
  const moved = value + BigInt(dice.pick(-1, 0, 1))
  return moved < 0n ? 0n : moved
}

const spentOf = (terms: number) => (dice: Dice, owner: RowOwner) => [
  [byHash(owner), around(dice, wordAt(owner.terms, terms) - owner.amount)] as const,
]

/** A period row, or a stream's: the signed values, and the usage. */
const usedOf =
  (at: number, words: 'period' | 'stream', slotOf = byHash) =>
  (dice: Dice, owner: RowOwner): Slots => {
    const signed = Array.from({ length: words === 'period' ? 3 : 4 }, (_, i) =>
      wordAt(owner.terms, at + 32 * i),
    )
    const [amount = 0n, length = 1n, start = 1n] = signed
    const period = now < start || length === 0n ? 0n : (now - start) / length + 1n
    const spent = around(dice, (words === 'period' ? amount : length) - owner.amount)
    return words === 'period'
      ? behind(slotOf(owner), ...signed, around(dice, period), spent)
      : behind(slotOf(owner), ...signed, spent)
  }

const locked = (key: (owner: RowOwner) => Hex) => (dice: Dice, owner: RowOwner) =>
  dice.once(4) ? [[mappingSlot(key(owner), 1n), 1n] as const] : []

const lineage = (owner: RowOwner) => lineageKey(owner, owner.golem)

const session = (dice: Dice) =>
  (now - dice.pick(0n, 999n, 1_000n, 5_000n)) | (BigInt(dice.pick(0, 5_000, 8_000)) << 40n)
const nonces = (owner: RowOwner, slot: bigint) =>
  mappingSlot(word(5n), mappingSlot(lineageKey(owner, owner.delegationHash), slot))

/** What the Cages of both versions store at the same slots. */
const cageRow = (dice: Dice, owner: RowOwner): Slots => [
  [lineage(owner), drawBudget(dice)],
  [mappingSlot(lineage(owner), 0n), session(dice)],
  [mappingSlot(owner.constitution, mappingSlot(lineage(owner), 1n)), BigInt(dice.pick(0, 10_000, 30_000))],
  [mappingSlot(lineage(owner), 2n), BigInt(dice.pick(0, 2, 3))],
  [mappingSlot(lineage(owner), 3n), BigInt(dice.pick(0, 3_000, 9_000))],
]

const rows: Readonly<Record<string, (dice: Dice, owner: RowOwner) => Slots>> = {
  LimitedCalls: (dice, owner) => [[byHash(owner), around(dice, wordAt(owner.terms, 0) - 1n)]],
  ERC20TransferAmount: spentOf(20),
  NativeTokenTransferAmount: spentOf(0),
  ERC20PeriodTransfer: usedOf(20, 'period'),
  NativeTokenPeriodTransfer: usedOf(0, 'period'),
  MultiTokenPeriod: usedOf(20, 'period', ({ manager, delegationHash, terms }) =>
    mappingSlot(hashKey(manager, addressAt(terms, 0), delegationHash, word(0n)), 0n),
  ),
  ERC20Streaming: usedOf(20, 'stream'),
  NativeTokenStreaming: usedOf(0, 'stream'),
  Nonce: (dice, owner) => [[byDelegator(owner), BigInt(dice.pick(0, 1, 2))]],
  Id: (dice, owner) => {
    const id = wordAt(owner.terms, 0)
    return [[mappingSlot(word(id >> 8n), byDelegator(owner)), dice.once(2) ? 1n << (id & 255n) : 2n]]
  },
  SpecificActionERC20TransferBatch: (dice, owner) => [[byHash(owner), BigInt(dice.below(2))]],
  NativeBalanceChange: locked(({ manager, delegationHash }) => hashKey(manager, delegationHash)),
  ERC20BalanceChange: locked(({ manager, delegationHash, terms }) =>
    hashKey(manager, addressAt(terms, 1), delegationHash),
  ),
  ERC721BalanceChange: locked(({ manager, delegationHash, terms }) =>
    hashKey(manager, addressAt(terms, 1), addressAt(terms, 21), delegationHash),
  ),
  ERC1155BalanceChange: locked(({ manager, delegationHash, terms }) =>
    hashKey(manager, addressAt(terms, 1), addressAt(terms, 21), word(wordAt(terms, 41)), delegationHash),
  ),
  Cadence: (dice, owner) => [
    [mappingSlot(lineage(owner), 0n), dice.pick(0n, now - 99n, now - 100n, now - 101n)],
  ],
  DailySpendLimit: (dice, owner) => [[mappingSlot(lineage(owner), 0n), drawBudget(dice)]],
  ReplicantBudget: (dice, owner) => [
    [mappingSlot(lineage(owner), 0n), BigInt(dice.pick(0, 3_000, 4_000, 9_000))],
  ],
  Threshold: (dice, owner) => [[nonces(owner, 0n), dice.once(4) ? 1n : 0n]],
  PolicyCage: (dice, owner) => [
    [mappingSlot(lineage(owner), 0n), session(dice)],
    [mappingSlot(owner.constitution, mappingSlot(lineage(owner), 1n)), BigInt(dice.pick(0, 10_000, 30_000))],
    [mappingSlot(lineage(owner), 2n), drawBudget(dice)],
  ],
  Cage: (dice, owner) => [
    ...cageRow(dice, owner),
    [mappingSlot(lineage(owner), 4n), drawGas(dice)],
    ...drawTotals(dice).map(
      ([period, total]) =>
        [mappingSlot(word(BigInt(period)), mappingSlot(lineage(owner), 5n)), total] as const,
    ),
    [nonces(owner, 6n), dice.once(4) ? 1n : 0n],
  ],
  'Cage of version 1': (dice, owner) => [
    ...cageRow(dice, owner),
    [nonces(owner, 4n), dice.once(4) ? 1n : 0n],
  ],
}
