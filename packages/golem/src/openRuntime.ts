import { createSubmitter, type Submitter } from '@bardo/chain'
import type { SealingSecret } from '@bardo/core'
import { sealedKeySource } from '@bardo/wallets'
import type { Hash, LocalAccount } from 'viem'
import { createGolem, type LivingGolem } from './heartbeat/createGolem.ts'
import type { GolemParts, GolemSettings } from './permission/golemParts.ts'

/** What every Golem of a runtime shares. */
export type RuntimeOptions = Omit<GolemParts, 'id' | 'keys' | 'settings'> & {
  /** What session keys are sealed with. */
  readonly secret: SealingSecret
  /** The settings of one Golem. */
  settingsOf(golem: Hash): GolemSettings | Promise<GolemSettings>
}

/** Opens the Golems of one store on one chain. */
export type Runtime = {
  /** Where the keys of a Golem are. */
  keysOf(golem: Hash): ReturnType<typeof sealedKeySource>
  /** Everything that one Golem consists of. */
  partsOf(golem: Hash): Promise<GolemParts>
  open(golem: Hash): Promise<LivingGolem>
  /** Sends transactions of another account, through the same journal. */
  submitterOf(signer: LocalAccount, settings?: GolemSettings['submitter']): Submitter
}

/**
 * Joins a store, a chain and a sealing secret into a runtime: the one place where a Golem is put together.
 *
 * @example
 * const runtime = openRuntime({ store, client, deployment, book, clock, secret, settingsOf })
 * const golem = await runtime.open(id)
 * await golem.tick()
 */
export function openRuntime({ secret, settingsOf, ...shared }: RuntimeOptions): Runtime {
  const { store, client, deployment, clock } = shared
  const keysOf: Runtime['keysOf'] = (golem) =>
    sealedKeySource({
      store,
      golem,
      secret,
      chainId: deployment.chainId,
      route: async () => (await settingsOf(golem)).route ?? { type: 'direct' },
    })
  const partsOf: Runtime['partsOf'] = async (id) => ({
    ...shared,
    id,
    keys: keysOf(id),
    settings: await settingsOf(id),
  })
  return {
    keysOf,
    partsOf,
    open: async (id) => createGolem(await partsOf(id)),
    submitterOf: (signer, settings) =>
      createSubmitter({
        client,
        chainId: deployment.chainId,
        journal: store.journal,
        clock,
        signer,
        ...(settings && { settings }),
      }),
  }
}
