import { formatMinute } from '@bardo/core'
import { readSettings } from '../context/settings.ts'
import type { Answer } from '../rpc/office.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { confirm } from './confirm.ts'

/** `bardo pause`. */
export const pause: Run = (call) => setPaused(call, true)

/** `bardo resume`. */
export const resume: Run = (call) => setPaused(call, false)

async function setPaused(call: CommandInput, paused: boolean): Promise<CommandResult> {
  const { GOLEM: golem = '' } = call.arguments
  await using office = await openOffice(readSettings(call))
  // A pause only narrows: without a terminal it needs no --yes, so that a script can stop a Golem at once.
  if (!paused || call.terminal.isInteractive) await confirm(call, questionOf(golem, paused), 'yes')
  const done = await office.ask('pause', { golem, paused })
  return { data: done, text: paused ? pausedText(done) : resumedText(done) }
}

function questionOf(golem: string, paused: boolean): string {
  return paused
    ? `Pause ${golem}? It keeps ticking and begins no action until you resume it. Free, no signature. This does not stop a thief who has its key: only bardo revoke does.`
    : `Resume ${golem}? It acts again within the limits that you signed.`
}

function pausedText({ name, isChanged, since, begun, children }: Answer<'pause'>): string {
  const when = since === null ? '' : ` ${formatMinute(Date.parse(since) / 1_000)} UTC`
  return [
    isChanged
      ? `${name} is paused. It ticks and publishes, and begins no action.`
      : `${name} was already paused, since${when}.`,
    ...(begun === null
      ? []
      : [
          `It had begun an action (${begun}): if that was already signed, it is finished; if not, it is not sent.`,
        ]),
    ...(children.length === 0
      ? []
      : [
          `Not paused: ${children.join(', ')}. Children act on their own; pause each of them with bardo pause.`,
        ]),
    'A thief who has its key can still act within the signed limits; bardo revoke stops that too.',
    `To go on: bardo resume "${name}"`,
  ].join('\n')
}

function resumedText({ name, isChanged }: Answer<'pause'>): string {
  return isChanged ? `${name} acts again, from its next tick.` : `Nothing was changed: ${name} is not paused.`
}
