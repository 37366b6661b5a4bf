import { comparePlans, compileStrategy } from '@bardo/core'
import { z } from 'zod'
import { compiledJson } from '../compiledJson.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField, textField } from './fields.ts'

/** What a strategy asks for on this chain, and what would change for a Golem. */
export const compile = defineTask({
  input: z.strictObject({ strategy: textField, golem: golemField.optional() }),
  async run(place, { strategy, golem: named }) {
    const { client, book } = place.chain
    const { timestamp: now } = await client.getBlock()
    const compiled = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
    if (named === undefined) return { ...compiledJson(compiled), against: null, changes: [] }
    const { id, name } = await findGolem(place, named)
    const { charter } = await (await place.open(id)).status()
    return {
      ...compiledJson(compiled),
      against: { golem: id, name },
      changes: comparePlans(charter.plan, compiled.plan),
    }
  },
})
