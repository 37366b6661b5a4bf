/**
 * A process that serves a Golem's tools, as `bardo mcp` does. It is told what to serve by a file of JSON; over HTTP it
 * writes a line with address and token. It ends when its client is gone, or when it is told to.
 */
import { readFile } from 'node:fs/promises'
import { systemClock } from '@bardo/chain'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { type McpOptions, serveMcp } from '../serveMcp.ts'
import { contextFor, type Location, type ServedGolem } from './mcpWorld.ts'

/** What it is told. */
export type McpTask = ServedGolem &
  Pick<McpOptions, 'profile'> & { readonly world: WorldDescription; readonly location: Location }

const [file = '', is = 'stdio'] = process.argv.slice(2)
const { world, location, profile, ...served }: McpTask = JSON.parse(await readFile(file, 'utf8'))
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

await using store = await openStore({ ...location, clock: systemClock })
const mcp = await serveMcp({
  context: await contextFor(connectDevnet(world), store, served),
  profile,
  over: is === 'http' ? { is, port: 0 } : { is: 'stdio' },
  signal: stop.signal,
  onError: ({ message }) => process.stderr.write(`${message}\n`),
})
if (mcp.is === 'http') process.stdout.write(`${JSON.stringify({ url: mcp.url, token: mcp.token })}\n`)
// A line that is not the protocol's; it has to come out at the other end.
console.log('The tools are served.')
await mcp.closed
