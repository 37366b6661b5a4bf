import { leastOf } from '../leastOf.ts'
import type { Capability, Evidence, PermissionPlan } from '../permissionPlan.ts'
import {
  bridgeDayCents,
  defaultRunwayCents,
  gasDayWei,
  longestRunwaySeconds,
  longestStrategyChars,
  mostEvidence,
  mostRunwayCents,
} from '../planLimits.ts'
import { assetReader, commonAssets } from './assets.ts'
import { buildPlan } from './buildPlan.ts'
import { readDeclarations } from './readDeclarations.ts'
import { type Ambiguity, capabilityNames, readSentence } from './readSentence.ts'
import { readSentences } from './readSentences.ts'
import { settleAsks } from './settleAsks.ts'

/** What became of a capability that the text speaks of. */
export type CapabilityFinding = {
  readonly capability: Capability
  /** `unclear`: it is asked for, but not well enough to grant it. */
  readonly status: 'granted' | 'forbidden' | 'notSupported' | 'unclear'
  readonly because: readonly Evidence[]
}

/** What the Golem asks its owner's wallet for, to live on. Amounts for one day. */
export type RunwayPlan = {
  readonly usdcCentsPerDay: bigint
  readonly gasWeiPerDay: bigint
  readonly expiry: bigint
  readonly because: readonly Evidence[]
}

/** A strategy's least authority, the reasons for it, and every place where the text left a choice. */
export type CompiledStrategy = {
  readonly plan: PermissionPlan
  /** Nothing is asked for a Golem that may do nothing. */
  readonly runway: RunwayPlan | undefined
  readonly capabilities: readonly CapabilityFinding[]
  readonly ambiguities: readonly Ambiguity[]
}

/** What the compiler is told beside the text. */
export type CompileOptions = {
  /** Unix seconds. */
  readonly now: bigint
  /** Symbols that may be granted; the common ones if none are given. */
  readonly symbols?: readonly string[]
}

/**
 * Turns STRATEGY.md into the least authority that it asks for. Never throws and never guesses wider: what is negated,
 * undecided, quoted or unclear is not granted, and the places are listed.
 *
 * @example
 * compileStrategy('DCA $20 of USDC into WETH every week.', { now: 1_800_000_000n }).plan.pairs // [{ from: 'USDC', to: 'WETH' }]
 */
export function compileStrategy(
  text: string,
  { now, symbols = commonAssets }: CompileOptions,
): CompiledStrategy {
  const ambiguities: Ambiguity[] = []
  const whole = (question: string) => ambiguities.push({ line: 1, sentence: '', question })
  // One character may stand for eighteen.
  const tooLong = text.length > longestStrategyChars || text.normalize('NFKD').length > longestStrategyChars
  if (tooLong)
    whole(
      `The text is longer than ${longestStrategyChars} characters and was not read. What is the strategy?`,
    )
  const assets = assetReader(symbols)
  const { sentences, unclosed } = readSentences(tooLong ? '' : text)
  if (unclosed !== undefined) {
    const question = 'A code block or comment opens here and never ends. What follows can forbid, not ask.'
    ambiguities.push({ line: unclosed, sentence: '', question })
  }
  const readings = sentences.map((sentence) => readSentence(sentence, assets))
  for (const reading of readings) ambiguities.push(...reading.ambiguities)
  const declared = readDeclarations(sentences, assets, ambiguities)
  const asked = readings.flatMap(({ asks }) => asks)
  const denials = readings.flatMap((reading) => reading.denials)
  const settled = settleAsks(asked, denials, declared, ambiguities)
  const limits = readings.flatMap((reading) => reading.limits)
  const plan = buildPlan(settled, declared, limits, now, ambiguities)

  if (sentences.length === 0 && !tooLong) whole('The text says nothing. What should the Golem do?')
  else if (asked.length === 0 && !tooLong) {
    whole(
      'No sentence asks for anything that Bardo knows. Write it in English, as in "swap USDC to WETH every week".',
    )
  }
  return {
    plan,
    runway: plan.classes.length === 0 ? undefined : runwayOf(plan, declared.runwayCents, now, ambiguities),
    capabilities: findings(asked, settled.grants, denials, ambiguities),
    ambiguities,
  }
}

function runwayOf(
  plan: PermissionPlan,
  stated: { readonly value: bigint; readonly from: Evidence } | undefined,
  now: bigint,
  ambiguities: Ambiguity[],
): RunwayPlan {
  const wanted = stated?.value ?? defaultRunwayCents
  if (stated && wanted > mostRunwayCents) {
    ambiguities.push({
      ...stated.from,
      question: 'More than 100 USDC a day needs the owner’s own word. 100 was taken.',
    })
  }
  const latest = now + BigInt(longestRunwaySeconds)
  return {
    usdcCentsPerDay: leastOf(wanted, mostRunwayCents),
    gasWeiPerDay: gasDayWei,
    expiry: leastOf(plan.window.end, latest),
    because: stated ? [stated.from] : [],
  }
}

type Told = { readonly capability: Capability | undefined; readonly from: Evidence }

function findings(
  asked: readonly Told[],
  granted: readonly Told[],
  denials: readonly Told[],
  ambiguities: Ambiguity[],
): CapabilityFinding[] {
  return (Object.keys(capabilityNames) as Capability[]).flatMap((capability): CapabilityFinding[] => {
    const of = (list: readonly Told[]) => {
      const because: Evidence[] = []
      for (const told of list) {
        if (because.length === mostEvidence) break
        if (told.capability === capability) because.push(told.from)
      }
      return because
    }
    const [asks, grants, forbids] = [of(asked), of(granted), of(denials)]
    if (
      asks.length > 0 &&
      (capability === 'Bridge' || capability === 'LimitOrders') &&
      forbids.length === 0
    ) {
      const [first] = asks
      const extra =
        capability === 'Bridge' ? ` The $${bridgeDayCents / 100n} a day for it were not added.` : ''
      const question = `To ${capabilityNames[capability]} is not supported, and not granted.${extra} Can the strategy do without?`
      if (first) ambiguities.push({ ...first, question })
      return [{ capability, status: 'notSupported', because: asks }]
    }
    if (grants.length > 0) return [{ capability, status: 'granted', because: grants }]
    if (forbids.length > 0) return [{ capability, status: 'forbidden', because: forbids }]
    return asks.length > 0 ? [{ capability, status: 'unclear', because: asks }] : []
  })
}
