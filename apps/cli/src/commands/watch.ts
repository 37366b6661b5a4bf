import { BardoError } from '@bardo/core'
import { connectOffice } from '../office/connectOffice.ts'
import type { Office } from '../office/office.ts'
import { socketPath } from '../office/socketPath.ts'
import { readSettings, type Settings } from '../place/settings.ts'
import type { Call, Run } from '../shell/command.ts'
import { isUnicode } from '../shell/terminal.ts'
import { runPlain } from '../watch/runPlain.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo watch`: the screen, or lines where there is none. It ends with 0 when somebody leaves. */
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

/** Of whoever has the folder open. A folder that nobody has is left alone: whoever ticks it has to be able to open it. */
async function connectTo(settings: Settings): Promise<Office | undefined> {
  if (!settings.databaseUrl) return connectOffice(socketPath(settings.home))
  const { openOffice } = await import('../office/openOffice.ts')
  return openOffice(settings)
}

async function findChosen(
  call: Call,
  connect: () => Promise<Office | undefined>,
): Promise<string | undefined> {
  const question = golemArgument(call)
  if (question.golem === undefined) return undefined
  await using office = await connect()
  if (!office)
    throw new BardoError('Nobody has this folder open, so that a Golem cannot be found by its name.', {
      code: 'STORE_UNAVAILABLE',
      remedy: 'Start it in another terminal: bardo up.',
    })
  return (await office.ask('status', question)).golem
}

function hasScreen({ terminal, options, env }: Call): boolean {
  return terminal.isInteractive && options['plain'] !== true && env['TERM'] !== 'dumb'
}

function whyPlain({ terminal, options, env }: Call): string {
  if (options['plain'] === true || env['TERM'] === 'dumb') return 'A line for each change; Ctrl-C ends it.'
  return terminal.isInteractive
    ? 'A line for each change; Ctrl-C ends it.'
    : 'This is no screen with a keyboard: keys are off, and each change is a line. Ctrl-C ends it.'
}
