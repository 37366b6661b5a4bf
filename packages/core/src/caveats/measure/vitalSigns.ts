import type { Address, Hex } from 'viem'
import type { ChainState } from '../caveatKind.ts'
import { digitsOf } from '../execution/digits.ts'
import { signed8 } from '../terms/packed.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { askWord } from '../verdict/staticRead.ts'

/** A Golem's row, in the layout of VitalSigns.sol. */
export type VitalSigns = {
  readonly phase: number
  readonly lastUpdate: bigint
  readonly pleasure: number
  readonly arousal: number
  readonly dominance: number
  readonly isAlive: boolean
  readonly isDreaming: boolean
}

/** The emotional state that restricted classes require. Each value is between -128 and 127. */
export type Mood = {
  readonly minPleasure: number
  readonly maxArousal: number
  readonly minDominance: number
}

const alive = 1
const dreaming = 2
const terminal = 4

function vitalSignsOf(word: bigint): VitalSigns {
  // The upper 32 bits as a number: four bytes, each checked.
  const upper = Number(word >> 224n)
  return {
    phase: Number(BigInt.asUintN(8, word >> 160n)),
    lastUpdate: BigInt.asUintN(40, word >> 184n),
    pleasure: signed8(upper & 0xff),
    arousal: signed8((upper >>> 8) & 0xff),
    dominance: signed8((upper >>> 16) & 0xff),
    isAlive: ((upper >>> 24) & alive) !== 0,
    isDreaming: ((upper >>> 24) & dreaming) !== 0,
  }
}

/** The Golem's row; refuses a Golem that is not registered or is dead. */
export function requireAlive(chain: ChainState, vitals: Address, golem: Hex): VitalSigns {
  const signs = vitalSignsOf(askWord(chain, questions.vitalsOf(vitals, digitsOf(golem))))
  return signs.isAlive ? signs : refuse('GolemNotAlive', golem)
}

export function requireAliveAndAwake(chain: ChainState, vitals: Address, golem: Hex): VitalSigns {
  const signs = requireAlive(chain, vitals, golem)
  return signs.isDreaming ? refuse('GolemDreaming', golem) : signs
}

/** The effective phase: each full grace period without a heartbeat moves the Golem one phase further. */
export function effectivePhase({ phase, lastUpdate }: VitalSigns, now: bigint, graceSeconds: number): number {
  if (graceSeconds === 0 || now <= lastUpdate) return phase
  const effective = BigInt(phase) + (now - lastUpdate) / BigInt(graceSeconds)
  return effective > BigInt(terminal) ? terminal : Number(effective)
}

export function requireMood(signs: VitalSigns, { minPleasure, maxArousal, minDominance }: Mood): void {
  const { pleasure, arousal, dominance } = signs
  if (pleasure < minPleasure || arousal > maxArousal || dominance < minDominance)
    refuse('MoodOutOfBounds', pleasure, arousal, dominance)
}
