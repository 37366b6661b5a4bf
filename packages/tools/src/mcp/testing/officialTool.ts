import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const installed = join(import.meta.dirname, '../../../../../on-demand/mcp/node_modules/@modelcontextprotocol')

type ProcessResult = { readonly code: number | null; readonly out: string; readonly errors: string }

/** A program of the protocol's authors, at the version that `on-demand/mcp` pins. */
export type OfficialTool = { readonly version: string; run(args: readonly string[]): Promise<ProcessResult> }

/** Finds an official program. It stores its data in `home`. */
export async function officialTool(name: 'inspector' | 'conformance', home: string): Promise<OfficialTool> {
  const folder = join(installed, name)
  const { version, bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', DO_NOT_TRACK: '1' }
  return {
    version,
    async run(args) {
      const child = spawn(process.execPath, [join(folder, bin[name]), ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const code = new Promise<number | null>((resolve, reject) => {
        child.once('error', reject).once('close', resolve)
      })
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      return { code: await code, out, errors }
    },
  }
}
