import { BardoError } from '@bardo/core'
import type { Action } from '../capability/action.ts'
import type { CapabilityPolicy } from '../capability/policy.ts'
import { type PreviewPorts, previewAction } from '../capability/previewAction.ts'
import { outageOf } from '../recovery/recovery.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { TickPorts } from './tickPorts.ts'

/** What the guard of one Golem is made of. */
export type GuardOptions = PreviewPorts & {
  readonly golem: string
  readonly expiryTicks: number
  policy(): Promise<CapabilityPolicy>
  /** An intention as calls on the owner's account. */
  build(intention: Intention): Promise<Action>
  /** The owner's constitution: throws what refuses it. */
  check(intention: Intention, action: Action): Promise<void>
  /** What the library says to it by what the chain shows now; undefined where nothing refuses it. */
  evaluate(action: Action): Promise<BardoError | undefined>
  /** Unix seconds. */
  now(): number
}

/**
 * Step 7: an intention becomes an action, and the action a capability, by way of the constitution's four checks, the
 * evaluation and the simulation, in this order: what is refused early costs less. A clear no is a refusal; an outage, or a defect of
 * ours, is none and is thrown: the Golem must not be blamed for it.
 */
export function createGuard(options: GuardOptions): TickPorts['guard'] {
  const { golem, expiryTicks } = options
  return async (_intentId, intention, tick) => {
    try {
      const action = await options.build(intention)
      await options.check(intention, action)
      const refusal = await options.evaluate(action)
      if (refusal) throw refusal
      const request = { golem, action, requestedCents: intention.cents, tick, now: options.now() }
      const capability = await previewAction(options, await options.policy(), expiryTicks, request)
      return { is: 'allowed', permitId: capability.permitId, valueCents: capability.valueLimitCents }
    } catch (error) {
      const isRefusal = error instanceof BardoError && error.code !== 'INTERNAL' && !outageOf(error)
      if (!isRefusal) throw error
      return { is: 'refused', error }
    }
  }
}
