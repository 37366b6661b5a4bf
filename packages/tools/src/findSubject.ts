import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { isHash } from 'viem'
import type { ToolContext } from './toolContext.ts'

/** The maximum number of Golems that an ambiguous call lists. */
const mostListed = 20

/**
 * Finds the Golem of a call: by id, by a unique name, the Golem that the tools were opened for, or the only
 * one in the
 * store. Throws with a list if there are several. Tools that were opened for a Golem see only Golems of the
 * same owner,
 * so in a store of many owners no other owner's Golem can be named or seen.
 */
export async function findSubject(
  { store, golem }: Pick<ToolContext, 'store' | 'golem'>,
  named: string | undefined = golem,
): Promise<Golem> {
  const own = golem && (await store.golems.find(golem))
  if (golem && !own) throw unknown()
  const family = own && { owner: own.owner }
  const matches =
    named === undefined
      ? await store.golems.list({ limit: mostListed })
      : isHash(named)
        ? [await store.golems.find(named)].filter((one) => !own || one?.owner === own.owner)
        : await store.golems.list({ name: named, ...family })
  const [first, second] = matches
  if (second)
    throw new BardoError(named === undefined ? 'Several Golems exist.' : 'Several Golems have that name.', {
      code: 'INVALID_INPUT',
      details: matches.flatMap((one) =>
        one ? [`${one.id}: ${plain(one.name)}, ${one.status}, ${one.phase}`] : [],
      ),
      ...(named === undefined ? remedy : { ...remedy, remedy: 'Give the id of one of them.' }),
    })
  if (!first) throw unknown()
  return first
}

function unknown(): BardoError {
  return new BardoError('There is no such Golem.', { code: 'GOLEM_UNKNOWN', ...remedy })
}

/** An owner chose the name: characters other than plain ASCII are not passed on to a model. */
export const plain = (name: string) => name.replace(/[^a-zA-Z0-9 _.-]/g, '?').slice(0, 64)

const remedy = {
  remedy: 'Give the name or the id of a Golem.',
  docsPath: 'tools.md#choosing-a-golem',
} as const
