import { type Address, type Hex, numberToHex } from 'viem'
import type { bardoCaveats } from '../bardoCaveats.ts'
import type { CageTerms } from '../cage/cageTerms.ts'
import { encodeCageTerms } from '../cage/cageTerms.ts'
import type { RulesVersion } from '../caveatKind.ts'
import { digitsOf } from '../execution/digits.ts'
import { encodeMandate, type Mandate } from '../terms/mandate.ts'
import { packed, signedByte } from '../terms/packed.ts'
import { encodeCoSigners } from '../threshold.ts'
import { type Dice, now } from './cases.ts'
import { players } from './harness.ts'

/** The Golem, and the lineage, of every case. */
export const golem: Hex = numberToHex(1, { size: 32 })

/** Terms near their limits, encoded without a check whether an enforcer accepts them. */
export const drawTerms = {
  golemPhase: (dice, mandate) => join(packed([32, golem], [4, grace(dice)], [1, settlement(dice)]), mandate),
  mortalityTimeWindow: (dice) => packed([5, dice.near(now)], [5, dice.near(now)]),
  dreamMode: () => golem,
  vaultNAV: (dice, mandate) =>
    join(
      packed([20, players.vault], [2, bps(dice, 1_000)], [5, dice.pick(4_000, 10_000, 2 ** 40 - 1)]),
      mandate,
    ),
  replicantBudget: (dice, mandate) =>
    join(
      packed([32, golem], [5, spendable(dice)], [5, dice.near(now - 2n)], [4, dice.pick(0, 2, 100)]),
      mandate,
    ),
  maxSlippage: (dice, mandate) => join(packed([2, bps(dice, 5_000)], [2, bps(dice, 100)]), mandate),
  dailySpendLimit: (dice, mandate) => join(packed([32, golem], [4, dayCents(dice)]), mandate),
  emotionalState: (dice, mandate) =>
    join(
      packed(
        [32, golem],
        ...mood(dice),
        [2, dice.pick(1, 2, 64, 4_095, 0, 4_096, 8_192)],
        [1, settlement(dice)],
      ),
      mandate,
    ),
  knowledgeRoyalty: (dice, mandate) =>
    join(packed([20, dice.once(20) ? `0x${'0'.repeat(40)}` : players.author], [2, bps(dice, 500)]), mandate),
  policyCage: (_, mandate, { constitution }) => join(packed([32, constitution], [32, golem]), mandate),
  cadence: (dice) => packed([32, golem], [4, dice.once(9) ? 0 : dice.near(100n)]),
  threshold: (dice, _, { keys }) => encodeCoSigners({ threshold: dice.pick(1, 2, 2, 3, 0, 9), keys }),
  cage: (dice, mandate, drawn) => encodeCageTerms(cageTerms(dice, mandate, drawn)),
} as const satisfies Record<DrawnKind, (dice: Dice, mandate: Mandate, drawn: Drawn) => Hex>

/** Every kind in the list of caveats: one without a term generator does not compile. */
export type DrawnKind = keyof typeof bardoCaveats

export type Drawn = {
  readonly constitution: Hex
  readonly keys: readonly Address[]
  /** Default: 2. */
  readonly rules?: RulesVersion | undefined
}

const join = (head: Hex, mandate: Mandate): Hex => `${head}${digitsOf(encodeMandate(mandate))}`
const settlement = (dice: Dice) => (dice.once(15) ? 7 : dice.pick(0, 1, 255))
const grace = (dice: Dice) => dice.pick(0, 600, 0, 1)
const bps = (dice: Dice, usual: number) => (dice.once(12) ? dice.pick(0, 10_000, 10_001) : usual)
const dayCents = (dice: Dice) =>
  dice.once(15) ? dice.pick(2 ** 28 - 1, 2 ** 28) : dice.pick(4_000, 9_000, 20_000, 0)
