import { type Submitter, systemClock } from '@bardo/chain'
import type { Clock, SealingSecret } from '@bardo/core'
import {
  type GolemParts,
  type LivingGolem,
  type ModelList,
  type OwnerResponder,
  openRuntime,
} from '@bardo/golem'
import { openStore, type Store } from '@bardo/store'
import type { ToolContext } from '@bardo/tools'
import type { Hash, LocalAccount } from 'viem'
import { type ChainConnection, findChain } from './findChain.ts'
import { golemSettings } from './golemSettings.ts'
import { operatorModels } from './operatorModels.ts'
import { sealingSecret } from './sealingSecret.ts'
import type { Settings } from './settings.ts'

/** An open data folder and a connected chain. */
export type Context = AsyncDisposable & {
  readonly settings: Settings
  readonly chain: ChainConnection
  readonly store: Store
  readonly secret: SealingSecret
  readonly models: ModelList
  readonly clock: Clock
  partsOf(golem: Hash): Promise<GolemParts>
  open(golem: Hash): Promise<LivingGolem>
  submitterOf(signer: LocalAccount): Submitter
  /** The context of tools. A given owner responder answers requests at once. */
  toolsFor(golem: Hash | undefined, owner?: OwnerResponder): ToolContext
}

/** Connects to the chain and opens the data folder. */
export async function openContext(settings: Settings): Promise<Context> {
  const chain = await findChain(settings)
  return contextOf(settings, chain, await openFolder(settings))
}

/** Opens the store of the data folder, or the database server. */
export function openFolder({ home, databaseUrl }: Settings): Promise<Store> {
  return openStore({ home, databaseUrl, clock: systemClock })
}

/** A context from parts that are already open. */
export function contextOf(
  settings: Settings,
  chain: ChainConnection,
  store: Store,
  clock: Clock = systemClock,
): Context {
  const secret = sealingSecret(settings)
  const { client, deployment, book, submitter } = chain
  const { chainId } = deployment
  const models = operatorModels(settings)

  const settingsOf = async (id: Hash) => ({
    ...(await golemSettings(store, id, { chainId, env: settings.env, models })),
    submitter,
  })
  const shared = { store, client, deployment, book, clock }
  const runtime = openRuntime({ ...shared, secret, settingsOf, warn: settings.warn ?? (() => {}) })
  const { partsOf, open, keysOf } = runtime

  return {
    settings,
    chain,
    store,
    secret,
    models,
    clock,
    partsOf,
    open,
    submitterOf: (signer) => runtime.submitterOf(signer, submitter),
    toolsFor: (golem, owner) => ({
      ...shared,
      golem,
      open,
      keys: keysOf,
      submitter,
      ...(owner && { owner }),
    }),
    [Symbol.asyncDispose]: () => store.close(),
  }
}
