import { z } from 'zod'
import type { CallByName } from './course.ts'
import type { OfficialTool } from './officialTool.ts'
import type { Target } from './servedTools.ts'

/** The protocol before sessions were given up, and since. */
export type Era = 'legacy' | 'modern'

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
const called = z.object({ result: z.object({ structuredContent: z.record(z.string(), z.unknown()) }) })

/** A server as the official inspector sees it. */
export function inspect(inspector: OfficialTool, target: Target, era: Era) {
  const reach =
    target.is === 'stdio'
      ? target.command
      : [target.url, '--header', `Authorization: Bearer ${target.token}`, '--stored-auth-only']
  const ask = async (...request: string[]) => {
    const { code, out, errors } = await inspector.run([
      '--cli',
      ...reach,
      ...['--connect-timeout', '60000', '--protocol-era', era, '--format', 'json', '--method'],
      ...request,
    ])
    // It ends with 0 only where there was a result, and no schema that a model could not read.
    if (code !== 0) throw new Error(`${request.join(' ')}: the inspector ends with ${code}\n${out}${errors}`)
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
