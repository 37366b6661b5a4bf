import { type ChainState, createGathering, type Read } from '@bardo/core'
import type { PublicClient } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { readState, readStateAtOnce } from './readState.ts'

/** Answers questions, all at one block, which is not older than the asking. */
export type StateReader = (reads: readonly Read[]) => Promise<ChainState>

type Questions = readonly Read[]

/** So many questions go into one batch: a few calls of the size that common nodes take. */
const mostReads = 4_000

/**
 * A reader that many share: what is asked at the same moment goes to the node together, and what several ask for is
 * asked for once. Whose questions do not fare well in company is asked alone, so that nobody's broken contract blinds
 * the others; a node that is away is away for all of them.
 *
 * @example
 * const reader = createSharedReader(client, deployment)
 * const states = await Promise.all(golems.map(({ reads }) => reader(reads)))
 */
export function createSharedReader(client: PublicClient, deployment: Deployment): StateReader {
  const alone = (reads: Questions) => readState(client, deployment, reads)

  async function readAll(askers: readonly Questions[]): Promise<readonly ChainState[]> {
    const [only, ...others] = askers
    if (only && others.length === 0) return [await alone(only)]
    const state = await readStateAtOnce(client, deployment, askers.flat())
    if (!state) return readHalves(askers)
    // A call that another has left no gas for fails too, and must not pass for an answer.
    return Promise.all(askers.map((reads) => (isAnswered(reads, state) ? state : alone(reads))))
  }

  async function readHalves(askers: readonly Questions[]): Promise<readonly ChainState[]> {
    const middle = askers.length >> 1
    const halves = [askers.slice(0, middle), askers.slice(middle)]
    return (await Promise.all(halves.map(readAll))).flat()
  }

  return createGathering(readAll, {
    most: mostReads,
    sizeOf: (reads) => reads.length,
    pause: () => new Promise((resolve) => setTimeout(resolve)),
  })
}

function isAnswered(reads: Questions, state: ChainState): boolean {
  return reads.every((read) => state.answer(read)?.ok)
}
