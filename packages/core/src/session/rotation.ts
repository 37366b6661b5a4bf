import type { Hex } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { RotationReason } from './rotationPolicy.ts'

/** A key is identified by its public point, on either curve. */
export type KeyName = Hex

/**
 * How a key is replaced. `session-account`: the account's signer is swapped. `direct`: the old key
 * redelegates to the new one. `suspected`: the old root is disabled, and the owner signs a new grant.
 */
export type RotationKind = 'session-account' | 'direct' | 'suspected'

/** One effect of a rotation. */
export type RotationStep =
  | 'disable-root'
  | 'make-key'
  | 'drain'
  | 'swap-signer'
  | 'redelegate'
  | 'hand-over'
  | 'request-grant'
  | 'switch'
  | 'move-gas'
  | 'wipe-old'

/**
 * The order makes it safe. A new key is stored before anything accepts it, and the old one is wiped last, so
 * that at every moment the chain accepts a stored key. The root of a suspected key is disabled before the
 * owner is asked, so that two budgets never exist at once. Pending transactions of the old key are drained
 * while it can still replace them.
 */
export const rotationSteps = {
  'session-account': ['make-key', 'drain', 'swap-signer', 'switch', 'wipe-old'],
  direct: ['make-key', 'redelegate', 'hand-over', 'switch', 'drain', 'move-gas', 'wipe-old'],
  suspected: ['disable-root', 'make-key', 'request-grant', 'switch', 'drain', 'wipe-old'],
} as const satisfies Record<RotationKind, readonly RotationStep[]>

/** A stored rotation. Plain data, so that a crash loses nothing. */
export type Rotation = {
  readonly id: string
  readonly kind: RotationKind
  readonly reason: RotationReason
  readonly oldKey: KeyName
  readonly newKey: KeyName | undefined
  /** The number of completed steps. */
  readonly stepsDone: number
  /** `undoing`: a step was refused, and the new key must be wiped. */
  readonly status: 'open' | 'undoing' | 'done' | 'failed'
  readonly refusal: string | undefined
  /** The rotation that this one replaced: a suspected key does not wait for an ongoing rotation. */
  readonly supersedes?: string
  /** The version of the record: a write succeeds only if it is the next version. */
  readonly version: number
}

/**
 * The result of a step. `refused` is certain: it did not happen and never will. Anything less certain is
 * `waiting`.
 */
export type StepResult =
  | { readonly kind: 'done'; readonly newKey?: KeyName }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly why: string }

/** Maximum redelegations below the root: each costs gas at every use until the owner signs a new root. */
export const maxRedelegations = 4

/**
 * A new rotation. Refuses what its kind cannot do.
 *
 * @example
 * const rotation = planRotation({ id: '1', kind: 'session-account', reason: 'age', oldKey })
 */
export function planRotation(plan: {
  readonly id: string
  readonly kind: RotationKind
  readonly reason: RotationReason
  readonly oldKey: KeyName
  /**
   * For direct keys: the current number of links below the root, and whether the root allows redelegation.
   */
  readonly chain?: { readonly redelegations: number; readonly mayRedelegate: boolean }
  readonly supersedes?: string
}): Rotation {
  const { id, kind, reason, oldKey, chain, supersedes } = plan
  // A suspected key must not choose its own successor, and a lost key cannot.
  if ((reason === 'suspected' || reason === 'lost') && kind !== 'suspected')
    throw refuse(`A ${reason} key cannot redelegate to its successor.`, 'Ask the owner for a new grant.')
  if (kind === 'direct' && !chain?.mayRedelegate)
    throw refuse('The root does not allow this key to redelegate.', 'Ask the owner for a new grant.')
  if (kind === 'direct' && (chain?.redelegations ?? 0) >= maxRedelegations)
    throw refuse(
      'The delegation chain has reached its maximum length.',
      'Feed the Golem: that signs a new root.',
    )
  const nothing = { newKey: undefined, stepsDone: 0, refusal: undefined, version: 0 } as const
  return { id, kind, reason, oldKey, status: 'open', ...nothing, ...(supersedes && { supersedes }) }
}

/**
 * The next step; undefined once the rotation has ended.
 *
 * @example
 * nextRotationStep(planRotation({ id: '1', kind: 'session-account', reason: 'age', oldKey })) // 'make-key'
 */
export function nextRotationStep({
  kind,
  status,
  stepsDone,
}: Rotation): RotationStep | 'wipe-new' | undefined {
  if (status === 'undoing') return 'wipe-new'
  return status === 'open' ? rotationSteps[kind][stepsDone] : undefined
}

/**
 * The rotation after its next step returned `result`. `waiting` changes nothing.
 *
 * @example
 * advanceRotation(rotation, { kind: 'done', newKey }).stepsDone // 1
 */
export function advanceRotation(rotation: Rotation, result: StepResult): Rotation {
  const { kind, status, stepsDone, version } = rotation
  const step = nextRotationStep(rotation)
  if (!step || result.kind === 'waiting') return rotation
  const next = { ...rotation, version: version + 1 }
  if (status === 'undoing') return result.kind === 'done' ? { ...next, status: 'failed' } : rotation
  if (result.kind === 'refused') {
    // The switch cannot be undone: the new key is in use, and the remaining steps are retried until they
    // succeed.
    return isSwitched(rotation) ? rotation : { ...next, status: 'undoing', refusal: result.why }
  }
  const newKey = step === 'make-key' ? result.newKey : rotation.newKey
  if (step === 'make-key' && newKey === undefined)
    throw new BardoError('The step made a key but did not return it.', { code: 'INTERNAL' })
  const isLast = stepsDone + 1 === rotationSteps[kind].length
  return { ...next, newKey, stepsDone: stepsDone + 1, status: isLast ? 'done' : 'open' }
}

/**
 * A rotation that a suspected one replaces. Its completed steps remain; no further step is done.
 *
 * @example
 * await save(supersedeRotation(running))
 * await save(planRotation({ id: '2', kind: 'suspected', reason: 'suspected', oldKey, supersedes: running.id
 * }))
 */
export function supersedeRotation(rotation: Rotation): Rotation {
  const { version } = rotation
  return {
    ...rotation,
    status: 'failed',
    refusal: 'a suspected rotation superseded it',
    version: version + 1,
  }
}

/**
 * The key that may sign new operations now, if any. Between drain and switch an account has none: skip the
 * tick.
 *
 * @example
 * const key = operatingKey(rotation)
 * if (!key) return // Between two keys: skip this tick.
 */
export function operatingKey(rotation: Rotation): KeyName | undefined {
  const { kind, status, oldKey, newKey } = rotation
  if (isSwitched(rotation)) return newKey
  if (kind === 'suspected') return undefined
  const isPaused = kind === 'session-account' && status === 'open' && rotation.stepsDone >= 1
  return isPaused ? undefined : oldKey
}

/**
 * Whether the new key is in use: new signatures must name it.
 *
 * @example
 * const key = isSwitched(rotation) ? rotation.newKey : rotation.oldKey
 */
export function isSwitched({ kind, stepsDone }: Rotation): boolean {
  const steps: readonly RotationStep[] = rotationSteps[kind]
  return stepsDone > steps.indexOf('switch')
}

function refuse(message: string, remedy: string) {
  return new BardoError(message, { code: 'ROTATION_REFUSED', remedy })
}
