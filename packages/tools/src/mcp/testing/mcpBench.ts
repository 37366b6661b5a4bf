import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@bardo/store/testing/postgres'
import { Client } from '@modelcontextprotocol/client'
import { callTool } from '../../callTool.ts'
import { tools } from '../../toolbox.ts'
import { openMcpWorld } from './mcpWorld.ts'
import { startHttp, stdioTarget, transportTo } from './servedTools.ts'

/** A way to call a tool. */
export type Way = (name: string, input: Record<string, unknown>) => Promise<unknown>

/**
 * One Golem whose tools can be called in three ways: as functions in this process, and over MCP by stdio and
 * HTTP in
 * separate processes. All three use the same database and chain.
 */
export async function openThreeWays() {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bardo-tools-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const database = opening.use(await startPostgres())
  const here = await openMcpWorld({ databaseUrl: await database.createDatabase() })
  opening.defer(here.stop)
  const golem = await here.summon()
  const direct: Way = (name, input) => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) throw new Error(`unknown tool: ${name}`)
    return callTool(golem.context, tool, input)
  }
  const over = async (transport: ReturnType<typeof transportTo>): Promise<Way> => {
    const client = new Client({ name: 'bench', version: '1.0.0' })
    await client.connect(transport)
    opening.defer(() => client.close())
    return async (name, input) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: input })
      if (isError) throw new Error(`${name} was refused`)
      return structuredContent
    }
  }
  const http = opening.use(await startHttp(here, golem, folder))
  const ways = {
    direct,
    stdio: await over(transportTo(await stdioTarget(here, golem, folder))),
    http: await over(transportTo(http.target)),
  }
  const open = opening.move()
  return { ways, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
