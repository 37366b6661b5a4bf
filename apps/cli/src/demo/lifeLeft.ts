import { readRunway } from '@bardo/golem'
import { dailyCents } from './grantRunway.ts'
import type { Life } from './life.ts'

/** How many days the runway still pays for, as the chain has it. What was given to children is not taken off. */
export async function lifeLeft({ golem, parts }: Life): Promise<number> {
  const { charter } = await golem.status()
  const cents = (await readRunway(parts, charter)) ?? 0n
  return Number(cents) / Number(dailyCents)
}
