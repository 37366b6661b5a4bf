import type { DeathTrigger } from '@bardo/core'
import { type Address, type Hash, parseAbi } from 'viem'
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
import { withdrawal } from './chapters/withdrawal.ts'
import type { Life } from './life.ts'
import type { Stage } from './openStage.ts'
import type { PromiseCheck, Step, Story } from './story.ts'

const [disabledDelegation] = parseAbi([
  'event DisabledDelegation(bytes32 indexed delegationHash, address indexed delegator, address indexed delegate, (address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
])

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
 * Plays the full lifecycle of a Golem, from the owner's signature until the owner has the money back. Each chapter is a file in
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
  await withdrawal(stage, story)

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

/** How a Golem ended. */
type Ending = { readonly golem: Hash; readonly trigger: DeathTrigger; readonly impossible: number }

/** The completed shutdowns of these Golems, from the store. */
async function readEndings(lives: readonly Life[]): Promise<readonly Ending[]> {
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

/** A revoked delegation. */
type Revocation = {
  readonly delegation: Hash
  readonly delegator: Address
  readonly transaction: Hash
}

/** Every delegation that was disabled after a block, from the DelegationManager's events. */
async function readRevocations({ client, deployment }: Stage, first: bigint): Promise<readonly Revocation[]> {
  const { DelegationManager: address } = deployment.framework
  const logs = await client.getLogs({
    address,
    event: disabledDelegation,
    fromBlock: first + 1n,
    strict: true,
  })
  return logs.map(({ args, transactionHash: transaction }) => ({
    delegation: args.delegationHash,
    delegator: args.delegator,
    transaction,
  }))
}
