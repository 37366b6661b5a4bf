/**
 * A process that opens a store, for tests that need a second one or want to kill it. The place and the task are its
 * arguments; it writes a line for each thing that is done.
 */
import { BardoError } from '@bardo/core'
import { openStore } from '../openStore.ts'
import { id } from './samples.ts'
import { systemClock } from './systemClock.ts'

const [location = '{}', task = '', argument = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

const store = await openStore({
  ...JSON.parse(location),
  clock: systemClock,
  jobs: { heartbeatSeconds: 10 },
}).catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
say('open')

const tasks: Record<string, () => Promise<void>> = {
  /** Appends events one by one, and says each that is stored; once one is refused, whether it still answers. */
  append: async () => {
    const append = () => store.events.append([{ golem: id(1), name: 'act', body: { text: 'x'.repeat(500) } }])
    const refused = (error: unknown) => say(`refused ${error instanceof BardoError ? error.code : error}`)
    try {
      for (;;) say(`${await append()}`)
    } catch (error) {
      refused(error)
    }
    await append().catch(refused)
  },

  /** Claims nonces and uses capabilities that others want too, and says which it got. */
  race: async () => {
    const sender = { chainId: 1, from: '0x00000000000000000000000000000000000000Aa' } as const
    for (let n = 0; n < 50; n += 1) {
      const intent = `${argument} ${n}`
      await store.journal.addIntent(
        { id: intent, ...sender, to: sender.from, value: 0n, data: '0x', gas: 1n },
        0,
      )
      if (await store.journal.claimNonce(intent, n)) say(`nonce ${n}`)
      if (await store.capabilities.consume(`permit ${n}`, intent)) say(`permit ${n}`)
    }
  },

  /** Begins ticks and never ends one. */
  hang: () =>
    store.jobs.work({
      concurrency: 4,
      pollMs: 20,
      signal: new AbortController().signal,
      onError: (error) => say(`error ${error}`),
      tick: async ({ golem }) => {
        await store.events.append([{ golem, name: 'begin', body: { worker: 'hanging' } }])
        say(`begin ${golem}`)
        return new Promise(() => {})
      },
    }),
}

await tasks[task]?.()
await store.close()
say('closed')
