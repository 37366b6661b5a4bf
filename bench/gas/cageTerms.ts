import { concat, encodePacked, type Hex } from 'viem'
import type { Bounds } from './bounds.ts'
import { encodeMandate, type Mandate } from './mandate.ts'

const everyClass = 0xfff
const everyMethod = 0x7ffff
const everyPair = 2n ** 64n - 1n

/** Terms of the Cage without optional sections. */
export function encodeCageTerms(bounds: Bounds, mandate: Mandate): Hex {
  const { golem, start, end, graceSeconds, mood, restrictedClasses } = bounds
  const { dayCents, slippageBps, cadenceSeconds, dollarsAtOnce } = bounds
  return concat([
    encodePacked(['uint8', 'uint8', 'bytes32', 'uint40', 'uint40'], [1, 0, golem, start, end]),
    encodePacked(
      ['uint16', 'uint24', 'uint64', 'uint32'],
      [everyClass, everyMethod, everyPair, graceSeconds],
    ),
    encodePacked(
      ['int8', 'int8', 'int8', 'uint16'],
      [mood.minPleasure, mood.maxArousal, mood.minDominance, restrictedClasses],
    ),
    encodePacked(
      ['uint32', 'uint16', 'uint16', 'uint32', 'uint32'],
      [dayCents, slippageBps, slippageBps, cadenceSeconds, 0],
    ),
    ...Array.from({ length: 5 }, () => encodePacked(['uint24'], [dollarsAtOnce])),
    encodePacked(['uint8'], [0]),
    encodeMandate(mandate),
  ])
}
