import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { sealedKeySource } from '@bardo/wallets'
import { bytesToHex, createPublicClient, http, isAddressEqual } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readGolemConfig } from '../config/readGolemConfig.ts'
import { type Secret, secret } from '../config/secret.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { completion, startModelServer } from '../strategy/testing/modelServer.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { ownerIn, partsOf, testHome } from '../testing/golemWorld.ts'
import { startNodeProxy } from '../testing/nodeProxy.ts'
import { settingsFrom } from '../worker/settingsFrom.ts'

const strategy = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $500/day'
const modelKey = 'sk-canary-of-the-model-3f9a1c'
const nodeToken = 'canary-of-the-node-77b0e2'
const operator = new TextEncoder().encode('canary-of-the-operator-0123456789')

let world: Devnet
let folder: Awaited<ReturnType<typeof testHome>>
let store: Store
let model: Awaited<ReturnType<typeof startModelServer>>
let node: Awaited<ReturnType<typeof startNodeProxy>>
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  folder = await testHome()
  store = await openStore({ home: folder.home, clock: systemClock })
  model = await startModelServer()
  node = await startNodeProxy(world.url)
})
afterAll(async () => {
  await folder?.[Symbol.asyncDispose]()
  await model?.stop()
  await node?.stop()
  await world?.stop()
})

/** All random bytes that were generated, the session keys among them. */
const drawn: Uint8Array[] = []
const draw = crypto.getRandomValues.bind(crypto)
vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
  const filled = draw(array)
  if (filled instanceof Uint8Array && filled.length === 32) drawn.push(filled.slice())
  return filled
})

/** Everything that was printed. */
const printed: unknown[] = []
for (const stream of [process.stdout, process.stderr])
  vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    printed.push(chunk)
    return true
  })
for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const)
  vi.spyOn(console, way).mockImplementation((...words) => printed.push(words))

it('keeps every secret out of events, logs, errors and the database, whatever fails', async () => {
  const sealing = { kind: 'operator', secret: operator } as const
  const { summons } = await ownerIn(world, store, strategy)
  const { id } = await summonGolem({ ...summons, secret: sealing })
  const toml = `chain = 31337\n[custody]\nmode = "delegation"\n[model]\nendpoint = "${model.url}"\nt0 = "small"\nt1 = "middle"\nt2 = "large"\nsecond = "another"\n`
  const config = readGolemConfig({ toml, env: { BARDO_MODEL_KEY: modelKey } })
  const settings = {
    ...settingsFrom(config, { strategy, heartbeat: undefined }),
    submitter: { finality: 1, pollMs: 20 },
  }
  const transport = http(`${node.url}/?key=${nodeToken}`, { timeout: 1_000, retryCount: 0 })
  const parts: GolemParts = {
    ...partsOf(world, store, id, settings),
    client: createPublicClient({ chain: world.chain, transport, cacheTime: 0, pollingInterval: 20 }),
    keys: sealedKeySource({ store, golem: id, secret: sealing, chainId: world.chainId }),
  }
  const golem = await createGolem(parts)
  const errors: unknown[] = [config]
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => errors.push(error))

  const says = (answer: object) =>
    completion(JSON.stringify({ confidence: 0.9, reason: 'because', ...answer }))
  model.answer = says({ action: 'swap', from: 'USDC', to: 'WETH', cents: 1_200 })
  await attempt(golem.tick)
  model.answer = says({ action: 'swap', from: 'USDC', to: modelKey, cents: 1_200, reason: modelKey })
  await attempt(golem.tick)
  model.answer = (response) => response.writeHead(500).end(`wrong key: Bearer ${modelKey}`)
  await attempt(golem.tick)
  node.outage = 'error'
  await attempt(golem.tick)
  const { permission } = await golem.status()
  await attempt(() => readSnapshot(parts, permission))
  node.outage = undefined
  const wrong = { kind: 'operator', secret: new Uint8Array(32).fill(9) } as const
  await attempt(() => sealedKeySource({ store, golem: id, secret: wrong, chainId: world.chainId }).open())
  await attempt(() => golem.rotate('operations'))
  await attempt(golem.tick)
  await attempt(golem.kill)

  expect(errors.length).toBeGreaterThanOrEqual(3)
  const events = await store.events.read({ after: 0, limit: 10_000 })
  const names = events.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['action.landed', 'recovery.observing', 'DeathCompleted']))
  const addresses = (await store.sessionKeys.list(id)).map(({ address }) => address)
  await store.close()
  const keys = drawn
    .map((bytes) => bytesToHex(bytes))
    .filter((hex) => {
      const { address } = privateKeyToAccount(hex)
      return addresses.some((known) => isAddressEqual(known, address))
    })
  expect(keys.length).toBeGreaterThanOrEqual(2)
  const texts = [modelKey, nodeToken, new TextDecoder().decode(operator)]
  const secrets: readonly Secret[] = [...keys, ...texts].map(secret)

  assertNoSecret(events, secrets)
  assertNoSecret(printed, secrets)
  // Errors in the form that a log contains, with their causes.
  for (const error of errors) assertNoSecret(inspect(error, { depth: 10, showHidden: true }), secrets)
  for (const entry of await readdir(folder.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    assertNoSecret(new Uint8Array(await readFile(join(entry.parentPath, entry.name))), secrets)
  }
}, 60_000)
