import { leastOf } from '@bardo/core'
import { erc20Abi, getAbiItem, type Hash, parseGwei } from 'viem'
import { z } from 'zod'
import type { Ledger } from './ledger.ts'
import type { BooksWorld } from './openBooksWorld.ts'
import type { Facts } from './readFacts.ts'

const landedBody = z.looseObject({
  intent: z.string(),
  transaction: z.templateLiteral(['0x', z.string()]),
  spentCents: z.coerce.bigint(),
})
const intendedBody = z.looseObject({ intent: z.string() })
const unitsInCent = 10_000n
/** The tip that Bardo pays on the local chain. */
const localTip = parseGwei('0.001')
/** The events of an intent that did not land. */
const endings = new Set(['action.refused', 'action.postponed'])

/** Events, journal, receipts and balances must agree, and no gas may be lost or driven up. */
export async function checkMoney(
  here: BooksWorld,
  ledger: Ledger,
  all: readonly Facts[],
): Promise<readonly string[]> {
  const single = await Promise.all(all.map((facts) => booksOf(here, facts)))
  const landings = all.flatMap(landingsOf)
  const spent = landings.reduce((total, { spentCents }) => total + spentCents, 0n)
  const gone = await outflow(here, ledger)
  const tip = await here.world.client.estimateMaxPriorityFeePerGas()
  return [
    ...single.flat(),
    ...unless(
      new Set(landings.map(({ transaction }) => transaction)).size === landings.length,
      'a transaction was reported twice',
    ),
    ...unless(
      gone === spent * unitsInCent,
      `${gone} units of USDC left the account, but the events report ${spent} cents`,
    ),
    ...unless(tip <= ledger.tip, `the tip grew from ${ledger.tip} to ${tip} wei`),
  ]
}

/** The landed actions of a Golem, from its events. */
export function landingsOf({ events }: Facts) {
  return events.filter(({ name }) => name === 'action.landed').map(({ body }) => landedBody.parse(body))
}

async function booksOf({ world }: BooksWorld, facts: Facts): Promise<readonly string[]> {
  const { subject, keys, events } = facts
  const problems: string[] = []
  const records = new Map(keys.flatMap((key) => key.records).map((record) => [record.intent.id, record]))
  for (const { intent, transaction } of landingsOf(facts)) {
    const settlement = records.get(intent)?.settlement
    const journal = settlement?.kind === 'landed' ? settlement.mined.hash : undefined
    if (journal !== transaction)
      problems.push(`${intent} landed as ${transaction}, but the journal has ${journal}`)
    const receipt = await receiptOf(world, transaction)
    if (receipt !== 'success') problems.push(`${intent} landed, but its receipt is ${receipt}`)
  }
  const ended = new Set(
    events.flatMap(({ name, body }) =>
      name === 'action.landed' || endings.has(name) ? [intendedBody.parse(body).intent] : [],
    ),
  )
  for (const [intent, { settlement }] of records)
    if (
      intent.endsWith(':act') &&
      settlement?.kind === 'landed' &&
      settlement.mined.status === 'success' &&
      !ended.has(intent)
    )
      if (!isUnderWay(facts)) problems.push(`${intent} landed without an event`)
  for (const { intent, settlement } of records.values())
    if (intent.sweep && settlement?.kind === 'landed')
      problems.push(...(await sweepProblems(world, settlement.mined.hash)))
  for (const { address, status, wei, nonce, records: own } of keys) {
    const open = own.filter(({ settlement }) => settlement === undefined).length
    if (open > 0 && status === 'wiped') problems.push(`${open} intents of the wiped key ${address} are open`)
    if (own.length - open !== nonce)
      problems.push(`${address} sent ${nonce} transactions, but the journal has ${own.length - open}`)
    if (status === 'wiped' && wei > 0n)
      problems.push(`the wiped key ${address} of ${subject.name} holds ${wei} wei`)
  }
  return problems
}

/** A sweep pays at most 1.3 times the base fee plus the tip of the local chain. */
async function sweepProblems({ client }: BooksWorld['world'], hash: Hash): Promise<readonly string[]> {
  const { effectiveGasPrice: price, blockNumber } = await client.getTransactionReceipt({ hash })
  const blocks = await Promise.all(
    [blockNumber, blockNumber - 1n].map((at) => client.getBlock({ blockNumber: at })),
  )
  const [fee = 0n, before = 0n] = blocks.map(({ baseFeePerGas }) => baseFeePerGas ?? 0n)
  // The base fee falls from one empty block to the next.
  const most = (((leastOf(fee, before) === fee ? before : fee) + localTip) * 13n) / 10n
  return unless(price <= most, `a sweep pays ${price} wei per gas, more than ${most}`)
}

/** An action that lands while a shutdown begins is reported by the shutdown's own events. */
function isUnderWay({ status }: Facts): boolean {
  return status === 'dying' || status === 'dead'
}

async function receiptOf({ client }: BooksWorld['world'], hash: Hash): Promise<string> {
  return client.getTransactionReceipt({ hash }).then(
    ({ status }) => status,
    () => 'missing',
  )
}

/** Units of USDC that left the account since the sequence began, not counting what came back. */
async function outflow({ world }: BooksWorld, { account, since }: Ledger): Promise<bigint> {
  if (!account) return 0n
  const logs = await world.client.getLogs({
    address: world.addresses.usdc,
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    args: { from: account },
    fromBlock: since,
    strict: true,
  })
  return logs.reduce((total, { args }) => total + args.value, 0n)
}

/** The message, unless the condition holds. */
function unless(isSo: boolean, words: string): readonly string[] {
  return isSo ? [] : [words]
}
