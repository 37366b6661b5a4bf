import { type Redeemer, sessionKeyAccount } from '@bardo/chain'
import { BardoError, type DailyCosts } from '@bardo/core'
import {
  createGolem,
  type DeathStep,
  defaultSchedule,
  type GolemParts,
  type HeartbeatStep,
  type Intention,
  type LivingGolem,
  sealedKeySource,
} from '@bardo/golem'
import { type Hash, isHash } from 'viem'
import { type Stage, submission } from './openStage.ts'
import type { Told } from './story.ts'

/** A Golem of this story. */
export type Life = {
  readonly id: Hash
  readonly parts: GolemParts
  readonly golem: LivingGolem
  /** Whoever has the Golem's key has this: a hand that can send whatever it likes. */
  hand(): Promise<Redeemer>
  /** One heartbeat in which it does what the story wants of it; waits where that is not to be. */
  act(errand: Intention): Promise<Pick<Told, 'transaction'>>
  /** When each step of a heartbeat or of its death began, in milliseconds. */
  readonly heard: readonly { readonly step: HeartbeatStep | DeathStep; readonly at: number }[]
}

/** Brings a summoned Golem to life. A script decides for it here, where a model or a rule would; nothing else is played. */
export async function createLife(stage: Stage, id: Hash, dailyCosts: DailyCosts): Promise<Life> {
  const { store, client, deployment, book, clock, secret } = stage
  const errands: Intention[] = []
  const heard: Life['heard'][number][] = []
  const parts: GolemParts = {
    id,
    store,
    client,
    deployment,
    book,
    clock,
    keys: sealedKeySource(store, id, secret),
    settings: {
      schedule: defaultSchedule,
      strategy: async () => errands.shift() ?? { is: 'wait', because: 'the story wants nothing' },
      economy: { runwayCents: 0n, dailyCosts },
      expiryTicks: 3,
      poolFee: 500,
      submitter: submission,
    },
    onStep: (step) => heard.push({ step, at: performance.now() }),
  }
  const golem = await createGolem(parts)

  return {
    id,
    parts,
    golem,
    heard,
    async hand() {
      const key = await parts.keys.open()
      if (!key) throw new BardoError('The Golem has no key any more.', { code: 'SESSION_KEY_ZEROED' })
      const signer = sessionKeyAccount(key)
      return { client, deployment, address: signer.address, submitter: stage.submitterOf(signer) }
    },
    async act(errand) {
      const before = (await landed(stage, id)).length
      errands.push(errand)
      await golem.tick()
      const transaction = (await landed(stage, id)).slice(before).at(-1)
      return transaction ? { transaction } : {}
    },
  }
}

/** The transactions of a Golem's actions, as its own record has them. */
async function landed({ store }: Stage, golem: Hash): Promise<readonly Hash[]> {
  const events = await store.events.read({ after: 0, golem, limit: 10_000 })
  return events.flatMap(({ name, body }) => (name === 'action.landed' ? transactionIn(body) : []))
}

function transactionIn(body: unknown): Hash[] {
  const isNamed = typeof body === 'object' && body !== null && 'transaction' in body
  return isNamed && typeof body.transaction === 'string' && isHash(body.transaction) ? [body.transaction] : []
}
