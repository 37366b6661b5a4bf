import { systemClock } from '@bardo/chain'
import { startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { expect, it } from 'vitest'
import { defaultPrices } from '../config/modelPrices.ts'
import { secret } from '../config/secret.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { partsOf, summonIn, testHome } from '../testing/golemWorld.ts'
import { createModelStrategy } from './model/createModelStrategy.ts'
import { completion, startModelServer } from './testing/modelServer.ts'

const strategyText = 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days'
const key = secret('sk-echoed-0123456789abcdef')

it('keeps an echoed key and escape sequences out of events, audit chain and state', async () => {
  const [world, home, server] = await Promise.all([startDevnet({ port: 0 }), testHome(), startModelServer()])
  const store = await openStore({ home: home.home, clock: systemClock })
  try {
    const { id } = await summonIn(world, store, strategyText)
    const endpoint = { url: server.url, key, deadlineMilliseconds: 2_000, mostBytes: 20_000 }
    const tiers = { T0: 'small', T1: 'middle', T2: 'large' }
    const strategy = createModelStrategy({
      endpoint,
      tiers,
      second: undefined,
      strategyText,
      prices: defaultPrices,
    })
    const golem = await createGolem(partsOf(world, store, id, { strategy }))
    const echo = (as: (header: string) => string, action: object) => {
      server.answer = (response) => {
        const reason = `\u001b[31m${as(server.asked.at(-1)?.authorization ?? '')}`
        completion(JSON.stringify({ ...action, confidence: 1, reason }))(response)
      }
    }
    const wait = { action: 'wait' }
    const swap = { action: 'swap', from: 'USDC', to: 'WETH', cents: 1_000 }
    for (const [as, action] of [
      [(text: string) => text, wait],
      [(text: string) => Buffer.from(text).toString('base64'), wait],
      [encodeURIComponent, wait],
      [(text: string) => Buffer.from(text).toString('hex'), swap],
    ] as const) {
      echo(as, action)
      await golem.tick()
    }
    expect(server.asked.map(({ authorization }) => authorization)).toContain(`Bearer ${key.reveal()}`)
    const events = await store.events.read({ after: 0, golem: id, limit: 1_000 })
    const waited = events.filter(({ name }) => name === 'action.waited')
    expect(waited.map(({ body }) => Object(body).because)).toEqual(
      Array.from({ length: waited.length }, () => '[redacted: it contained a secret]'),
    )
    expect(waited.length).toBeGreaterThanOrEqual(3)
    const life = await store.golemStates.find(id)
    const exported: string[] = []
    for await (const line of store.audit.export()) exported.push(line)
    assertNoSecret([events, life, exported], [key])
    for (const form of ['base64', 'hex'] as const) {
      const text = Buffer.from(`Bearer ${key.reveal()}`).toString(form)
      expect(
        JSON.stringify([exported, life], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      ).not.toContain(text)
    }
    expect(exported.join('')).not.toContain('u001b')
    expect(await store.audit.verify()).toMatchObject({ type: 'intact' })
  } finally {
    await store.close()
    await server.stop()
    await home[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  }
})
