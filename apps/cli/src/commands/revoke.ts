import type { Run } from '../shell/command.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo revoke`. */
export const revoke: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  const isPrinted = call.options['print'] === true
  if (!isPrinted) await confirm(call, `Revoke all that was signed for ${golem}? It dies of it.`, golem)
  const done = await askOffice(call, 'revoke', { golem, isPrinted, ...ownerKeyOption(call) })
  if (isPrinted)
    return {
      data: done,
      text: done.calls.map(callText).join('\n\n') || 'Nothing stands that could be revoked.',
    }
  if (done.child !== null)
    return {
      data: done,
      text:
        done.child === 'disabled'
          ? `${done.name} is ended by its parent’s key; nobody else is.`
          : `${done.name} cannot be ended by its parent; you are asked: bardo requests`,
    }
  return {
    data: done,
    text: done.revoked
      .map(({ delegation, is, transaction }) =>
        is === 'already'
          ? `${delegation} was revoked before.`
          : `${delegation} is revoked by ${transaction}.`,
      )
      .join('\n'),
  }
}

function callText({ to, data }: { readonly to: string; readonly data: string }): string {
  return `to    ${to}\nvalue 0\ndata  ${data}`
}
