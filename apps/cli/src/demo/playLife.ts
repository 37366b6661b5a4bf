import { death } from './chapters/death.ts'
import { decline } from './chapters/decline.ts'
import { type Feeding, feed } from './chapters/feed.ts'
import { grant } from './chapters/grant.ts'
import { type FinalBalances, reckoning } from './chapters/reckoning.ts'
import { type ReplicantLife, replicant } from './chapters/replicant.ts'
import { revocation } from './chapters/revocation.ts'
import { type Rotated, rotation } from './chapters/rotation.ts'
import { runway } from './chapters/runway.ts'
import { silence } from './chapters/silence.ts'
import { thief } from './chapters/thief.ts'
import { trades } from './chapters/trades.ts'
import type { Stage } from './openStage.ts'
import { type Ending, readEndings } from './readEndings.ts'
import { type Revocation, readRevocations } from './readRevocations.ts'
import type { PromiseCheck, Step, Story } from './story.ts'

/** The results of the demo. */
export type Outcome = FinalBalances & {
  /** The URL of the chain while it runs. */
  readonly url: string
  readonly steps: readonly Step[]
  readonly promises: readonly PromiseCheck[]
  readonly feeds: readonly Feeding[]
  readonly rotations: readonly Rotated[]
  readonly replicants: readonly Pick<ReplicantLife, 'id' | 'key' | 'budgetCents' | 'spent'>[]
  readonly revocations: readonly Revocation[]
  readonly deaths: readonly Ending[]
  readonly milliseconds: number
}

/**
 * Plays the full lifecycle of a Golem, from the owner's signature to the owner's revocation. Each chapter is a file in
 * `chapters/`.
 *
 * @example
 * await using stage = await openStage(0)
 * const { promises } = await playLife(stage, createStory())
 */
export async function playLife(stage: Stage, story: Story): Promise<Outcome> {
  const { client, world } = stage
  story.weighBy(async (hash) => (await client.getTransactionReceipt({ hash })).gasUsed)
  const first = await client.getBlockNumber()

  const life = await grant(stage, story)
  const firstRunway = await runway(stage, story, life)
  await trades(stage, story, life)
  await thief(stage, story, life)
  const child = await replicant(stage, story, life)
  const feeding = await feed(stage, story, life)
  const rotated = await rotation(stage, story, life, [firstRunway, feeding.runway])
  await silence(stage, story, life)
  await decline(stage, story, life)
  await death(stage, story, life)
  await revocation(stage, story, life)

  const reckoned = await reckoning(stage, story, { first, rotated, child })

  const { steps, promises, milliseconds } = story.soFar()
  const kept = promises.filter((one) => one.kept).length
  const refusals = steps.filter(({ refusal }) => refusal).length
  story.aside(
    `\n${kept} of ${promises.length} promises kept, ${refusals} refusals by the chain, in ${(milliseconds / 1_000).toFixed(1)} s.\n\nNext: npm start runs a Golem that keeps trading, and npx bardo watch shows it live.`,
  )
  return {
    url: world.url,
    steps,
    promises,
    feeds: [feeding],
    rotations: [rotated],
    replicants: [child],
    revocations: await readRevocations(stage, first),
    deaths: await readEndings([child.life, life]),
    ...reckoned,
    milliseconds,
  }
}
