import { resetPhaseResult } from '@bardo/operations'
import type { Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo reset-phase`. */
export const resetPhase: Run = async (call) => {
  const continued = await signedElsewhere(call, resetText)
  if (continued) return continued
  const { GOLEM: golem } = call.arguments
  if (golem === undefined)
    throw new UsageError('Missing argument GOLEM.', 'Example: bardo reset-phase "Alpha DCA"')
  const input = { golem }
  if (call.options['print'] === true) return printed(call, 'resetPhase', input)
  await confirm(call, `Move ${golem} back to the phase Thriving, within the limits that you signed?`, golem)
  const done = await askOffice(call, 'perform', { kind: 'resetPhase', input, ...ownerKeyOption(call) })
  return { data: done, text: resetText(done.result) }
}

function resetText(result: unknown): string {
  const { name, from, transaction } = resetPhaseResult.parse(result)
  return `${name} is moved back from ${from} to thriving${transaction === null ? '' : ` in ${transaction}`}.`
}
