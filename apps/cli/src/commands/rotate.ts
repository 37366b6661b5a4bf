import type { Run } from '../shell/command.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo rotate`. */
export const rotate: Run = async (call) => {
  const isSuspected = call.options['suspected'] === true
  const done = await askOffice(call, 'rotate', {
    ...golemArgument(call),
    isSuspected,
    ...ownerKeyOption(call),
  })
  const [waits] = done.waiting
  return {
    data: done,
    text: done.isRotated
      ? `${done.name} acts with ${done.after} now; ${done.before} is wiped.`
      : `${done.name} waits for you to sign for its new key: bardo requests ${waits ?? ''} yes`,
  }
}
