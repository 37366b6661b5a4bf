import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import { readKeptWorld, startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { type PostgresServer, startPostgres } from '@bardo/store/testing/postgres'
import { restoreDump, restoreFolder } from '@bardo/store/testing/restore'
import { z } from 'zod'
import { type ChainConnection, localChain } from '../context/findChain.ts'
import { contextOf } from '../context/openContext.ts'
import { localOffice } from '../rpc/localOffice.ts'
import type { ClockWorld } from './openClockWorld.ts'

const fixture = join(import.meta.dirname, '../../../../fixtures/v0.1')

const madeSchema = z.object({
  at: z.number(),
  verified: z.object({
    events: z.number(),
    head: z.object({ sequence: z.number(), hash: z.templateLiteral(['0x', z.string()]) }),
  }),
})

/** What version 0.1 reported about the data when it created it. */
export const madeByV01 = madeSchema.parse(JSON.parse(readFileSync(join(fixture, 'made.json'), 'utf8')))

/** Two minutes after version 0.1 stopped: every one-minute interval is over, and no lifespan is. */
const openAt = madeByV01.at + 120_000

/** The data of version 0.1, opened by the current code. */
export type OpenV01 = ClockWorld

/** Writes the data folder of version 0.1 into a new folder. */
export async function restoreV01(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'bardo-v01-'))
  await restoreFolder(join(fixture, 'db.tar.br'), join(home, 'db'))
  copyFileSync(join(fixture, 'secret'), join(home, 'secret'))
  await chmod(join(home, 'secret'), 0o600)
  const chain = brotliDecompressSync(readFileSync(join(fixture, 'chain.json.br')))
  const world: object = JSON.parse(readFileSync(join(fixture, 'world.json'), 'utf8'))
  const dump = `0x${gzipSync(chain, { level: 1 }).toString('hex')}`
  writeFileSync(join(home, 'world.json'), JSON.stringify({ ...world, dump }))
  return home
}

/**
 * Opens the data of version 0.1 in its last state, at that time.
 *
 * @param on - its folder, or the same rows on a PostgreSQL server
 * @param change - overrides parts of the chain connection
 */
export async function openV01(
  on: 'folder' | 'server',
  change: (chain: ChainConnection) => ChainConnection = (chain) => chain,
): Promise<OpenV01> {
  const opened = new AsyncDisposableStack()
  const home = await restoreV01()
  opened.defer(() => rmSync(home, { recursive: true, force: true }))
  const databaseUrl = on === 'server' ? await loadDump(opened.use(await startPostgres())) : undefined
  const found = readKeptWorld(join(home, 'world.json'))
  if (found.type !== 'kept')
    throw new Error(`the chain of version 0.1 is not usable: ${JSON.stringify(found)}`)
  const world = opened.use(await startDevnet({ port: 0, kept: found.kept, openAt }))
  let ahead = openAt - systemClock.now()
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const store = await openStore({ home, databaseUrl, clock })
  const settings = { home, databaseUrl, rpcUrl: undefined, env: {} }
  const context = opened.use(
    contextOf(settings, change(localChain(world.description, clock.now)), store, clock),
  )
  return {
    world,
    context,
    office: localOffice(context),
    clock,
    async pass(seconds) {
      ahead += seconds * 1_000
      await world.client.increaseTime({ seconds })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function loadDump(server: PostgresServer): Promise<string> {
  const databaseUrl = await server.createDatabase()
  await restoreDump(join(fixture, 'rows.sql.br'), databaseUrl)
  return databaseUrl
}
