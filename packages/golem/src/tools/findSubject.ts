import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { isHash } from 'viem'
import type { ToolContext } from './toolContext.ts'

/** Finds whom a call is about: by id, by a name that only one has, or the one that the tools were opened for. */
export async function findSubject(
  { store, golem }: Pick<ToolContext, 'store' | 'golem'>,
  named: string | undefined = golem,
): Promise<Golem> {
  if (named === undefined) throw new BardoError('Which Golem is meant?', { code: 'INVALID_INPUT', ...remedy })
  const found = isHash(named) ? [await store.golems.find(named)] : await store.golems.list({ name: named })
  const [first, second] = found
  if (second)
    throw new BardoError('Several Golems have that name.', {
      code: 'INVALID_INPUT',
      details: found.map((one) => `${one?.id}`),
      ...remedy,
    })
  if (!first) throw new BardoError('There is no such Golem.', { code: 'GOLEM_UNKNOWN', ...remedy })
  return first
}

const remedy = { remedy: 'Name one by its id.', docsPath: 'tools.md#whom-a-tool-is-about' } as const
