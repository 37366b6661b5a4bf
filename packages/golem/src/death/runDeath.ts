import type { GolemEvent } from '../events/golemEvent.ts'
import {
  type AvoidableStep,
  advanceDeath,
  beginDeath,
  type Death,
  type DeathStep,
  type DeathStepResult,
  deathIntentId,
  nextDeathStep,
} from './death.ts'
import { deathEvents } from './deathEvents.ts'

/** A step that is possible whatever happens: it is tried until it is done. */
type CertainResult = Exclude<DeathStepResult, { readonly kind: 'impossible' }>

/**
 * What dying needs of the world. A step may be performed again after it was done; each has its effect once, under its
 * intent id: transactions by the journal, the rest by writing only where nothing is yet.
 */
export type DeathPorts = {
  load(golem: string): Promise<Death | undefined>
  /** Writes death and events together, if the stored version is the one before; version 0, if none is stored. */
  save(death: Death, events: readonly GolemEvent[]): Promise<boolean>
  readonly perform: Readonly<{
    [Step in DeathStep]: (
      death: Death,
      intentId: string,
    ) => Promise<Step extends AvoidableStep ? DeathStepResult : CertainResult>
  }>
  /** Hears which step begins. */
  onStep?(step: DeathStep): void
}

/** The last figures of a life, for its last event. */
export type LifeFigures = {
  readonly ticks: number
  readonly totalCostCents: bigint
  readonly finalNavCents: bigint
  readonly permissions: readonly `0x${string}`[]
}

/** The first moment of a death. Whoever comes second, or asks again, gets the death that has begun. */
export async function acceptDeath(
  ports: Pick<DeathPorts, 'load' | 'save'>,
  { survivalScore, ...start }: Parameters<typeof beginDeath>[1] & { readonly survivalScore: number },
): Promise<Death> {
  const known = await ports.load(start.golem)
  if (known) return known
  const death = beginDeath(undefined, start)
  const { trigger } = death
  const began = await ports.save(death, [
    { name: 'DeathProtocolStarted', trigger, vitalityScore: survivalScore },
  ])
  return began ? death : ((await ports.load(start.golem)) ?? death)
}

/**
 * Carries a death on from wherever a crash left it, until it is over or has to wait. Any worker may be the next; call
 * it at every tick of a dying Golem. Undefined where nobody is dying.
 */
export async function runDeath(
  ports: DeathPorts,
  golem: string,
  figures: LifeFigures,
  now: () => number,
): Promise<Death | undefined> {
  for (;;) {
    const death = await ports.load(golem)
    const step = death && nextDeathStep(death)
    if (!death || !step) return death
    ports.onStep?.(step)
    const result = await ports.perform[step](death, deathIntentId(death, step))
    const next = advanceDeath(death, result, now())
    if (next === death) return death
    // Not ours to write: another worker was faster, and its state is the one to go on from.
    await ports.save(next, deathEvents(next, step, figures))
  }
}
