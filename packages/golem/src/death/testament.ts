import type { DeathTrigger } from './deathTrigger.ts'

/** What a Golem knows, by the kind of knowledge. Nothing else of the grimoire is inherited. */
export const knowledgeKinds = ['insight', 'heuristic', 'warning', 'causalLink'] as const

/** One piece of knowledge. */
export type Knowledge = {
  readonly kind: (typeof knowledgeKinds)[number]
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  /** The Golems that it came through, the first author first. */
  readonly authors: readonly string[]
}

/** What a successor inherits: knowledge, never a wallet and never an identity. */
export type Testament = {
  readonly golem: string
  readonly generation: number
  readonly cause: DeathTrigger
  readonly ticks: number
  readonly knowledge: readonly Knowledge[]
}

/** An entry of the grimoire, whatever it holds. */
export type GrimoireEntry = {
  readonly kind: string
  readonly text: string
  readonly confidence: number
  readonly authors?: readonly string[]
}

/** How much is handed on: the strongest pieces. Origin: ours, for the spec's "genomic bottleneck". */
export const mostInherited = 256
/** A longer text is no insight. Origin: ours. */
const longestText = 2_000

/** The testament of a Golem. Built up from what may be in it, so that nothing else can be. */
export function writeTestament(
  life: Omit<Testament, 'knowledge'>,
  grimoire: readonly GrimoireEntry[],
): Testament {
  const { golem, generation, cause, ticks } = life
  const knowledge = grimoire.flatMap(({ kind, text, confidence, authors = [] }): Knowledge[] => {
    const known = knowledgeKinds.find((name) => name === kind)
    if (!known || text.length > longestText || !(confidence >= 0 && confidence <= 1)) return []
    return [{ kind: known, text, confidence, authors: authors.length > 0 ? authors : [golem] }]
  })
  const strongest = knowledge.toSorted((a, b) => b.confidence - a.confidence).slice(0, mostInherited)
  return { golem, generation, cause, ticks, knowledge: strongest }
}

/** What a successor starts with: the knowledge, one generation on. */
export function inherit({ generation, knowledge }: Testament): {
  readonly generation: number
  readonly knowledge: readonly Knowledge[]
} {
  return { generation: generation + 1, knowledge }
}
