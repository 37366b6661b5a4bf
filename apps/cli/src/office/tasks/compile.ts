import { comparePlans, compileStrategy } from '@bardo/core'
import { custodyChoice } from '@bardo/golem'
import { z } from 'zod'
import { configOf } from '../../place/golemSettings.ts'
import { boundSentences, compiledJson } from '../compiledJson.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField, textField } from './fields.ts'

/** What a strategy asks for on this chain, and what would change for a Golem. */
export const compile = defineTask({
  input: z.strictObject({
    strategy: textField,
    config: textField.nullable().default(null),
    golem: golemField.optional(),
  }),
  async run(place, { strategy, config, golem: named }) {
    const { client, book, deployment } = place.chain
    const custody = custodyChoice(configOf(config, deployment.chainId, place.settings.env).provider)
    const bounds = custody.is === 'localKey' ? boundSentences(custody.bounds) : null
    const { timestamp: now } = await client.getBlock()
    const compiled = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
    if (named === undefined) return { ...compiledJson(compiled), bounds, against: null, changes: [] }
    const { id, name } = await findGolem(place, named)
    const { charter } = await (await place.open(id)).status()
    return {
      ...compiledJson(compiled),
      bounds,
      against: { golem: id, name },
      changes: comparePlans(charter.plan, compiled.plan),
    }
  },
})
