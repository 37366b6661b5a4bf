/**
 * What MCP adds to a tool call: the same call as a function, over stdio and over HTTP, in turns, in one run.
 * The servers are separate processes, the client is the protocol's own, and all share one database and one
 * chain.
 *
 *   npm run bench:tools                                     a table
 *   npm run --silent bench:tools -- --json                  the same as JSON
 *   npm run bench:tools -- --tool get_delegation_tree       another tool; the default reads only the store
 *
 * The servers are warmed up first. It exits with code 1 if either transport adds more than two milliseconds
 * at the 95th percentile. Only the quietest third of the rounds counts, by the times of the direct calls: on
 * a busy machine the rest measures the other load.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openThreeWays } from '@bardo/tools/testing/mcp'

/** Milliseconds at the 95th percentile. */
type Times = { readonly direct: number; readonly stdio: number; readonly http: number }

process.env['DO_NOT_TRACK'] = '1'
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tool: { type: 'string', default: 'wallet_list_session_keys' },
  },
})
const { tool } = values
const [rounds, callsPerRound, warmUp] = [30, 60, 2_000]
const maxAddedMs = 2

await using here = await openThreeWays()
const { direct, stdio, http } = here.ways
await round(warmUp)
const measured: Times[] = []
for (let place = 0; place < rounds; place += 1) measured.push(await round(callsPerRound))

const quietest = measured.toSorted((a, b) => a.direct - b.direct).slice(0, rounds / 3)
const middle = (pick: (times: Times) => number) => rounded(percentile(quietest.map(pick), 0.5))
const result = {
  tool,
  rounds,
  callsPerRound,
  directP95Ms: middle((times) => times.direct),
  stdioP95Ms: middle((times) => times.stdio),
  httpP95Ms: middle((times) => times.http),
  stdioAddsMs: middle((times) => times.stdio - times.direct),
  httpAddsMs: middle((times) => times.http - times.direct),
  mostAddedMs: maxAddedMs,
  loadAverage: rounded(loadavg()[0] ?? 0),
}
if (values.json) console.log(JSON.stringify(result, null, 2))
else console.table(result)
if (Math.max(result.stdioAddsMs, result.httpAddsMs) > maxAddedMs) process.exitCode = 1

/** Calls each way in turn, so that a disturbance affects all three. */
async function round(calls: number): Promise<Times> {
  const times: Record<keyof Times, number[]> = { direct: [], stdio: [], http: [] }
  for (let call = 0; call < calls; call += 1) {
    times.direct.push(await timeOf(direct))
    times.stdio.push(await timeOf(stdio))
    times.http.push(await timeOf(http))
  }
  const p95 = (taken: readonly number[]) => percentile(taken, 0.95)
  return { direct: p95(times.direct), stdio: p95(times.stdio), http: p95(times.http) }
}

async function timeOf(way: typeof direct): Promise<number> {
  const startedAt = performance.now()
  await way(tool, {})
  return performance.now() - startedAt
}

function percentile(taken: readonly number[], part: number): number {
  return taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * part) - 1] ?? 0
}

/** Such a measurement is not accurate beyond a hundredth of a millisecond. */
function rounded(value: number): number {
  return Number(value.toFixed(2))
}
