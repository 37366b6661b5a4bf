import { z } from 'zod'
import type { CallByName } from './course.ts'
import type { OfficialTool } from './officialTool.ts'
import type { Target } from './servedTools.ts'

/** The protocol with sessions, and without. */
export type Era = 'legacy' | 'modern'

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
const called = z.object({ result: z.object({ structuredContent: z.record(z.string(), z.unknown()) }) })

/** A server, seen through the official inspector. */
export function inspect(inspector: OfficialTool, target: Target, era: Era) {
  const reach =
    target.type === 'stdio'
      ? target.command
      : [target.url, '--header', `Authorization: Bearer ${target.token}`, '--stored-auth-only']
  const ask = async (...request: string[]) => {
    const { code, out, errors } = await inspector.run([
      '--cli',
      ...reach,
      ...['--connect-timeout', '60000', '--protocol-era', era, '--format', 'json', '--method'],
      ...request,
    ])
    // The inspector exits with 0 only if there is a result and every schema is readable for a model.
    if (code !== 0) throw new Error(`${request.join(' ')}: the inspector exits with ${code}\n${out}${errors}`)
    return JSON.parse(out)
  }
  const callTool: CallByName = async (name, input) => {
    const args = ['--tool-name', name, '--tool-args-json', JSON.stringify(input)]
    return called.parse(await ask('tools/call', ...args)).result.structuredContent
  }
  return {
    async listTools(): Promise<readonly string[]> {
      return listed.parse(await ask('tools/list', '--strict')).result.tools.map(({ name }) => name)
    },
    callTool,
  }
}
