/**
 * A process that serves a Golem's tools, as `bardo mcp` does. A JSON file names what to serve. Over HTTP it
 * prints a
 * line with URL and token. It ends when its client disconnects, or on SIGINT or SIGTERM.
 */
import { readFile } from 'node:fs/promises'
import { systemClock } from '@bardo/chain'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { type McpOptions, serveMcp } from '../serveMcp.ts'
import { contextFor, type Location, type ServedGolem } from './mcpWorld.ts'

/** The content of the JSON file. */
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
  over: is === 'http' ? { type: 'http', port: 0 } : { type: 'stdio' },
  signal: stop.signal,
  onError: ({ message }) => process.stderr.write(`${message}\n`),
})
if (mcp.type === 'http') process.stdout.write(`${JSON.stringify({ url: mcp.url, token: mcp.token })}\n`)
// A line outside the protocol: it must not arrive on standard output.
console.log('The tools are served.')
await mcp.closed
