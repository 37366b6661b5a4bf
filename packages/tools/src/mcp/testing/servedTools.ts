import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { McpTask } from './mcpProcess.ts'
import type { McpGolem, McpWorld } from './mcpWorld.ts'

/** How to reach a server: by a command that starts it, or by URL and token. */
export type Target =
  | { readonly type: 'stdio'; readonly command: readonly string[] }
  | { readonly type: 'http'; readonly url: string; readonly token: string }

const script = join(import.meta.dirname, 'mcpProcess.ts')

/** A command that serves a Golem's tools over stdio. */
export async function stdioTarget(here: McpWorld, golem: McpGolem, folder: string) {
  const task = await writeTask(here, golem, folder)
  return { type: 'stdio', command: [process.execPath, script, task] } as const
}

/** A process that serves a Golem's tools over HTTP until it is disposed. */
export async function startHttp(here: McpWorld, golem: McpGolem, folder: string) {
  const task = await writeTask(here, golem, folder)
  const child = spawn(process.execPath, [script, task, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url, token }: { url: string; token: string } = JSON.parse(line)
  return {
    target: { type: 'http', url, token } as const,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The transport of the official SDK to a server. */
export function transportTo(target: Target) {
  if (target.type === 'stdio') {
    const [command = '', ...args] = target.command
    return new StdioClientTransport({ command, args, stderr: 'ignore' })
  }
  const headers = { authorization: `Bearer ${target.token}` }
  return new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } })
}

async function writeTask(
  { location, world }: McpWorld,
  { golem, ownerKey }: McpGolem,
  folder: string,
): Promise<string> {
  const task: McpTask = { golem, ownerKey, profile: 'full', location, world: world.description }
  const file = join(folder, `${golem}.json`)
  await writeFile(file, JSON.stringify(task))
  return file
}
