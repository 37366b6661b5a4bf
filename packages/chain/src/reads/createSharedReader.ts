import { type ChainState, createBatcher, type Deployment, type Read } from '@bardo/core'
import type { PublicClient } from 'viem'
import { readState, readStateAtOnce } from './readState.ts'

/** Answers reads, all at one block that is not older than the request. */
export type StateReader = (reads: readonly Read[]) => Promise<ChainState>

type Questions = readonly Read[]

/** Maximum number of reads in one batch: a few calls of the size that common nodes accept. */
const maxReads = 10_000

/**
 * A reader for many Golems. Reads requested at the same moment go to the node together, each distinct read
 * once. If a batch fails, it is split, and a requester whose reads fail is read alone: one broken contract
 * cannot block the others. An unreachable node fails all of them.
 *
 * @example
 * const reader = createSharedReader(client, deployment)
 * const states = await Promise.all(golems.map(({ reads }) => reader(reads)))
 */
export function createSharedReader(client: PublicClient, deployment: Deployment): StateReader {
  const alone = (reads: Questions) => readState(client, deployment, reads)

  async function readAll(requests: readonly Questions[]): Promise<readonly ChainState[]> {
    const [only, ...others] = requests
    if (only && others.length === 0) return [await alone(only)]
    const state = await readStateAtOnce(client, deployment, requests.flat())
    if (!state) return readHalves(requests)
    // A call also fails if another one left it no gas. That is not an answer.
    return Promise.all(requests.map((reads) => (isAnswered(reads, state) ? state : alone(reads))))
  }

  async function readHalves(requests: readonly Questions[]): Promise<readonly ChainState[]> {
    const middle = requests.length >> 1
    const halves = [requests.slice(0, middle), requests.slice(middle)]
    return (await Promise.all(halves.map(readAll))).flat()
  }

  return createBatcher(readAll, {
    most: maxReads,
    sizeOf: (reads) => reads.length,
    pause: () => new Promise((resolve) => setTimeout(resolve)),
  })
}

function isAnswered(reads: Questions, state: ChainState): boolean {
  return reads.every((read) => state.answer(read)?.ok)
}
