import type { DeathTrigger } from '@bardo/core'

/** The kinds of knowledge. Nothing else of the grimoire is inherited. */
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

/** What a successor inherits: knowledge, never a wallet or an identity. */
export type Testament = {
  readonly golem: string
  readonly generation: number
  readonly cause: DeathTrigger
  readonly ticks: number
  readonly knowledge: readonly Knowledge[]
}

/** An entry of the grimoire. */
export type GrimoireEntry = {
  readonly kind: string
  readonly text: string
  readonly confidence: number
  readonly authors?: readonly string[]
}

/** The maximum number of inherited pieces, the strongest first: a bottleneck that drops weak knowledge. */
export const mostInherited = 256
/** The maximum length of an inherited text. */
const longestText = 2_000

/** The testament of a Golem, built only from allowed fields. */
export function writeTestament(
  life: Omit<Testament, 'knowledge'>,
  grimoire: readonly GrimoireEntry[],
): Testament {
  const { golem, generation, cause, ticks } = life
  const knowledge = grimoire.flatMap(({ kind, text, confidence, authors = [] }): Knowledge[] => {
    const knowledgeKind = knowledgeKinds.find((name) => name === kind)
    if (!knowledgeKind || text.length > longestText || !(confidence >= 0 && confidence <= 1)) return []
    return [{ kind: knowledgeKind, text, confidence, authors: authors.length > 0 ? authors : [golem] }]
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
