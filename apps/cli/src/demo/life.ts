import type { Redeemer } from '@bardo/chain'
import { BardoError, type DayPrices } from '@bardo/core'
import {
  createGolem,
  type DeathStep,
  defaultSchedule,
  type GolemParts,
  type HeartbeatStep,
  type Intention,
  type LivingGolem,
} from '@bardo/golem'
import { createWalletSubmitter, sealedKeySource } from '@bardo/wallets'
import { type Hash, isHash } from 'viem'
import { type Stage, submission } from './openStage.ts'
import type { StepResult } from './story.ts'

/** A Golem of the demo. */
export type Life = {
  readonly id: Hash
  readonly parts: GolemParts
  readonly golem: LivingGolem
  /** A redeemer with the Golem's key and without Bardo's checks, as a thief would have it. */
  hand(): Promise<Redeemer>
  /** Runs one tick with the given decision. Returns the transaction, if one was sent. */
  act(task: Intention): Promise<Pick<StepResult, 'transaction'>>
  /** When each step of a tick or of the shutdown began, in milliseconds. */
  readonly stepTimes: readonly { readonly step: HeartbeatStep | DeathStep; readonly at: number }[]
}

/** Opens a summoned Golem. A script decides instead of a model or a rule; everything else is real. */
export async function createLife(stage: Stage, id: Hash, dayPrices: DayPrices): Promise<Life> {
  const { store, client, deployment, book, clock, secret } = stage
  const tasks: Intention[] = []
  const stepTimes: Life['stepTimes'][number][] = []
  const parts: GolemParts = {
    id,
    store,
    client,
    deployment,
    book,
    clock,
    keys: sealedKeySource({ store, golem: id, secret, chainId: deployment.chainId }),
    settings: {
      schedule: defaultSchedule,
      strategy: async () => tasks.shift() ?? { type: 'wait', because: 'the demo has no task for it' },
      economy: { runwayCents: 0n, dayPrices },
      expiryTicks: 3,
      poolFee: 500,
      submitter: submission,
    },
    onStep: (step) => stepTimes.push({ step, at: performance.now() }),
  }
  const golem = await createGolem(parts)

  return {
    id,
    parts,
    golem,
    stepTimes,
    async hand() {
      const wallet = await parts.keys.open()
      if (!wallet) throw new BardoError('The Golem’s key is wiped.', { code: 'SESSION_KEY_ZEROED' })
      const submitter = createWalletSubmitter(wallet, {
        client,
        chainId: deployment.chainId,
        journal: store.journal,
        clock,
        settings: submission,
      })
      return { client, deployment, address: wallet.address, submitter }
    },
    async act(task) {
      const before = (await landed(stage, id)).length
      tasks.push(task)
      await golem.tick()
      const transaction = (await landed(stage, id)).slice(before).at(-1)
      return transaction ? { transaction } : {}
    },
  }
}

/** The transactions of a Golem's actions, from its events. */
async function landed({ store }: Stage, golem: Hash): Promise<readonly Hash[]> {
  const events = await store.events.read({ after: 0, golem, limit: 10_000 })
  return events.flatMap(({ name, body }) => (name === 'action.landed' ? transactionIn(body) : []))
}

function transactionIn(body: unknown): Hash[] {
  const isNamed = typeof body === 'object' && body !== null && 'transaction' in body
  return isNamed && typeof body.transaction === 'string' && isHash(body.transaction) ? [body.transaction] : []
}
