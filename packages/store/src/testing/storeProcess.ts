/**
 * A process that opens a store, for tests that need a second process or kill it. Its arguments are the
 * location and the task; it prints a line for each completed step.
 */
import { BardoError } from '@bardo/core'
import { openStore } from '../openStore.ts'
import { id } from './samples.ts'
import { systemClock } from './systemClock.ts'

const [location = '{}', task = '', argument = ''] = process.argv.slice(2)
/** Resolves when the system has the line: what is only queued is lost when this process is killed. */
const print = (line: string) =>
  new Promise<void>((resolve) => process.stdout.write(`${line}\n`, () => resolve()))

const store = await openStore({
  ...JSON.parse(location),
  clock: systemClock,
  jobs: { heartbeatSeconds: 10 },
}).catch(async (error: unknown) => {
  await print(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
print('open')

const tasks: Record<string, () => Promise<void>> = {
  /** Appends events one by one and prints each stored one; after a refusal, tries once more. */
  append: async () => {
    const append = () => store.events.append([{ golem: id(1), name: 'act', body: { text: 'x'.repeat(500) } }])
    const refused = (error: unknown) => print(`refused ${error instanceof BardoError ? error.code : error}`)
    try {
      for (;;) await print(`${await append()}`)
    } catch (error) {
      await refused(error)
    }
    await append().catch(refused)
  },

  /** Claims nonces and capabilities in competition with other processes, and prints the ones it got. */
  race: async () => {
    const sender = { chainId: 1, from: '0x00000000000000000000000000000000000000Aa' } as const
    for (let n = 0; n < 50; n += 1) {
      const intent = `${argument} ${n}`
      await store.journal.addIntent(
        { id: intent, ...sender, to: sender.from, value: 0n, data: '0x', gas: 1n },
        0,
      )
      if (await store.journal.claimNonce(intent, n)) print(`nonce ${n}`)
      if (await store.capabilities.consume(`capability ${n}`, intent)) print(`capability ${n}`)
    }
  },

  /** Starts ticks and never ends one. */
  hang: () =>
    store.jobs.work({
      concurrency: 4,
      pollMs: 20,
      signal: new AbortController().signal,
      onError: (error) => print(`error ${error}`),
      tick: async ({ golem }) => {
        await store.events.append([{ golem, name: 'begin', body: { worker: 'hanging' } }])
        print(`begin ${golem}`)
        return new Promise(() => {})
      },
    }),
}

await tasks[task]?.()
await store.close()
print('closed')
