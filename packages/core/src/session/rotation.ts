import type { Hex } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { RotationReason } from './rotationPolicy.ts'

/** A key is named by its public point, on either curve. */
export type KeyName = Hex

/**
 * How a key is replaced. `session-account`: the account's signer is swapped. `direct`: the old key redelegates to the
 * new one. `suspected`: the old root is disabled, and the owner grants anew.
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
 * The order is the safety. A new key is stored before anything accepts it, and the old one is wiped last, so that at
 * every moment a stored key is one that the chain accepts. A suspected key's root is disabled before the owner is
 * asked, so that two budgets never stand beside each other. What the old key has on its way is drained while it can
 * still replace it.
 */
export const rotationSteps = {
  'session-account': ['make-key', 'drain', 'swap-signer', 'switch', 'wipe-old'],
  direct: ['make-key', 'redelegate', 'hand-over', 'switch', 'drain', 'move-gas', 'wipe-old'],
  suspected: ['disable-root', 'make-key', 'request-grant', 'switch', 'drain', 'wipe-old'],
} as const satisfies Record<RotationKind, readonly RotationStep[]>

/** A rotation as it is stored. Plain data: a crash loses nothing of it. */
export type Rotation = {
  readonly id: string
  readonly kind: RotationKind
  readonly reason: RotationReason
  readonly oldKey: KeyName
  readonly newKey: KeyName | undefined
  /** How many of its kind's steps are done. */
  readonly stepsDone: number
  /** `undoing`: a step was refused, and the new key is to be wiped. */
  readonly status: 'open' | 'undoing' | 'done' | 'failed'
  readonly refusal: string | undefined
  /** Counts the writes: each is made on condition that it is the next. */
  readonly version: number
}

/** What a step came to. `refused` is certain: it did not happen and never will. Anything less certain is `waiting`. */
export type StepResult =
  | { readonly kind: 'done'; readonly newKey?: KeyName }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly why: string }

/** Redelegations below the root at most: each costs gas at every use, for ever, until the owner next signs. */
export const maxRedelegations = 4

/** A rotation that has not begun. Refuses what its kind cannot do. */
export function planRotation(plan: {
  readonly id: string
  readonly kind: RotationKind
  readonly reason: RotationReason
  readonly oldKey: KeyName
  /** For direct keys: the links below the root so far, and whether the root lets its delegate redelegate. */
  readonly chain?: { readonly redelegations: number; readonly mayRedelegate: boolean }
}): Rotation {
  const { id, kind, reason, oldKey, chain } = plan
  // A suspected key must not choose its own successor, and a lost one cannot.
  if ((reason === 'suspected' || reason === 'lost') && kind !== 'suspected')
    throw refuse(`A ${reason} key cannot hand over.`, 'Rotate by a fresh grant of the owner.')
  if (kind === 'direct' && !chain?.mayRedelegate)
    throw refuse('The root does not let this key redelegate.', 'Ask the owner for a new grant.')
  if (kind === 'direct' && (chain?.redelegations ?? 0) >= maxRedelegations)
    throw refuse('The chain of delegations is as long as it may be.', 'The next feeding gives it a new root.')
  const nothing = { newKey: undefined, stepsDone: 0, refusal: undefined, version: 0 } as const
  return { id, kind, reason, oldKey, status: 'open', ...nothing }
}

/** What is to be done next; undefined once it has ended. */
export function nextRotationStep({
  kind,
  status,
  stepsDone,
}: Rotation): RotationStep | 'wipe-new' | undefined {
  if (status === 'undoing') return 'wipe-new'
  return status === 'open' ? rotationSteps[kind][stepsDone] : undefined
}

/** The rotation after its next step came to `result`. Waiting changes nothing. */
export function advanceRotation(rotation: Rotation, result: StepResult): Rotation {
  const { kind, status, stepsDone, version } = rotation
  const step = nextRotationStep(rotation)
  if (!step || result.kind === 'waiting') return rotation
  const next = { ...rotation, version: version + 1 }
  if (status === 'undoing') return result.kind === 'done' ? { ...next, status: 'failed' } : rotation
  if (result.kind === 'refused') {
    // After the switch there is no way back: the new key is the one in use, and the rest is tried until it works.
    return isSwitched(rotation) ? rotation : { ...next, status: 'undoing', refusal: result.why }
  }
  const newKey = step === 'make-key' ? result.newKey : rotation.newKey
  if (step === 'make-key' && newKey === undefined)
    throw new BardoError('A key was made and not named.', { code: 'INTERNAL' })
  const isLast = stepsDone + 1 === rotationSteps[kind].length
  return { ...next, newKey, stepsDone: stepsDone + 1, status: isLast ? 'done' : 'open' }
}

/** The key that may sign new operations now, if there is one. Between drain and switch an account has none: a tick is skipped. */
export function operatingKey(rotation: Rotation): KeyName | undefined {
  const { kind, status, oldKey, newKey } = rotation
  if (isSwitched(rotation)) return newKey
  if (kind === 'suspected') return undefined
  const isPaused = kind === 'session-account' && status === 'open' && rotation.stepsDone >= 1
  return isPaused ? undefined : oldKey
}

function isSwitched({ kind, stepsDone }: Rotation): boolean {
  const steps: readonly RotationStep[] = rotationSteps[kind]
  return stepsDone > steps.indexOf('switch')
}

function refuse(message: string, remedy: string) {
  return new BardoError(message, { code: 'ROTATION_REFUSED', remedy })
}
