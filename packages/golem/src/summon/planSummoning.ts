import { BardoError, type Delegation } from '@bardo/core'
import { activeKey } from '@bardo/wallets'
import { inheritTestament } from '../death/inheritTestament.ts'
import { prepareRoot, readFigures, requireAddresses, requireGrantable } from './prepareRoot.ts'
import { beginSummoning, findSummoning } from './summoning.ts'
import type { Manifest, SummonPlan } from './summons.ts'

/**
 * Begins a summoning without its owner: generates and seals the Golem's key, takes its name, and plans its first root.
 * Nothing is signed or sent. `summonGolem` continues it.
 */
export async function planSummoning(manifest: Manifest): Promise<SummonPlan> {
  const { store, client, clock, owner, ancestor } = manifest
  await inheritTestament(store, owner, ancestor)
  const begun = clock.now()
  const { timestamp: now } = await client.getBlock()
  await requireGrantable(manifest, now)
  await requireAddresses(manifest, now)
  const { golem } = (await findSummoning(manifest)) ?? (await beginSummoning(manifest, clock.now() - begun))
  const key = await activeKey(store, golem.id)
  if (!key)
    throw new BardoError('The session key of this summoning is wiped.', {
      code: 'SESSION_KEY_ZEROED',
      remedy: 'Summon a Golem with another name.',
    })
  return { golem: golem.id, key: key.address, now, ...(await readFigures(manifest, golem.id, now)) }
}

/** Builds the first root of a plan, to be signed. */
export function plannedRoot(manifest: Manifest, { golem, key, ...signing }: SummonPlan): Promise<Delegation> {
  return prepareRoot({ ...manifest, signing }, golem, key, signing.now)
}
