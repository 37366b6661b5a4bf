import { encodeFunctionData, encodePacked, erc20Abi, type Hex, parseAbi, zeroAddress, zeroHash } from 'viem'
import { type CageTerms, encodeCageTerms } from '../cage/cageTerms.ts'
import type { Execution, RulesVersion } from '../caveatKind.ts'
import type { Mandate } from '../terms/mandate.ts'
import { type Dice, drawMandate, now } from './cases.ts'
import { golem, newSections } from './drawTerms.ts'
import { players } from './harness.ts'
import { replayRandom } from './replayRandom.ts'

/** The focus of a case: a limit of version 2, close to its edge, with few other limits. */
export const focuses = [
  'drawing gas',
  'leaving a vault',
  'paying within totals',
  'closing while feeds are down',
] as const

export type Focus = (typeof focuses)[number]

type FocusedCase = { readonly mandate: Mandate; readonly terms: Hex; readonly execution: Execution }

const vaultAbi = parseAbi(['function redeem(uint256,address,address)'])
const { account, payee, redeemer, vault, tokens, feeds, sequencer } = players

/** A Cage with every section of its version and a payment: only the terms can refuse it. */
export function sectionedCage(rules: RulesVersion): FocusedCase {
  const dice = replayRandom({ seed: 1, throws: 0 })
  const mandate = focusedMandate(dice)
  const terms = encodeCageTerms({
    ...wideTerms(mandate),
    version: rules,
    classes: 4_095,
    sequencer,
    nav: { vault, bps: 1_000, capCents: 9_000n },
    life: { allowedCents: 1n, born: 0, lifespanSeconds: 1 },
    royalty: { author: payee, bps: 1 },
    constitution: golem,
    coSigners: { threshold: 1, keys: [payee] },
    ...(rules === 2 && {
      gas: { microEtherPerDay: 1n },
      totals: [{ periodSeconds: 0, cents: 1n }],
      floors: [{ vault, floor: 1n }],
    }),
  })
  return { mandate, terms, execution: focusedExecution(dice, 'paying within totals') }
}

/**
 * A Cage of version 2, its mandate, and an execution near the limit in question.
 *
 * @param constitution - an enacted one. It does not approve native currency.
 */
export function drawFocused(dice: Dice, focus: Focus, constitution: Hex): FocusedCase {
  const mandate = focusedMandate(dice)
  const isClosing = focus === 'closing while feeds are down'
  const terms = encodeCageTerms({
    ...wideTerms(mandate),
    classes: dice.once(9) ? 4_095 : 8_191,
    dayCents: dice.pick(4_000n, 9_000n, 20_000n, 2n ** 28n - 1n),
    cadenceSeconds: dice.pick(0, 0, 100, 5_000),
    calls: dice.pick(0, 0, 3),
    dollarsByPhase: [2 ** 24 - 1, 2 ** 24 - 1, 2 ** 24 - 1, 2 ** 24 - 1, dice.pick(0, 100)],
    ...newSections(dice),
    ...(isClosing && { sequencer, nav: { vault, bps: 1_000, capCents: 9_000n } }),
    ...(dice.once(4) && {
      life: { allowedCents: dice.pick(4_000n, 9_000n), born: 0, lifespanSeconds: 2 ** 32 - 1 },
    }),
    ...(focus === 'drawing gas' && dice.once(3) && { constitution }),
  })
  return { mandate, terms, execution: focusedExecution(dice, focus) }
}

/** Terms that refuse nothing. */
function wideTerms(mandate: Mandate): CageTerms {
  return {
    version: 2,
    golem,
    start: 0,
    end: Number(now) + 100,
    classes: 8_191,
    methods: 2 ** 19 - 1,
    pairs: 2n ** 64n - 1n,
    graceSeconds: 0,
    mood: { minPleasure: -128, maxArousal: 127, minDominance: -128 },
    restricted: 0,
    dayCents: 2n ** 28n - 1n,
    slippageBps: 10_000,
    spreadBps: 10_000,
    cadenceSeconds: 0,
    calls: 0,
    dollarsByPhase: [2 ** 24 - 1, 2 ** 24 - 1, 2 ** 24 - 1, 2 ** 24 - 1, 2 ** 24 - 1],
    settlement: 255,
    mandate,
  }
}

function focusedMandate(dice: Dice): Mandate {
  const priced = (place: number) =>
    dice.once(2)
      ? { feed: zeroAddress, maxAgeSeconds: 0 }
      : { feed: feeds[place] ?? zeroAddress, maxAgeSeconds: 3_600 }
  const [token = zeroAddress, other = zeroAddress] = tokens
  return {
    ...drawMandate(dice),
    assets: [
      { token, ...priced(0), scale: 14 },
      { token: other, ...priced(1), scale: 14 },
      ...(dice.once(9) ? [] : [{ token: zeroAddress, ...priced(2), scale: dice.pick(20, 26) }]),
    ],
    payees: dice.once(9) ? [payee, redeemer] : [payee],
  }
}

function focusedExecution(dice: Dice, focus: Focus): Execution {
  const [token = zeroAddress] = tokens
  const call = (target: Hex, value: bigint, data: Hex): Execution => ({
    mode: zeroHash,
    calldata: encodePacked(['address', 'uint256', 'bytes'], [target, value, data]),
  })
  if (focus === 'drawing gas') return call(redeemer, dice.pick(1n, 10n ** 12n, 10n ** 12n + 1n), '0x')
  if (focus === 'paying within totals') {
    const amount = BigInt(1 + dice.below(90)) * 1_000_000n
    return call(
      token,
      0n,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, amount] }),
    )
  }
  const shares = BigInt(1 + dice.below(90)) * 1_000_000n
  return call(
    vault,
    0n,
    encodeFunctionData({ abi: vaultAbi, functionName: 'redeem', args: [shares, account, account] }),
  )
}
