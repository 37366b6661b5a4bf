import { createSubmitter, type Submitter, systemClock } from '@bardo/chain'
import type { Clock, SealingSecret } from '@bardo/core'
import {
  createGolem,
  type GolemParts,
  type LivingGolem,
  type OwnerSeat,
  sealedKeySource,
  type ToolContext,
} from '@bardo/golem'
import { openStore, type Store } from '@bardo/store'
import type { Hash, LocalAccount } from 'viem'
import { type ChainPlace, findChain } from './findChain.ts'
import { golemSettings } from './golemSettings.ts'
import { sealingSecret } from './sealingSecret.ts'
import type { Settings } from './settings.ts'

/** A data folder that is open, on a chain that answers: all that work is done with. */
export type Place = AsyncDisposable & {
  readonly settings: Settings
  readonly chain: ChainPlace
  readonly store: Store
  readonly secret: SealingSecret
  readonly clock: Clock
  partsOf(golem: Hash): Promise<GolemParts>
  open(golem: Hash): Promise<LivingGolem>
  submitterOf(signer: LocalAccount): Submitter
  /** What tools work with; an owner who is given answers at once. */
  toolsFor(golem: Hash | undefined, owner?: OwnerSeat): ToolContext
}

/** Finds the chain and opens the folder. */
export async function openPlace(settings: Settings): Promise<Place> {
  const chain = await findChain(settings)
  return placeOf(settings, chain, await openFolder(settings))
}

/** Opens what is remembered. */
export function openFolder({ home, databaseUrl }: Settings): Promise<Store> {
  return openStore({ home, databaseUrl, clock: systemClock })
}

/** A place, of parts that are open already. */
export function placeOf(settings: Settings, chain: ChainPlace, store: Store): Place {
  const secret = sealingSecret(settings)
  const { client, deployment, book, submitter } = chain
  const { chainId } = deployment
  const clock = systemClock

  async function partsOf(id: Hash): Promise<GolemParts> {
    const lives = await golemSettings(store, id, chainId, settings.env)
    const keys = sealedKeySource(store, id, secret)
    return {
      id,
      store,
      client,
      deployment,
      book,
      clock,
      keys,
      settings: { ...lives, submitter },
      warn: () => {},
    }
  }
  const open = async (id: Hash) => createGolem(await partsOf(id))

  return {
    settings,
    chain,
    store,
    secret,
    clock,
    partsOf,
    open,
    submitterOf: (signer) =>
      createSubmitter({ client, chainId, journal: store.journal, clock, signer, settings: submitter }),
    toolsFor: (golem, owner) => ({
      store,
      client,
      deployment,
      book,
      clock,
      golem,
      open,
      keys: (id) => sealedKeySource(store, id, secret),
      submitter,
      ...(owner && { owner }),
    }),
    [Symbol.asyncDispose]: () => store.close(),
  }
}
