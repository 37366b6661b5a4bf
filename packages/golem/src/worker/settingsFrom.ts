import type { GolemConfig } from '../config/golemConfig.ts'
import { defaultSchedule } from '../config/heartbeatSchedule.ts'
import { readHeartbeat } from '../config/readHeartbeat.ts'
import { routeFrom } from '../config/routeFrom.ts'
import type { GolemSettings } from '../permission/golemParts.ts'
import { createModelStrategy } from '../strategy/model/createModelStrategy.ts'
import { orRules } from '../strategy/model/orRules.ts'
import { ruleStrategy } from '../strategy/ruleStrategy.ts'
import type { Strategy } from '../strategy/strategy.ts'

/** The files beside golem.toml. */
export type GolemFiles = {
  /** STRATEGY.md. */
  readonly strategy: string
  /** HEARTBEAT.md; undefined for the default schedule. */
  readonly heartbeat: string | undefined
  /** Whether these are the files of an existing Golem. */
  readonly isStored?: boolean
}

/** The deadline of a model's answer: half of the shortest default interval. */
const modelDeadlineMilliseconds = 15_000
/** The maximum size of a model's answer. A valid one needs a hundredth of it. */
const modelBytes = 65_536

/**
 * The settings of a Golem from its files: golem.toml and the environment as the configuration, STRATEGY.md
 * and HEARTBEAT.md.
 * With `[model]` a model decides, otherwise rules do.
 *
 * @example
 * const config = readGolemConfig({ toml, env: process.env })
 * const settings = settingsFrom(config, { strategy, heartbeat })
 */
export function settingsFrom(
  config: GolemConfig,
  { strategy, heartbeat, isStored = false }: GolemFiles,
): GolemSettings {
  const { economy, poolFee, capabilityExpiryTicks } = config
  return {
    schedule: heartbeat === undefined ? defaultSchedule : readHeartbeat(heartbeat, { isStored }),
    strategy: strategyFrom(config, strategy),
    economy,
    expiryTicks: capabilityExpiryTicks,
    poolFee,
    route: routeFrom(config.submission),
  }
}

function strategyFrom({ model }: GolemConfig, strategyText: string): Strategy {
  if (!model) return ruleStrategy
  const { tiers, second, prices } = model
  if (model.endpoint === undefined) return byRule(model.problem)
  const endpoint = {
    url: model.endpoint,
    key: model.key,
    deadlineMilliseconds: modelDeadlineMilliseconds,
    mostBytes: modelBytes,
  }
  return orRules(createModelStrategy({ endpoint, tiers, second, strategyText, prices }), ruleStrategy)
}

/** Rules, with the reason why no model was used. */
function byRule(problem: string): Strategy {
  return async (view) => {
    const decision = await ruleStrategy(view)
    return { ...decision, because: `${problem} By rule: ${decision.because}` }
  }
}
