import { profileNames } from '@bardo/tools'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { Run } from '../terminal/command.ts'
import { shown } from '../terminal/shown.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { golemArgument, numberOption, textOption } from './words.ts'

/** `bardo mcp`: serves the tools of one Golem to an agent. */
export const mcp: Run = async (call) => {
  const { terminal, signal } = call
  const asked = textOption(call, 'profile') ?? 'golem'
  const profile = profileNames.find((name) => name === asked)
  if (!profile)
    throw new UsageError(`Unknown profile "${shown(asked)}".`, `Choose one of: ${profileNames.join(', ')}.`)
  const question = { ...golemArgument(call), profile }
  const note = (text: string) => terminal.note(text)
  await using office = await openOffice(readSettings(call))
  if (textOption(call, 'http') === undefined) {
    const { stdin: input, stdout } = process
    await office.ask('mcp', question, { input, note, signal, tell: (text) => stdout.write(`${text}`) })
    // The client may keep standard input open, which would keep this process alive.
    input.destroy()
    return undefined
  }
  const port = numberOption(call, 'http', { least: 0, most: 65_535, otherwise: 0 })
  const tell = (open: unknown) =>
    terminal.isJson ? terminal.printJson(open) : terminal.print(addressText(open))
  const token = call.env['BARDO_MCP_TOKEN'] || undefined
  await office.ask('mcpHttp', { ...question, port, ...(token && { token }) }, { note, signal, tell })
  return undefined
}

function addressText(open: unknown): string {
  const { url, token } = open as { readonly url: string; readonly token: string }
  return `${url}\nAuthorization: Bearer ${token}`
}
