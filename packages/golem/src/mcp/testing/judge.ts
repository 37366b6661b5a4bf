/**
 * MCP as others judge it: the official inspector lists and calls every tool over both transports, the official
 * conformance scenarios that apply pass, and a client that knows nothing of Bardo goes from a look to a revocation.
 *
 *   npm run test:mcp
 *
 * It ends with 1 if anything is not so.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@bardo/store/testing/postgres'
import { profiles } from '../../tools/toolbox.ts'
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
console.log(`The official inspector, ${inspector.version}`)
for (const is of ['stdio', 'http'] as const) {
  const golem = await here.summon()
  await using place = await open(golem, is)
  for (const era of ['legacy', 'modern'] as const)
    await judge(`lists ${everyTool.length} tools over ${is}, ${era}`, async () => {
      same(await inspect(inspector, place.target, era).listTools())
    })
  const era: Era = is === 'stdio' ? 'legacy' : 'modern'
  const { chainId, addresses } = here.world
  await judge(`calls every one of them over ${is}, ${era}`, async () => {
    const { callTool } = inspect(inspector, place.target, era)
    same(await runCourse(callTool, { ...golem, chainId, vault: addresses.usdcVault }))
  })
}

const suite = await officialTool('conformance', home)
console.log(`The official conformance scenarios, ${suite.version}`)
{
  await using place = await startHttp(here, await here.summon(), home)
  await using gate = await openGate(place.target.url, place.target.token, aliases)
  const verdicts = [...(await conform(suite, gate.url, home))]
  for (const [name, verdict] of verdicts)
    if (verdict.is !== 'notForUs')
      await judge(name, async () => {
        if (verdict.is === 'failed') throw new Error(verdict.because)
      })
  const apply = verdicts.filter(([, { is }]) => is !== 'notForUs')
  const passed = apply.filter(([, { is }]) => is === 'passed')
  console.log(`  ${passed.length} of ${apply.length} that apply pass; ${verdicts.length} in all. The others:`)
  for (const [name, verdict] of verdicts)
    if (verdict.is === 'notForUs') console.log(`  – ${name}: ${verdict.because}`)
}

console.log('A client that knows nothing of Bardo')
for (const is of ['stdio', 'http'] as const)
  await judge(`goes from a look to a revocation over ${is}`, async () => {
    await using place = await open(await here.summon(), is)
    for (const line of await journey(transportTo(place.target))) console.log(`    ${line}`)
  })

console.log(`${failures === 0 ? 'All is well' : `${failures} are not so`}, ${seconds()} s`)
if (failures > 0) process.exitCode = 1

async function judge(what: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
    console.log(`  ✓ ${what}`)
  } catch (error) {
    failures += 1
    console.log(`  ✗ ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function same(names: readonly string[]): void {
  if (names.toSorted().join() !== everyTool.join()) throw new Error(`it saw ${names.join(', ')}`)
}

async function open(golem: McpGolem, is: Target['is']) {
  if (is === 'http') return startHttp(here, golem, home)
  return { target: await stdioTarget(here, golem, home), [Symbol.asyncDispose]: async () => undefined }
}

function seconds(): string {
  return ((performance.now() - begun) / 1_000).toFixed(0)
}
