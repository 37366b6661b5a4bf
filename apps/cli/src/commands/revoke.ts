import type { Run } from '../shell/command.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo revoke`. */
export const revoke: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  await confirm(call, `Revoke all that was signed for ${golem}? It dies of it.`, golem)
  const done = await askOffice(call, 'revoke', { golem, ...ownerKeyOption(call) })
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
