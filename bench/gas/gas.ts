/**
 * What each policy costs around the same work, on one chain in one run. `--json` prints an array of
 * `{scenario, policy, gas, policyGas}`; without it, a table. `policyGas` is what the policy adds to the same redemption
 * without caveats.
 */
import { startDevnet } from '@bardo/devnet'
import { openBenchWorld } from './benchWorld.ts'
import { contextsOf, policies } from './policies.ts'
import { scenarios } from './scenarios.ts'

process.env['DO_NOT_TRACK'] = '1'
await using world = await startDevnet({ port: 0 })
const bench = await openBenchWorld(world)

const figures: { scenario: string; policy: string; gas: number; policyGas: number }[] = []
for (const scenario of scenarios) {
  let bare = 0
  for (const policy of policies) {
    const now = Number((await world.client.getBlock()).timestamp)
    const gas = Number(await bench.warmGas(contextsOf(policy, scenario, world, bench, now)))
    if (policy === 'none') bare = gas
    figures.push({ scenario, policy, gas, policyGas: gas - bare })
  }
}

if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2))
else {
  console.log('| scenario | policy | gas | policy gas |\n| --- | --- | ---: | ---: |')
  for (const { scenario, policy, gas, policyGas } of figures)
    console.log(
      `| ${scenario} | ${policy} | ${gas.toLocaleString('en')} | ${policyGas.toLocaleString('en')} |`,
    )
}