const spendable = (dice: Dice) => dice.pick(4_000, 9_000, 20_000, 0)
const mood = (dice: Dice) => [0, 1, 2].map(() => signedByte(dice.pick(0, -1, 1, -128, 127)))

function cageTerms(dice: Dice, mandate: Mandate, { constitution, keys, rules = 2 }: Drawn): CageTerms {
  const [minPleasure, maxArousal, minDominance] = [dice.pick(-128, 0), dice.pick(127, 0), dice.pick(-128, 0)]
  // Sections matter only if the other limits leave room.
  const isRoomy = dice.once(2)
  const size = () => (isRoomy ? 2 ** 24 - 1 : dice.pick(2 ** 24 - 1, 100, 40, 0))
  const classes = rules === 1 ? 4_095 : 8_191
  return {
    version: rules,
    golem,
    start: Number(dice.once(12) ? dice.near(now) : 0n),
    end: Number(dice.once(12) ? dice.near(now) : now + 100n),
    classes: dice.once(6) ? dice.below(classes + 2) : classes,
    methods: dice.once(6) ? dice.below(2 ** 19 + 1) : 2 ** 19 - 1,
    pairs: dice.once(6) ? BigInt(dice.below(2 ** 20)) : 2n ** 64n - 1n,
    graceSeconds: isRoomy ? 0 : grace(dice),
    mood: { minPleasure, maxArousal, minDominance },
    restricted: dice.pick(0, 0, 1, 64, classes),
    dayCents: isRoomy ? 2n ** 28n - 1n : BigInt(dayCents(dice)),
    slippageBps: isRoomy ? 10_000 : bps(dice, 9_000),
    spreadBps: bps(dice, 100),
    cadenceSeconds: dice.pick(0, 0, 99, 100, 101),
    calls: dice.pick(0, 0, 3, 4),
    dollarsByPhase: [size(), size(), size(), size(), size()],
    settlement: settlement(dice),
    mandate,
    ...(dice.once(5) && { sequencer: players.sequencer }),
    ...(dice.once(3) && { nav: { vault: players.vault, bps: bps(dice, 1_000), capCents: 9_000n } }),
    ...(dice.once(3) && {
      life: {
        allowedCents: BigInt(spendable(dice)),
        born: Number(dice.near(now - 2n)),
        lifespanSeconds: 100,
      },
    }),
    ...(dice.once(2) && { royalty: { author: players.author, bps: bps(dice, 500) } }),
    ...(dice.once(3) && { constitution }),
    ...(rules === 2 && newSections(dice)),
    ...(dice.once(6) && { coSigners: { threshold: dice.pick(1, 2, 3), keys } }),
  }
}

/** The periods for which rows are drawn. */
export const totalPeriods = [0, 86_400, 604_800]

/** The sections of version 2; sometimes with invalid values. */
export function newSections(dice: Dice): Pick<CageTerms, 'gas' | 'totals' | 'floors'> {
  const floor = () =>
    dice.once(15) ? dice.pick(0n, 2n ** 128n - 1n) : dice.pick(10n ** 18n, 5n * 10n ** 17n)
  const periods = dice.once(20)
    ? [dice.pick(86_399, 86_401, 0), 86_400]
    : totalPeriods.filter(() => dice.once(2))
  const floors = [players.vault, players.otherVault]
    .filter(() => dice.once(2))
    .map((vault) => ({ vault, floor: floor() }))
  return {
    ...(!dice.once(3) && {
      gas: { microEtherPerDay: dice.once(15) ? 0n : dice.pick(1n, 2n, 3n, 2n ** 28n - 1n) },
    }),
    ...((periods.length > 0 || dice.once(20)) && {
      totals: periods.map((periodSeconds) => ({
        periodSeconds,
        cents: dice.once(15) ? dice.pick(0n, 2n ** 28n) : dice.pick(4_000n, 9_000n, 20_000n),
      })),
    }),
    ...((floors.length > 0 || dice.once(20)) && { floors: dice.once(15) ? floors.toReversed() : floors }),
  }
}
