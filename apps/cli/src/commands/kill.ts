import type { Answer } from '../rpc/office.ts'
import { positionText } from '../rpc/positionText.ts'
import type { Run } from '../terminal/command.ts'
import { askOffice } from './askOffice.ts'
import { callText } from './callText.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo kill`. */
export const kill: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  await confirm(call, `Kill ${golem}? It closes its positions and stops permanently.`, golem)
  const ended = await askOffice(call, 'kill', { golem, ...ownerKeyOption(call) })
  const isOver = ended.sessionAccountInvalidated
  const { left } = ended
  return {
    data: ended,
    text: [
      isOver
        ? `${ended.name} is dead: it gave up its authority, returned its gas, and its key is wiped.`
        : `${ended.name} is dying: its next ticks complete the shutdown.`,
      ended.disabledOnChain
        ? `Its delegations are revoked on the chain.${left?.length === 0 ? ' No position is left open.' : ''}`
        : 'When it is dead, it asks you to revoke its delegation: see bardo requests.',
      ...(left === null
        ? ['The node does not answer. Run bardo status later to see which positions are left open.']
        : []),
      ...(left ?? []).flatMap((position) => leftText(position, ended.name)),
    ].join('\n'),
  }
}

type Left = NonNullable<Answer<'kill'>['left']>[number]

/** A position that stays open, the reason, and the transaction that closes it. */
function leftText({ reason, call, ...position }: Left, golem: string): readonly string[] {
  return [
    '',
    `Left open in your account: ${positionText(position, golem)}.`,
    `  Reason: ${reason}.`,
    ...(call
      ? ['  To close it, send this transaction with the owner’s key, from any wallet:', callText(call)]
      : ['  Close it with your own wallet.']),
  ]
}
