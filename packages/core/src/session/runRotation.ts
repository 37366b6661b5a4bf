import { BardoError } from '../errors/BardoError.ts'
import {
  advanceRotation,
  nextRotationStep,
  type Rotation,
  type RotationStep,
  type StepResult,
} from './rotation.ts'

/**
 * The dependencies of a rotation. A step may be performed again after it was done, by this process or by a
 * slower one: each must take effect once per rotation. Transactions get this from the journal, with an intent
 * id derived from the rotation's id and the step; other steps write only if nothing or the old value is
 * stored.
 */
export type RotationPorts = {
  load(id: string): Promise<Rotation | undefined>
  /** Writes if the stored version is the previous one. */
  save(rotation: Rotation): Promise<boolean>
  readonly perform: Readonly<Record<RotationStep | 'wipe-new', (rotation: Rotation) => Promise<StepResult>>>
}

/**
 * Continues a rotation from its stored state until it ends or must wait. Call it at every tick. It keeps
 * nothing in memory: any worker may continue it.
 *
 * @example
 * const { status } = await runRotation({ load, save, perform }, '1')
 */
export async function runRotation(ports: RotationPorts, id: string): Promise<Rotation> {
  for (;;) {
    const rotation = await ports.load(id)
    if (!rotation)
      throw new BardoError('The rotation does not exist.', { code: 'INVALID_INPUT', details: [id] })
    const step = nextRotationStep(rotation)
    if (!step) return rotation
    const result = await ports.perform[step](rotation).catch(async (error: unknown) => {
      // Another worker may have done this step and further ones: the key that is missing here is already
      // wiped.
      if ((await ports.load(id))?.version === rotation.version) throw error
    })
    if (!result) continue
    const next = advanceRotation(rotation, result)
    if (next === rotation) return rotation
    // Another worker was faster: continue from its state.
    await ports.save(next)
  }
}
