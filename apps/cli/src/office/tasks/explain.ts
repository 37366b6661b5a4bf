import { BardoError } from '@bardo/core'
import { callTool, explainActionTool } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** Why something passed, was refused, or would be. */
export const explain = defineTask({
  input: z.strictObject({ golem: golemField.optional(), subject: z.string().min(1).max(400) }),
  async run(place, { golem: named, subject }) {
    const about = aboutOf(subject.trim())
    // An intent says whose it is.
    const owner = about.is === 'intent' ? about.id.split(':')[0] : named
    const { id, name } = await findGolem(place, owner)
    return {
      golem: id,
      name,
      ...(await callTool(place.toolsFor(id), explainActionTool, { golem: id, about })),
    }
  },
})

function aboutOf(subject: string) {
  if (/^0x[0-9a-f]{64}$/i.test(subject)) return { is: 'transaction', hash: subject } as const
  if (/^0x[0-9a-f]{64}:/i.test(subject)) return { is: 'intent', id: subject } as const
  const [, dollars, from, to] =
    /^swap \$?([\d.]+)(?: of)? (\w+)(?: to| into| for)? (\w+)$/i.exec(subject) ?? []
  if (dollars && from && to)
    return { is: 'wish', wish: { is: 'swap', from: symbol(from), to: symbol(to), dollars } } as const
  const [, verb, amount, asset] = /^(deposit|withdraw) \$?([\d.]+)(?: of)? (\w+)$/i.exec(subject) ?? []
  if (verb && amount && asset) {
    const is = verb.toLowerCase() === 'deposit' ? 'deposit' : 'withdraw'
    return { is: 'wish', wish: { is, asset: symbol(asset), dollars: amount } } as const
  }
  throw new BardoError('This can be no subject.', {
    code: 'INVALID_INPUT',
    remedy:
      'Give a transaction hash, an intent id, or a wish such as: swap 500 USDC to WETH; deposit 50 USDC.',
    docsPath: 'cli.md#explain',
  })
}

const symbol = (text: string) => text.toUpperCase()
