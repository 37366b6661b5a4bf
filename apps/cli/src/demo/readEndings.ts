import type { DeathTrigger } from '@bardo/core'
import type { Hash } from 'viem'
import type { Life } from './life.ts'

/** How a Golem ended. */
export type Ending = { readonly golem: Hash; readonly trigger: DeathTrigger; readonly impossible: number }

/** The completed shutdowns of these Golems, from the store. */
export async function readEndings(lives: readonly Life[]): Promise<readonly Ending[]> {
  const all = await Promise.all(
    lives.map(async ({ id, parts, golem }) => {
      const [row, { death }] = await Promise.all([parts.store.golems.find(id), golem.status()])
      return row?.status === 'dead' && death
        ? [{ golem: id, trigger: death.trigger, impossible: death.impossible.length }]
        : []
    }),
  )
  return all.flat()
}
