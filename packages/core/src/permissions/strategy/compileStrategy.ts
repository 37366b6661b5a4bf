import { leastOf } from '../leastOf.ts'
import type { Capability, Evidence, PermissionPlan, PlanPair } from '../permissionPlan.ts'
import {
  bridgeDayCents,
  defaultRunwayCents,
  gasDayWei,
  longestRunwaySeconds,
  longestStrategyChars,
  mostEvidence,
  mostRunwayCents,
  supportedCapabilities,
} from '../planLimits.ts'
import { assetReader, commonAssets } from './assets.ts'
import { buildPlan } from './buildPlan.ts'
import { type CoSignerReading, readCoSigners } from './readCoSigners.ts'
import { readDeclarations } from './readDeclarations.ts'
import { type LiquidityRules, readLiquidity } from './readLiquidity.ts'
import { type ReplicantLimits, readReplicants, replicantTopic } from './readReplicants.ts'
import type { StatedRules } from './readRules.ts'
import { type Ambiguity, capabilityNames, readSentence, type SentenceReading } from './readSentence.ts'
import { readSentences } from './readSentences.ts'
import { readWindDown } from './readWindDown.ts'
import { settleAsks } from './settleAsks.ts'
import { settleConstitution } from './settleConstitution.ts'

/** The result for a capability that the text mentions. */
export type CapabilityFinding = {
  readonly capability: Capability
  /** `unclear`: requested, but not clearly enough to grant it. */
  readonly status: 'granted' | 'forbidden' | 'notSupported' | 'unclear'
  readonly because: readonly Evidence[]
}

/** The runway that the Golem requests from its owner's wallet. Amounts per day. */
export type RunwayPlan = {
  readonly usdcCentsPerDay: bigint
  readonly gasWeiPerDay: bigint
  readonly expiry: bigint
  readonly because: readonly Evidence[]
}

/** A strategy's least authority, its reasons, and every ambiguity of the text. */
export type CompiledStrategy = {
  readonly plan: PermissionPlan
  /** Undefined for a Golem that may do nothing. */
  readonly runway: RunwayPlan | undefined
  /** Undefined for a Golem that may not have Replicants. */
  readonly replicants: ReplicantLimits | undefined
  /** How it manages liquidity; undefined for a Golem that may not provide any. */
  readonly liquidity: LiquidityRules | undefined
  /** The sales that it makes only when it winds down. */
  readonly windDown: readonly PlanPair[]
  readonly capabilities: readonly CapabilityFinding[]
  /** Every place that was not granted, not signed, read at its narrowest, or should be checked. */
  readonly ambiguities: readonly Ambiguity[]
  /** Sentences without any effect. */
  readonly setNothing: readonly Evidence[]
}

/** Options of {@link compileStrategy}. */
export type CompileOptions = {
  /** Unix seconds. */
  readonly now: bigint
  /** Symbols that may be granted. Default: the common ones. */
  readonly symbols?: readonly string[]
  /** Capabilities that may be granted. Default: {@link supportedCapabilities}. */
  readonly supported?: ReadonlySet<Capability>
  /** Rules of a constitution from elsewhere, such as golem.toml. They can only narrow. */
  readonly constitution?: StatedRules | undefined
}

/**
 * Compiles STRATEGY.md into the least authority that it requests. Never throws and never widens: what is
 * negated, undecided, quoted or unclear is not granted, and is listed.
 *
 * @example
 * compileStrategy('DCA $20 of USDC into WETH every week.', { now: 1_800_000_000n }).plan.pairs // [{ from:
 * 'USDC', to: 'WETH' }]
 */
