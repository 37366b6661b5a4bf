import { readRunway } from '@bardo/golem'
import { dailyCents } from './grantRunway.ts'
import type { Life } from './life.ts'

/** The days that the runway still pays for, from the chain. Amounts that were given to children are not subtracted. */
export async function lifeLeft({ golem, parts }: Life): Promise<number> {
  const { permission } = await golem.status()
  const cents = (await readRunway(parts, permission)) ?? 0n
  return Number(cents) / Number(dailyCents)
}
