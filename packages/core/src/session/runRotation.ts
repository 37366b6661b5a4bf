import { BardoError } from '../errors/BardoError.ts'
import {
  advanceRotation,
  nextRotationStep,
  type Rotation,
  type RotationStep,
  type StepResult,
} from './rotation.ts'

/**
 * What a rotation needs of the world. A step may be performed again after it was done, by this process or by another
 * that was slow: each has its effect once for each rotation. Transactions get it from the journal, under an intent id
 * made of the rotation's id and the step; the rest by writing only where nothing is yet, or where the old value is.
 */
export type RotationPorts = {
  load(id: string): Promise<Rotation | undefined>
  /** Writes if the stored version is the one before. */
  save(rotation: Rotation): Promise<boolean>
  readonly perform: Readonly<Record<RotationStep | 'wipe-new', (rotation: Rotation) => Promise<StepResult>>>
}

/**
 * Carries a rotation on, from wherever a crash left it, until it has ended or has to wait. Call it at every tick.
 * It holds nothing in memory: any worker may be the next to carry it on.
 */
export async function runRotation(ports: RotationPorts, id: string): Promise<Rotation> {
  for (;;) {
    const rotation = await ports.load(id)
    if (!rotation)
      throw new BardoError('There is no such rotation.', { code: 'INVALID_INPUT', details: [id] })
    const step = nextRotationStep(rotation)
    if (!step) return rotation
    const next = advanceRotation(rotation, await ports.perform[step](rotation))
    if (next === rotation) return rotation
    // Not ours to write: another worker was faster, and its state is the one to go on from.
    await ports.save(next)
  }
}
