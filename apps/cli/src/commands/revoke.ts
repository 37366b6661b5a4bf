import type { Run } from '../terminal/command.ts'
import { askOffice } from './askOffice.ts'
import { callText } from './callText.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo revoke`. */
export const revoke: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  const isPrinted = call.options['print'] === true
  const isRunway = call.options['runway'] === true
  const question = isRunway
    ? `Revoke the runway of ${golem}? It continues with its other funding.`
    : `Revoke every delegation of ${golem}? This stops it permanently, and its open positions stay in your account.`
  if (!isPrinted) await confirm(call, question, golem)
  const done = await askOffice(call, 'revoke', { golem, isPrinted, isRunway, ...ownerKeyOption(call) })
  if (isPrinted)
    return {
      data: done,
      text: done.calls.map(callText).join('\n\n') || 'No active delegation is left to revoke.',
    }
  if (done.child !== null)
    return {
      data: done,
      text:
        done.child === 'disabled'
          ? `${done.name} is revoked with its parent’s key. Its parent and siblings continue.`
          : `${done.name} cannot be revoked by its parent’s key. Approve the request instead: bardo requests`,
    }
  return {
    data: done,
    text: [
      ...done.revoked.map(({ delegation, type, transaction }) =>
        type === 'already'
          ? `Delegation ${delegation} was already revoked.`
          : `Delegation ${delegation} is revoked in ${transaction}.`,
      ),
      ...(isRunway ? [`The runway is revoked. ${done.name} continues with its other funding.`] : []),
    ].join('\n'),
  }
}
