/**
 * Runs the Golem of `npm start` over a day of simulated time, tick by tick on its own schedule. Fails if it trades fewer than
 * 45 times in an hour. Takes minutes.
 *
 * Usage: npm run test:day [-- HOURS]
 */
import { parseEther } from 'viem'
import { defaultGolem } from '../commands/up/defaultGolem.ts'
import { openClockWorld } from './openClockWorld.ts'

const hours = Number(process.argv[2] ?? 24)
await using here = await openClockWorld()
const { office, context, clock } = here
const { golem } = await office.ask('summon', {
  name: defaultGolem.name,
  strategy: defaultGolem.strategy,
  heartbeat: defaultGolem.heartbeat,
})
const living = await context.open(golem)
const began = clock.now()
let cursor = 0
let [ticks, trades] = [0, 0]
for (let hour = 1; hour <= hours; hour += 1) {
  const before = trades
  while (clock.now() < began + hour * 3_600_000) {
    const { type } = await living.tick()
    if (type !== 'ticked') throw new Error(`it ended: ${type}`)
    ticks += 1
    const next = (await context.store.golems.find(golem))?.nextTick ?? clock.now()
    await here.pass(Math.max(1, Math.ceil((next - clock.now()) / 1_000)))
    for (const event of await context.store.events.read({ after: cursor, golem, limit: 10_000 })) {
      cursor = event.sequence
      if (event.name === 'action.landed') trades += 1
    }
  }
  const { day, balances, sessionKeys, phase, waits, healthChecks } = await office.ask('status', { golem })
  const gas = sessionKeys.map(({ gasWei }) => Number(gasWei) / Number(parseEther('1')))
  const { dump } = await here.world.keep()
  console.log(
    JSON.stringify({
      hour,
      ticks,
      trades,
      spentCents: day?.spentCents,
      usdCents: balances[0]?.cents,
      gas,
      phase,
      waits: waits?.text,
      failing: healthChecks.filter(({ ok }) => !ok).map(({ note }) => note),
      keptKb: Math.round(dump.length / 1_024),
    }),
  )
  if (trades - before < 45) throw new Error(`only ${trades - before} trades in hour ${hour}`)
}
