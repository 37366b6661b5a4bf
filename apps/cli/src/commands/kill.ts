import type { Run } from '../shell/command.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo kill`. */
export const kill: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  await confirm(call, `End ${golem} for good?`, golem)
  const ended = await askOffice(call, 'kill', { golem, ...ownerKeyOption(call) })
  const isOver = ended.sessionAccountInvalidated
  return {
    data: ended,
    text: [
      isOver
        ? `${ended.name} is dead: its key is wiped, its authority given up, its gas returned.`
        : `${ended.name} is dying: its next ticks finish it.`,
      ended.disabledOnChain
        ? 'Its delegations are revoked on the chain. Nothing is left to sweep.'
        : 'Once it is dead it asks you to revoke: bardo requests shows it.',
    ].join('\n'),
  }
}
