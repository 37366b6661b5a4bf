import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { isHash } from 'viem'
import type { ToolContext } from './toolContext.ts'

/** So many are listed where nobody is named. */
const mostListed = 20

/**
 * Finds whom a call is about: by id, by a name that only one has, the one that the tools were opened for, or the only one
 * there is. Where there are several, they are listed. Tools that were opened for a Golem know its owner's Golems alone:
 * in a store of many owners nobody else's can be named, nor seen.
 */
export async function findSubject(
  { store, golem }: Pick<ToolContext, 'store' | 'golem'>,
  named: string | undefined = golem,
): Promise<Golem> {
  const own = golem && (await store.golems.find(golem))
  if (golem && !own) throw unknown()
  const family = own && { owner: own.owner }
  const found =
    named === undefined
      ? await store.golems.list({ limit: mostListed })
      : isHash(named)
        ? [await store.golems.find(named)].filter((one) => !own || one?.owner === own.owner)
        : await store.golems.list({ name: named, ...family })
  const [first, second] = found
  if (second)
    throw new BardoError(named === undefined ? 'Which Golem is meant?' : 'Several Golems have that name.', {
      code: 'INVALID_INPUT',
      details: found.flatMap((one) =>
        one ? [`${one.id}: ${plain(one.name)}, ${one.status}, ${one.phase}`] : [],
      ),
      ...remedy,
    })
  if (!first) throw unknown()
  return first
}

function unknown(): BardoError {
  return new BardoError('There is no such Golem.', { code: 'GOLEM_UNKNOWN', ...remedy })
}

/** A name is its owner's text: what is no plain letter is not passed on to a model. */
export const plain = (name: string) => name.replace(/[^a-zA-Z0-9 _.-]/g, '?').slice(0, 64)

const remedy = { remedy: 'Name one by its id.', docsPath: 'tools.md#whom-a-tool-is-about' } as const
