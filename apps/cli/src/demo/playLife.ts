import { parseAbi } from 'viem'
import { type BalanceSheet, balanceSheet, type Holder } from './balanceSheet.ts'
import { death } from './chapters/death.ts'
import { decline } from './chapters/decline.ts'
import { type Feeding, feed } from './chapters/feed.ts'
import { grant } from './chapters/grant.ts'
import { type ReplicantLife, replicant } from './chapters/replicant.ts'
import { revocation } from './chapters/revocation.ts'
import { type Rotated, rotation } from './chapters/rotation.ts'
import { runway } from './chapters/runway.ts'
import { silence } from './chapters/silence.ts'
import { thief } from './chapters/thief.ts'
import { trades } from './chapters/trades.ts'
import type { Stage } from './openStage.ts'
import { type Ending, readEndings } from './readEndings.ts'
import { sheetToText } from './sheetToText.ts'
import type { Promised, Step, Story } from './story.ts'

/** A whole life, as it was. */
export type Outcome = {
  /** Where the chain listens, as long as it does. */
  readonly url: string
  readonly steps: readonly Step[]
  readonly promises: readonly Promised[]
  readonly feeds: readonly Feeding[]
  readonly rotations: readonly Rotated[]
  readonly replicants: readonly Pick<ReplicantLife, 'id' | 'key' | 'budgetCents' | 'spent'>[]
  readonly revocations: Awaited<ReturnType<typeof readRevocations>>
  readonly deaths: readonly Ending[]
  /** Base units of anything in any session account: what somebody would have to sweep. */
  readonly leftBehind: bigint
  readonly balanceSheet: BalanceSheet
  readonly milliseconds: number
}

/**
 * One whole life, from the owner's signature to the owner's revocation, on a chain of its own. Each chapter is a file in
 * `chapters/`.
 *
 * @example
 * await using stage = await openStage(0)
 * const { promises } = await playLife(stage, createStory())
 */
export async function playLife(stage: Stage, story: Story): Promise<Outcome> {
  const { client, owner, world } = stage
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

  story.chapter(
    'The balance sheet',
    'Read from the chain: balances at both ends, and in between every transfer’s log, every transaction’s value, every receipt’s gas. Six digits are shown; the sums are made with all of them.',
  )
  const keys = [
    { name: 'first key', address: rotated.oldKey },
    { name: 'second key', address: rotated.newKey },
    { name: 'Replicant', address: child.key },
  ]
  const holders = [
    { name: 'owner', address: owner.address },
    { name: 'account', address: owner.account.address },
    ...keys,
  ]
  const { usdcWethPool, usdcVault } = world.addresses
  const strangers = [
    { name: 'Uniswap', address: usdcWethPool },
    { name: 'the vault', address: usdcVault },
    { name: 'the operator', address: world.accounts.operator },
  ]
  const sheet = await balanceSheet(stage, holders, strangers, first)
  story.aside(sheetToText(sheet))
  story.aside('')
  story.promise(sheet.addsUp, 'Every balance is explained to the last unit of USDC, WETH and ETH.')
  const leftBehind = await leftIn(stage, sheet, keys)
  story.promise(leftBehind === 0n, `Left behind in the session accounts: ${leftBehind}.`)

  const { steps, promises, milliseconds } = story.soFar()
  const kept = promises.filter((one) => one.kept).length
  const refusals = steps.filter(({ refusal }) => refusal).length
  story.aside(
    `\n${kept} of ${promises.length} promises kept, ${refusals} refusals by the chain, in ${(milliseconds / 1_000).toFixed(1)} s.`,
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
    leftBehind,
    balanceSheet: sheet,
    milliseconds,
  }
}

/** What is left with these keys, of anything. */
async function leftIn(
  { balanceOf, world }: Stage,
  { lines }: BalanceSheet,
  keys: readonly Holder[],
): Promise<bigint> {
  const shares = await Promise.all(keys.map(({ address }) => balanceOf(world.addresses.usdcVault, address)))
  const tokens = lines.filter(({ address }) => keys.some((key) => key.address === address))
  return [...shares, ...tokens.map(({ closing }) => closing)].reduce((total, units) => total + units, 0n)
}

const disabled = parseAbi([
  'event DisabledDelegation(bytes32 indexed delegationHash, address indexed delegator, address indexed delegate, (address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
])

/** Every delegation that was disabled, by the manager's own events. */
async function readRevocations({ client, deployment }: Stage, first: bigint) {
  const logs = await client.getLogs({
    address: deployment.framework.DelegationManager,
    event: disabled[0],
    fromBlock: first + 1n,
    strict: true,
  })
  return logs.map(({ args: { delegationHash: delegation, delegator }, transactionHash: transaction }) => ({
    delegation,
    delegator,
    transaction,
  }))
}
