import { hashDelegation, leastOf } from '@bardo/core'
import { erc20Abi, type Hash, isAddressEqual } from 'viem'
import { landingsOf } from './checkMoney.ts'
import type { Ledger } from './ledger.ts'
import type { BooksWorld } from './openBooksWorld.ts'
import type { Facts } from './readFacts.ts'

type Json = ReturnType<typeof JSON.parse>

const daySeconds = 86_400
/** The daily limit looks back over six whole slots of four hours, and the current one. */
const longestDay = 28 * 3_600

/** `bardo status` and `bardo tree` must match the chain. */
export async function checkScreens(
  here: BooksWorld,
  ledger: Ledger,
  shown: readonly Facts[],
  all: readonly Facts[],
): Promise<readonly string[]> {
  const { account } = ledger
  if (!account || shown.length === 0) return []
  const { data: rows } = await here.bardo('status')
  const listed: readonly Json[] = Array.isArray(rows) ? rows : [{ ...rows, id: rows.golem }]
  const { usdcVault: address } = here.world.addresses
  const shares = await here.world.client.readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
  const problems: string[] = []
  for (const facts of shown) {
    const { id, name } = facts.subject
    const say = (words: string) => problems.push(`the screens of ${name}: ${words}`)
    const row = listed.find((one) => one.id === id)
    if (row?.status !== facts.status) say(`the list shows ${row?.status}, the store has ${facts.status}`)
    const { exit, data: seen } = await here.bardo('status', id)
    if (exit !== 0) {
      say(`status fails: ${JSON.stringify(seen)}`)
      continue
    }
    for (const words of statusProblems(facts, seen, shares)) say(words)
    for (const words of await dayProblems(here, withChildren(facts, all), seen)) say(words)
    if (facts.subject.parent) continue
    const { exit: treeExit, data: tree } = await here.bardo('tree', id)
    if (treeExit !== 0) say(`tree fails: ${JSON.stringify(tree)}`)
    else for (const words of treeProblems(facts, tree)) say(words)
  }
  return problems
}

function statusProblems(facts: Facts, seen: Json, shares: bigint): readonly string[] {
  const { status, trigger, endsAt, keys, vitals, isOff } = facts
  const problems: string[] = []
  if (seen.status !== status) problems.push(`status shows ${seen.status}, the store has ${status}`)
  // The screens already show an end that the Golem's next tick will find on the chain.
  if ((seen.ended !== null) !== (trigger !== undefined || isOff))
    problems.push(`status shows the end ${JSON.stringify(seen.ended)}, the trigger is ${trigger}`)
  if (status === 'dead' && vitals.state === 'alive') problems.push('it is dead, but alive on the chain')
  if (seen.ended === null && seen.endsAt !== endsAt)
    problems.push(`status shows the end ${seen.endsAt}, the signature has ${endsAt}`)
  const shown = seen.positions.find((one: Json) => one.id === 'vault-USDC')
  const held = BigInt(shown?.shares ?? 0)
  if (held !== shares) problems.push(`${held} shares are shown in the vault, the account holds ${shares}`)
  for (const { address, status: is, wei } of keys) {
    const key = seen.sessionKeys.find((one: Json) => isAddressEqual(one.address, address))
    if (key?.status !== is || BigInt(key?.gasWei ?? -1) !== wei)
      problems.push(`the key ${address} is ${is} with ${wei} wei, shown ${key?.status} with ${key?.gasWei}`)
  }
  return problems
}

/** A child's spending counts toward its parent's day too. */
function withChildren(facts: Facts, all: readonly Facts[]): Facts {
  const below = all.filter(({ subject }) => subject.parent === facts.subject.id)
  return { ...facts, events: [facts, ...below].flatMap(({ events }) => events) }
}

/** The used part of the daily limit must match the transactions of the day. */
async function dayProblems({ world }: BooksWorld, facts: Facts, seen: Json): Promise<readonly string[]> {
  if (seen.day === null || facts.subject.parent) return []
  const landings = await Promise.all(
    landingsOf(facts).map(async ({ transaction, spentCents }) => {
      const { blockNumber } = await world.client.getTransactionReceipt({ hash: transaction })
      const { timestamp } = await world.client.getBlock({ blockNumber })
      return { age: facts.now - Number(timestamp), spentCents }
    }),
  )
  const within = (seconds: number) =>
    landings.reduce((sum, { age, spentCents }) => (age <= seconds ? sum + spentCents : sum), 0n)
  const limit = BigInt(seen.day.limitCents)
  const [least, most] = [within(daySeconds), within(longestDay)].map((cents) => leastOf(cents, limit))
  const spent = BigInt(seen.day.spentCents)
  const isRight = least !== undefined && most !== undefined && spent >= least && spent <= most
  return isRight ? [] : [`${spent} cents are shown as used today, the receipts have ${least} to ${most}`]
}

/** A root must be shown as active exactly if the chain accepts it. */
function treeProblems({ roots, now }: Facts, { tree }: Json): readonly string[] {
  const shown = new Map<Hash, string>(tree.delegations.map((one: Json) => [one.hash, one.state.type]))
  return roots.flatMap(({ root, hash, isDisabled }) => {
    const state = shown.get(hashDelegation(root))
    if (state === undefined)
      return isDisabled ? [] : [`the root ${hash.slice(0, 10)} is active but not in the tree`]
    const isActive = state === 'active'
    if (isDisabled && isActive)
      return [`the root ${hash.slice(0, 10)} is disabled, the tree shows ${state} (${now})`]
    if (!isDisabled && state === 'revoked')
      return [`the root ${hash.slice(0, 10)} is active, the tree shows ${state}`]
    return []
  })
}
