import type { Answer, Question } from '../rpc/office.ts'
import { exposureText } from '../text/exposureText.ts'

/** What can leave under what is signed now: as JSON, and as the last lines of a command. */
export type SignedExposure = {
  readonly signedExposure: Omit<Answer<'exposure'>, 'golem' | 'name'> | null
  readonly lines: readonly string[]
}

/**
 * Reads what can leave after an owner signed for a Golem. What was signed is signed: if the node does not answer, the command
 * still reports its result.
 */
export async function readSignedExposure(
  ask: (question: Question<'exposure'>) => Promise<Answer<'exposure'>>,
  golem: string,
): Promise<SignedExposure> {
  try {
    const { name, own, all } = await ask({ golem })
    return {
      signedExposure: { own, all },
      lines: [
        ...(own ? [`With the key of ${name}:`, ...exposureText(own, 'one').map((line) => `  ${line}`)] : []),
        'All Golems of this owner together:',
        ...exposureText(all, 'all').map((line) => `  ${line}`),
      ],
    }
  } catch {
    return {
      signedExposure: null,
      lines: [`What can leave could not be read. See it later: bardo tree ${golem}`],
    }
  }
}
