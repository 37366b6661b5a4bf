import { type Hash, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { localOwnerWallet } from '../../context/localOwnerWallet.ts'
import { checkLives } from './checkLives.ts'
import { checkMoney } from './checkMoney.ts'
import { checkRoots } from './checkRoots.ts'
import { checkScreens } from './checkScreens.ts'
import type { Ledger } from './ledger.ts'
import type { BooksWorld } from './openBooksWorld.ts'
import { type Facts, readFacts } from './readFacts.ts'
import { livingSubjects, runStep } from './runStep.ts'
import type { Step } from './step.ts'

/** The result of a sequence: the step after which something was wrong, and what. */
export type SequenceResult = {
  /** The number of the step, from 0. Undefined if the books balance. */
  readonly at: number | undefined
  readonly problems: readonly string[]
  readonly counts: ReadonlyMap<string, number>
}

/** Runs the steps with a new owner, and checks the books after each. At the end, the owner kills all living Golems. */
export async function runSequence(here: BooksWorld, steps: readonly Step[]): Promise<SequenceResult> {
  const ledger = await openLedger(here)
  const { counts } = ledger
  const closed = new Map<Hash, Facts>()
  here.failures()
  for (const [at, step] of steps.entries()) {
    const problems = [
      ...(await runStep(here, ledger, step)),
      ...(await closeBooks(here, ledger, closed).catch(unreadable)),
    ]
    if (problems.length > 0) return { at, problems, counts }
  }
  for (let living = await livingSubjects(here, ledger); living.length > 0; ) {
    const step = { operation: 'kill', seed: living.length } as const
    const problems = await runStep(here, ledger, step)
    if (problems.length > 0) return { at: steps.length, problems, counts }
    living = await livingSubjects(here, ledger)
  }
  const { type } = await here.store.audit.verify()
  const record = type === 'intact' ? [] : [`the audit log is ${type}`]
  const problems = [...(await closeBooks(here, ledger, new Map())), ...record]
  return { at: problems.length > 0 ? steps.length : undefined, problems, counts }
}

/**
 * All current contradictions. A dead Golem whose books balance is read again only at the end.
 */
async function closeBooks(
  here: BooksWorld,
  ledger: Ledger,
  closed: Map<Hash, Facts>,
): Promise<readonly string[]> {
  const all = await Promise.all(
    ledger.subjects.map((subject) => closed.get(subject.id) ?? readFacts(here, ledger, subject)),
  )
  const open = all.filter(({ subject }) => !closed.has(subject.id))
  const problems = [
    ...here.failures(),
    ...checkLives(all),
    ...(await checkRoots(here, ledger, open)),
    ...(await checkMoney(here, ledger, all)),
    ...(await checkScreens(here, ledger, open, all)),
  ]
  for (const facts of open) if (facts.status === 'dead') closed.set(facts.subject.id, facts)
  return problems
}

/** Data that the chain no longer has cannot be compared: that is a problem too. */
function unreadable(error: unknown): readonly string[] {
  return [`the books cannot be read: ${error instanceof Error ? error.message : error}`]
}

async function openLedger({ world, write }: BooksWorld): Promise<Ledger> {
  const { client } = world
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  await client.setBalance({ address: owner.address, value: parseEther('10') })
  await world.fund(owner.address, { USDC: parseUnits('1000', 6) })
  // Only a smart account (EIP-7702) can grant a runway.
  await localOwnerWallet(world, owner).upgrade(owner.address)
  const since = await client.getBlockNumber()
  return {
    owner: owner.address,
    keyFile: write(`owner-${since}.key`, key),
    account: undefined,
    since,
    tip: await client.estimateMaxPriorityFeePerGas(),
    subjects: [],
    roots: new Map(),
    counts: new Map(),
  }
}
