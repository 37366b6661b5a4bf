import type { Devnet } from '@bardo/devnet'
import type { BenchWorld } from './benchWorld.ts'
import { enforcerPolicies, type Policy, policies } from './policies.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { workOf } from './work.ts'

/** The total gas of one redemption under one policy, and what the policy adds. */
export type Figure = {
  readonly scenario: Scenario
  readonly policy: string
  readonly gas: number
  readonly policyGas: number
}

export type Measurement = { readonly policies: readonly Figure[]; readonly enforcers: readonly Figure[] }

/** Measures all policies in every scenario, and each enforcer alone, one after another on one chain. */
export async function measure(world: Devnet, bench: BenchWorld): Promise<Measurement> {
  const bare = new Map<Scenario, number>()

  async function figures(measured: Readonly<Record<string, Policy>>): Promise<Figure[]> {
    const rows: Figure[] = []
    for (const scenario of scenarios) {
      const work = workOf(scenario, world, bench)
      for (const [policy, contexts] of Object.entries(measured)) {
        const gas = await bench.warmGas(contexts(work))
        if (policy === 'none') bare.set(scenario, gas)
        rows.push({ scenario, policy, gas, policyGas: gas - (bare.get(scenario) ?? 0) })
      }
    }
    return rows
  }

  return { policies: await figures(policies), enforcers: await figures(enforcerPolicies) }
}
