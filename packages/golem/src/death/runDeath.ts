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
} from '../state/death.ts'
import { deathEvents } from './deathEvents.ts'

/** The result of a step that is always possible: it is retried until it is done. */
type CertainResult = Exclude<DeathStepResult, { readonly kind: 'impossible' }>

/**
 * The ports of a death. A step may be performed again after it was done; each has its effect once, under its
 * intent id:
 * transactions by the journal, the rest by writing only if nothing is stored yet.
 */
export type DeathPorts = {
  load(golem: string): Promise<Death | undefined>
  /**
   * Writes death and events together, if the stored version is the previous one; version 0 if none is stored.
   *
   * @param bonds - see `writeDeath`
   */
  save(death: Death, events: readonly GolemEvent[], bonds?: string): Promise<boolean>
  readonly perform: Readonly<{
    [Step in DeathStep]: (
      death: Death,
      intentId: string,
    ) => Promise<Step extends AvoidableStep ? DeathStepResult : CertainResult>
  }>
  /** Called when a step begins. */
  onStep?(step: DeathStep): void
}

/** The final figures of a life, for its last event. */
export type LifeFigures = {
  readonly ticks: number
  readonly totalCostCents: bigint
  readonly finalNavCents: bigint
  readonly permissions: readonly `0x${string}`[]
}

/** Begins a death. A second or repeated call gets the death that has begun. */
export async function acceptDeath(
  ports: Pick<DeathPorts, 'load' | 'save'>,
  { survivalScore, ...start }: Parameters<typeof beginDeath>[1] & { readonly survivalScore: number },
): Promise<Death> {
  const existing = await ports.load(start.golem)
  if (existing) return existing
  const death = beginDeath(undefined, start)
  const { trigger } = death
  const began = await ports.save(death, [
    { name: 'DeathProtocolStarted', trigger, vitalityScore: survivalScore },
  ])
  return began ? death : ((await ports.load(start.golem)) ?? death)
}

/**
 * Continues a death from where a crash left it, until it is over or has to wait. Any worker may continue it;
 * call it at
 * every tick of a dying Golem. Undefined if the Golem is not dying.
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
    // If this returns false, another worker was faster: continue from its state.
    await ports.save(next, deathEvents(next, step, figures))
  }
}
