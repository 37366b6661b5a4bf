/**
 * Conformance to MCP: the official inspector lists and calls every tool over both transports, all applicable
 * official
 * conformance scenarios pass, and a generic client goes from a status to a revocation.
 *
 *   npm run test:mcp
 *
 * Exits with 1 if a check fails.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@bardo/store/testing/postgres'
import { profiles } from '../../toolbox.ts'
import { aliases, conform } from './conform.ts'
import { runCourse } from './course.ts'
import { type Era, inspect } from './inspect.ts'
import { journey } from './journey.ts'
import { type McpGolem, openMcpWorld } from './mcpWorld.ts'
import { officialTool } from './officialTool.ts'
import { openGate } from './openGate.ts'
import { startHttp, stdioTarget, type Target, transportTo } from './servedTools.ts'

const begun = performance.now()
const home = await mkdtemp(join(tmpdir(), 'bardo-mcp-'))
await using _folder = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
await using database = await startPostgres()
const here = await openMcpWorld({ databaseUrl: await database.createDatabase() })
await using _world = { [Symbol.asyncDispose]: here.stop }
const everyTool = profiles.full.map(({ name }) => name).toSorted()
let failures = 0

const inspector = await officialTool('inspector', home)
console.log(`Official inspector ${inspector.version}`)
for (const is of ['stdio', 'http'] as const) {
  const golem = await here.summon()
  await using served = await open(golem, is)
  for (const era of ['legacy', 'modern'] as const)
    await check(`lists ${everyTool.length} tools over ${is}, ${era}`, async () => {
      same(await inspect(inspector, served.target, era).listTools())
    })
  const era: Era = is === 'stdio' ? 'legacy' : 'modern'
  const { chainId, addresses } = here.world
  await check(`calls every tool over ${is}, ${era}`, async () => {
    const { callTool } = inspect(inspector, served.target, era)
    same(await runCourse(callTool, { ...golem, chainId, vault: addresses.usdcVault }))
  })
}

const suite = await officialTool('conformance', home)
console.log(`Official conformance scenarios ${suite.version}`)
{
  await using served = await startHttp(here, await here.summon(), home)
  await using gate = await openGate(served.target.url, served.target.token, aliases)
  const verdicts = [...(await conform(suite, gate.url, home))]
  for (const [name, verdict] of verdicts)
    if (verdict.type !== 'notForUs')
      await check(name, async () => {
        if (verdict.type === 'failed') throw new Error(verdict.because)
      })
  const apply = verdicts.filter(([, { type }]) => type !== 'notForUs')
  const passed = apply.filter(([, { type }]) => type === 'passed')
  console.log(
    `  ${passed.length} of ${apply.length} applicable scenarios pass (${verdicts.length} in total). Not applicable:`,
  )
  for (const [name, verdict] of verdicts)
    if (verdict.type === 'notForUs') console.log(`  – ${name}: ${verdict.because}`)
}

console.log('A generic client')
for (const is of ['stdio', 'http'] as const)
  await check(`goes from a status to a revocation over ${is}`, async () => {
    await using served = await open(await here.summon(), is)
    for (const line of await journey(transportTo(served.target))) console.log(`    ${line}`)
  })

console.log(`${failures === 0 ? 'All checks pass' : `${failures} checks failed`}, ${seconds()} s`)
if (failures > 0) process.exitCode = 1

async function check(what: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
    console.log(`  ✓ ${what}`)
  } catch (error) {
    failures += 1
    console.log(`  ✗ ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function same(names: readonly string[]): void {
  if (names.toSorted().join() !== everyTool.join()) throw new Error(`the inspector lists ${names.join(', ')}`)
}

async function open(golem: McpGolem, is: Target['type']) {
  if (is === 'http') return startHttp(here, golem, home)
  return { target: await stdioTarget(here, golem, home), [Symbol.asyncDispose]: async () => undefined }
}

function seconds(): string {
  return ((performance.now() - begun) / 1_000).toFixed(0)
}
