import type { Coverage } from '../caveatKind.ts'
import { covered, wider } from './words.ts'

/** An open interval in which zero stands for no bound. */
export type Thresholds = { readonly after: bigint; readonly before: bigint }

/** Whether the child’s interval lies inside the parent’s. */
export function coversThresholds(
  parent: Thresholds,
  child: Thresholds,
  word: (value: bigint) => string,
): Coverage {
  if (child.after < parent.after) {
    return wider(
      `it begins after ${child.after ? word(child.after) : 'nothing'}, the parent only after ${word(parent.after)}`,
    )
  }
  if (parent.before > 0n && (child.before === 0n || child.before > parent.before)) {
    return wider(
      `it ends ${child.before ? `before ${word(child.before)}` : 'never'}, the parent before ${word(parent.before)}`,
    )
  }
  return covered
}
