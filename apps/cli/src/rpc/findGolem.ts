import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { findSubject } from '@bardo/tools'
import type { Context } from '../context/openContext.ts'
import { printable } from '../terminal/printable.ts'
import { everyGolem } from './everyGolem.ts'

/** The most Golems that are searched by name. */
const most = 1_000

/**
 * Finds a Golem by name, by id, or by the beginning of an id as `bardo status` shows it. For a name, and without one, living
 * Golems come before dead ones.
 */
export async function findGolem(
  { store }: Pick<Context, 'store'>,
  named: string | undefined,
): Promise<Golem> {
  const isId = named !== undefined && /^0x[0-9a-f]{64}$/i.test(named)
  if (!isId) {
    const all = await store.golems.list({ limit: most, ...(named !== undefined && { name: named }) })
    const [first, ...others] = all.filter(({ status }) => status !== 'dead')
    if (first && others.length === 0) return first
    if (all.length === 0 && named !== undefined) return findByShortId(store, named)
  }
  return findSubject({ store, golem: undefined }, named)
}

/** At least four digits; the table of `bardo status` ends a short id with an ellipsis. */
const shortId = /^(0x[0-9a-f]{4,63})(?:…|\.\.\.)?$/i

async function findByShortId(store: Context['store'], named: string): Promise<Golem> {
  const start = shortId.exec(named)?.[1]?.toLowerCase()
  const matches =
    start === undefined
      ? []
      : (await everyGolem(store)).filter(({ id }) => id.toLowerCase().startsWith(start))
  const [first, ...others] = matches
  if (!first) return findSubject({ store, golem: undefined }, named)
  if (others.length === 0) return first
  throw new BardoError('Several Golems have an id that starts with this.', {
    code: 'INVALID_INPUT',
    details: matches.slice(0, 20).map(({ id, name, status }) => `${id}: ${printable(name)}, ${status}`),
    remedy: 'Give more of the id, or the name.',
    docsPath: 'cli.md#which-golem',
  })
}
