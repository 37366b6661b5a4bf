import { BardoError } from '@bardo/core'
import { readSettings, type Settings } from '../context/settings.ts'
import { connectOffice } from '../rpc/connectOffice.ts'
import type { Office } from '../rpc/office.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { isUnicode } from '../terminal/terminal.ts'
import { runPlain } from '../watch/runPlain.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo watch`: a full-screen view, or one line per change without a screen. Exit code 0 when the user quits. */
export const watch: Run = async (call) => {
  const { terminal, signal, env } = call
  const settings = readSettings(call)
  const connect = () => connectTo(settings)
  const chosen = await findChosen(call, connect)
  if (!hasScreen(call)) {
    if (!terminal.isJson) terminal.note(whyPlain(call))
    await runPlain({ connect, only: chosen, terminal, signal })
    return undefined
  }
  const { runScreen } = await import('../watch/runScreen.ts')
  await runScreen({
    connect,
    chosen,
    ...ownerKeyOption(call),
    isUnicode: isUnicode(env),
    hasColour: terminal.stress('bold', 'x') !== 'x',
    signal,
  })
  return undefined
}

/**
 * Connects to the process that holds the data folder. Never opens the folder itself: that would lock out the process that
 * ticks the Golems.
 */
async function connectTo(settings: Settings): Promise<Office | undefined> {
  if (!settings.databaseUrl) return connectOffice(socketPath(settings.home))
  const { openOffice } = await import('../rpc/openOffice.ts')
  return openOffice(settings)
}

async function findChosen(
  call: CommandInput,
  connect: () => Promise<Office | undefined>,
): Promise<string | undefined> {
  const question = golemArgument(call)
  if (question.golem === undefined) return undefined
  await using office = await connect()
  if (!office)
    throw new BardoError('No Bardo process is running for this data folder, so the Golem cannot be found.', {
      code: 'STORE_UNAVAILABLE',
      remedy: 'Start one in another terminal: bardo up.',
    })
  return (await office.ask('status', question)).golem
}

function hasScreen({ terminal, options, env }: CommandInput): boolean {
  return terminal.isInteractive && options['plain'] !== true && env['TERM'] !== 'dumb'
}

function whyPlain({ terminal, options, env }: CommandInput): string {
  if (options['plain'] === true || env['TERM'] === 'dumb') return 'One line per change. Ctrl-C quits.'
  return terminal.isInteractive
    ? 'One line per change. Ctrl-C quits.'
    : 'Not an interactive terminal: keys are off, one line per change. Ctrl-C quits.'
}
