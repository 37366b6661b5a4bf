import type { Run } from '../shell/command.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo feed`. */
export const feed: Run = async (call) => {
  const fed = await askOffice(call, 'regrant', { ...golemArgument(call), ...ownerKeyOption(call) })
  const until = new Date(fed.endsAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return {
    data: fed,
    text: `${fed.name} is fed: signed for until ${until} UTC. What it spent today stays spent.`,
  }
}
