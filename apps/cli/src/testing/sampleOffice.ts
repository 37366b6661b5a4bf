import { BardoError } from '@bardo/core'
import type { OfficeEvent } from '../watch/reduceEvent.ts'
import { pastVitality, type Sample } from './sampleGolems.ts'
import type { StubAnswers } from './stubOffice.ts'

/** Answers of a stub that can change while it runs. */
export type SampleOffice = {
  readonly answers: StubAnswers
  /** Emits an event. */
  happen(golem: string, name: string, body: unknown): void
  /** Adds Golems. */
  replace(samples: readonly Sample[]): void
}

type News = readonly [golem: string, name: string, body: unknown, secondsAgo: number]

/** Answers for sample Golems: their list, their status, and past and new events. */
export function sampleOffice(
  first: readonly Sample[],
  now: () => number,
  past: readonly News[] = [],
): SampleOffice {
  let samples = first
  const events: OfficeEvent[] = []
  for (const sample of first) events.push(...pastVitality(sample, now(), events.length + 1))
  for (const [golem, name, body, ago] of past)
    events.push({ sequence: events.length + 1, golem, name, body, at: now() - ago * 1_000 })
  const listeners = new Set<(event: OfficeEvent) => void>()
  const byId = () => [...samples].sort((a, b) => (a.row.id < b.row.id ? -1 : 1)).map(({ row }) => row)
  const sampleOf = (golem: unknown) => samples.find(({ row }) => row.id === golem || row.name === golem)
  return {
    replace: (next) => {
      samples = next
    },
    happen(golem, name, body) {
      const event = { sequence: events.length + 1, golem, name, body, at: now() }
      events.push(event)
      for (const listener of listeners) listener(event)
    },
    answers: {
      roster({ ids, after = '0x', limit = 500 }) {
        const golems = Array.isArray(ids)
          ? byId().filter(({ id }) => ids.includes(id))
          : byId()
              .filter(({ id }) => id > `${after}`)
              .slice(0, Number(limit))
        return { head: events.length, golems }
      },
      status({ golem }) {
        const sample = sampleOf(golem)
        if (!sample) throw new BardoError('There is no such Golem.', { code: 'GOLEM_UNKNOWN' })
        return sample.status
      },
      events({ after }, tell) {
        for (const event of events) if (event.sequence > Number(after)) tell(event)
        listeners.add(tell)
        return new Promise(() => {})
      },
    },
  }
}
