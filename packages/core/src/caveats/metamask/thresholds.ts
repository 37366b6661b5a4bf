import type { Coverage } from '../caveatKind.ts'
import { covered, wider } from './words.ts'

/** An open interval; zero means no limit. */
export type Thresholds = { readonly after: bigint; readonly before: bigint }

/** Whether the child's interval lies within the parent's. */
export function coversThresholds(
  parent: Thresholds,
  child: Thresholds,
  word: (value: bigint) => string,
): Coverage {
  if (child.after < parent.after) {
    return wider(
      `the child starts ${child.after ? `after ${word(child.after)}` : 'without a limit'}; the parent starts after ${word(parent.after)}`,
    )
  }
  if (parent.before > 0n && (child.before === 0n || child.before > parent.before)) {
    return wider(
      `the child ends ${child.before ? `before ${word(child.before)}` : 'never'}; the parent ends before ${word(parent.before)}`,
    )
  }
  return covered
}
