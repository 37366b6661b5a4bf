import type { GolemConfig } from '../config/golemConfig.ts'
import { defaultSchedule } from '../heartbeatFile/heartbeatSchedule.ts'
import { readHeartbeat } from '../heartbeatFile/readHeartbeat.ts'
import { createModelStrategy } from '../strategies/model/createModelStrategy.ts'
import { orRules } from '../strategies/model/orRules.ts'
import { ruleStrategy } from '../strategies/ruleStrategy.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { GolemSettings } from './golemParts.ts'

/** The texts beside golem.toml. */
export type GolemFiles = {
  /** STRATEGY.md. */
  readonly strategy: string
  /** HEARTBEAT.md; the default schedule where there is none. */
  readonly heartbeat: string | undefined
}

/** How long a model may think. Origin: ours; half of the default interval's shortest. */
const modelDeadlineMilliseconds = 15_000
/** How much of its answer is taken. Origin: ours; what is asked for takes a hundredth. */
const modelBytes = 65_536

/**
 * How a Golem lives, out of its files: golem.toml and the environment as the configuration, STRATEGY.md and
 * HEARTBEAT.md. With `[model]` a model decides, without it rules do.
 *
 * @example
 * const config = readGolemConfig({ toml, env: process.env, home: homedir() })
 * const settings = settingsFrom(config, { strategy, heartbeat })
 */
export function settingsFrom(config: GolemConfig, { strategy, heartbeat }: GolemFiles): GolemSettings {
  const { economy, poolFee, capabilityExpiryTicks } = config
  return {
    schedule: heartbeat === undefined ? defaultSchedule : readHeartbeat(heartbeat),
    strategy: strategyFrom(config, strategy),
    economy,
    expiryTicks: capabilityExpiryTicks,
    poolFee,
  }
}

function strategyFrom({ model }: GolemConfig, strategyText: string): Strategy {
  if (!model) return ruleStrategy
  const { endpoint: url, key, tiers, second } = model
  const endpoint = {
    url,
    key,
    deadlineMilliseconds: modelDeadlineMilliseconds,
    mostBytes: modelBytes,
  }
  return orRules(createModelStrategy({ endpoint, tiers, second, strategyText }), ruleStrategy)
}