export function compileStrategy(text: string, options: CompileOptions): CompiledStrategy {
  // A caller without types may omit them: a time of zero grants only a window that has passed.
  const { now = 0n, symbols = commonAssets, supported = supportedCapabilities } = options ?? {}
  const ambiguities: Ambiguity[] = []
  const whole = (question: string) =>
    ambiguities.push({ line: 1, sentence: '', question, outcome: 'notGranted' })
  // One character may expand to eighteen.
  const tooLong =
    text.length > longestStrategyChars ||
    (18 * text.length > longestStrategyChars && text.normalize('NFKD').length > longestStrategyChars)
  if (tooLong)
    whole(`The text is longer than ${longestStrategyChars} characters and was not read. Shorten it.`)
  const assets = assetReader(symbols)
  const { sentences, unclosed } = readSentences(tooLong ? '' : text)
  if (unclosed !== undefined) {
    const question =
      'A code block or comment starts here and is not closed. The text after it can forbid, but not request.'
    ambiguities.push({ line: unclosed, sentence: '', question, outcome: 'notGranted' })
  }
  const readings = sentences.map((sentence) => readSentence(sentence, assets))
  for (const reading of readings) ambiguities.push(...reading.ambiguities)
  const declared = readDeclarations(sentences, assets, ambiguities)
  const asked = readings.flatMap(({ asks }) => asks)
  const denials = readings.flatMap((reading) => reading.denials)
  const settled = settleAsks(asked, denials, declared, supported, ambiguities)
  const bounds = {
    asks: asked.filter(({ capability }) => supported.has(capability)),
    declared,
    limits: readings.flatMap((reading) => reading.limits),
    counts: readings.flatMap((reading) => reading.counts),
    shares: readings.flatMap((reading) => reading.shares),
    stated: readings.flatMap((reading) => reading.stated),
  }
  const coSigners = readCoSigners(sentences, ambiguities)
  const granted = coSigners.isUnreadable ? { ...settled, grants: [] } : settled
  const rules = readings.flatMap((reading) => reading.rules)
  const plan = settleConstitution(
    withCoSigners(buildPlan(granted, bounds, now, ambiguities), coSigners),
    options?.constitution ? [...rules, options.constitution] : rules,
    ambiguities,
  )
  const spawns = granted.grants.flatMap(({ capability, from }) =>
    capability === 'SpawnReplicants' ? [from] : [],
  )
  const replicants = readReplicants(sentences, spawns, plan.dayCents, ambiguities)
  const liquidity = readLiquidity(sentences, granted.grants, ambiguities)
  const windDown = readWindDown(granted, ambiguities)
  const [first] = spawns
  if (first && spawns.length === granted.grants.length) {
    const question = 'A Replicant gets a part of what this Golem may do, and this Golem may do nothing else.'
    ambiguities.push({ ...first, question, outcome: 'check' })
  }

  if (sentences.length === 0 && !tooLong) whole('The text is empty. What should the Golem do?')
  else if (asked.length === 0 && !tooLong) {
    const isForeign = sentences.some(({ words }) => words.some(({ foreign }) => foreign))
    const example = `${isForeign ? 'in English, ' : ''}for example "swap USDC to WETH every week"`
    whole(
      `No sentence requests what Bardo can grant: swaps, deposits into a vault, and liquidity. Write it ${example}.`,
    )
  }
  return {
    plan,
    runway: plan.classes.length === 0 ? undefined : runwayOf(plan, declared.runwayCents, now, ambiguities),
    replicants,
    liquidity: liquidity.rules,
    windDown,
    capabilities: findings(asked, granted.grants, denials, supported, ambiguities),
    ambiguities,
    setNothing: sentences.flatMap((sentence, at) =>
      isSilent(readings[at]) &&
      !declared.sentences.has(sentence) &&
      !coSigners.sentences.has(sentence) &&
      !liquidity.sentences.has(sentence) &&
      !replicantTopic(sentence)
        ? [{ line: sentence.line, sentence: sentence.text }]
        : [],
    ),
  }
}

function withCoSigners(plan: PermissionPlan, { plan: coSigners, from }: CoSignerReading): PermissionPlan {
  if (!coSigners || !from || plan.classes.length === 0) return plan
  return {
    ...plan,
    sections: { ...plan.sections, coSigners },
    reasons: [...plan.reasons, { permission: 'coSigners', because: [from] }],
  }
}

function isSilent(reading: SentenceReading | undefined): boolean {
  return reading === undefined || Object.values(reading).every((list) => list.length === 0)
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
      question: 'More than 100 USDC a day needs explicit confirmation by the owner: 100 was used.',
      outcome: 'narrowed',
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

/** Additional information about a capability that is not granted. */
const extras: Partial<Record<Capability, string>> = {
  Bridge: ` Its default budget of $${bridgeDayCents / 100n} a day was not added.`,
}

type Statement = { readonly capability: Capability | undefined; readonly from: Evidence }

function findings(
  asked: readonly Statement[],
  granted: readonly Statement[],
  denials: readonly Statement[],
  supported: ReadonlySet<Capability>,
  ambiguities: Ambiguity[],
): CapabilityFinding[] {
  return (Object.keys(capabilityNames) as Capability[]).flatMap((capability): CapabilityFinding[] => {
    const of = (list: readonly Statement[]) => {
      const because: Evidence[] = []
      for (const statement of list) {
        if (because.length === mostEvidence) break
        if (statement.capability === capability) because.push(statement.from)
      }
      return because
    }
    const [asks, grants, forbids] = [of(asked), of(granted), of(denials)]
    if (asks.length > 0 && !supported.has(capability) && forbids.length === 0) {
      const [first] = asks
      const question = `Bardo cannot ${capabilityNames[capability]} yet, so it was not granted. Can the strategy work without it?${extras[capability] ?? ''}`
      if (first) ambiguities.push({ ...first, question, outcome: 'notGranted' })
      return [{ capability, status: 'notSupported', because: asks }]
    }
    if (grants.length > 0) return [{ capability, status: 'granted', because: grants }]
    if (forbids.length > 0) return [{ capability, status: 'forbidden', because: forbids }]
    return asks.length > 0 ? [{ capability, status: 'unclear', because: asks }] : []
  })
}
