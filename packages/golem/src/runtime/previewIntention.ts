import { refusedRedemption } from '@bardo/chain'
import { BardoError, type Explanation, type PermissionPlan, type Phase, phaseNumber } from '@bardo/core'
import type { Death } from '../death/death.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import type { TickPorts } from '../heartbeat/tickPorts.ts'
import { boundDecision } from '../strategies/boundDecision.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { GolemParts } from './golemParts.ts'
import { requireAble } from './requireAble.ts'
import { previewKey, sweepPreviews } from './sweepPreviews.ts'

/** An action that may be committed, once. */
export type Preview = {
  readonly permitId: string
  /** The most that it may cost. */
  readonly valueCents: bigint
  /** It can be committed before this tick. */
  readonly expiresAtTick: number
}

/** A Golem as it stands, with the ports of its heart. */
export type Acting = {
  readonly parts: Pick<GolemParts, 'id' | 'store' | 'deployment'>
  readonly ports: TickPorts
  life(): Promise<{ readonly state: GolemState; readonly death: Death | undefined }>
  /** What the chain would make of it. */
  explain(intention: Intention): Promise<Explanation>
  /** Unix seconds. */
  now(): number
}

/**
 * Asks for leave to do something, as a tick does: bounded by the plan, guarded, and given a capability that allows exactly
 * this once. Unlike a strategy's, a wish is never made smaller: it is refused, with what would be allowed.
 */
export async function previewIntention(acting: Acting, intention: Intention): Promise<Preview> {
  const { parts, ports } = acting
  const { id, store } = parts
  const { state, death } = await acting.life()
  requireAble(state, death, undefined)
  const senses = await ports.sense(state)
  requireAble(state, death, senses.outage)
  const phase = laterOf(state.phase, senses.shown.phase)
  const bounded = boundDecision(intention, { ...senses.view, now: senses.at, phase })
  if (bounded.is === 'wait')
    throw await refusal(acting, intention, outOfBounds(bounded.because, senses.view.plan))
  if (bounded.cents < intention.cents)
    throw await refusal(acting, intention, tooMuch(bounded.cents, intention.cents))
  const guarded = await ports.guard(`${id}:preview`, intention, state.tick + 1)
  if (guarded.is === 'refused') throw guarded.error
  const { permitId, valueCents } = guarded
  await sweepPreviews(store, id, state)
  await store.grimoire.put({
    golem: id,
    key: previewKey(permitId),
    kind: 'preview',
    body: { intention, valueCents },
  })
  const { expiresAtTick } = (await store.capabilities.find(permitId))?.capability ?? lost()
  return { permitId, valueCents, expiresAtTick }
}

/** Where the chain would refuse it too, its word says more: which link, which caveat, which numbers. */
async function refusal(
  { parts, explain }: Acting,
  intention: Intention,
  own: BardoError,
): Promise<BardoError> {
  try {
    const { deployment } = parts
    return refusedRedemption(await explain(intention), { deployment, step: 0, outcome: 'not-sent' }) ?? own
  } catch {
    return own
  }
}

function outOfBounds(because: string, { pairs, targets }: PermissionPlan): BardoError {
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [`vault of ${target.asset}`] : []))
  return new BardoError('The plan does not allow this.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [
      because,
      `allowed: ${[...pairs.map(({ from, to }) => `${from} to ${to}`), ...vaults].join(', ')}`,
    ],
    remedy: 'Wish for what the plan allows, when it allows it, or ask the owner for a wider one.',
    docsPath: 'golem.md#strategies',
  })
}

function tooMuch(allowed: bigint, wished: bigint): BardoError {
  return new BardoError('That is more than may be moved now.', {
    code: 'SPEND_LIMIT_EXCEEDED',
    details: [`${wished} cents are wished for`, `${allowed} cents are allowed`],
    remedy: `Do less: at most ${allowed} cents.`,
    docsPath: 'golem.md#strategies',
  })
}

/** Of two phases the one nearer to the end. */
export function laterOf(a: Phase, b: Phase): Phase {
  return phaseNumber(a) >= phaseNumber(b) ? a : b
}

function lost(): never {
  throw new BardoError('A permit that was just given is gone.', { code: 'STORE_CORRUPT' })
}
