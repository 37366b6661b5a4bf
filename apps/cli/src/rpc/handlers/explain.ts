import { BardoError } from '@bardo/core'
import { callTool, explainActionTool } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { waitingFor } from '../waitingFor.ts'
import { golemField } from './fields.ts'

/** Explains why an action passed, was refused, or would be refused. */
export const explain = defineTask({
  input: z.strictObject({ golem: golemField.optional(), subject: z.string().min(1).max(400) }),
  async run(context, { golem: named, subject }) {
    const about = aboutOf(subject.trim())
    // An intent id starts with the id of its Golem.
    const owner = about.type === 'intent' ? about.id.split(':')[0] : named
    const { id, name } = await findGolem(context, owner)
    const explanation = await callTool(context.toolsFor(id), explainActionTool, { golem: id, about })
    // Only an action that was not sent can still be waiting.
    const waits =
      about.type === 'wish' ? await waitingFor(context, await context.open(id), context.clock.now()) : null
    return { golem: id, name, waits, ...explanation }
  },
})

function aboutOf(subject: string) {
  if (/^0x[0-9a-f]{64}$/i.test(subject)) return { type: 'transaction', hash: subject } as const
  if (/^0x[0-9a-f]{64}:/i.test(subject)) return { type: 'intent', id: subject } as const
  const [, dollars, from, to] =
    /^swap \$?([\d.]+)(?: of)? (\w+)(?: to| into| for)? (\w+)$/i.exec(subject) ?? []
  if (dollars && from && to)
    return { type: 'wish', wish: { type: 'swap', from: symbol(from), to: symbol(to), dollars } } as const
  const [, verb, amount, asset] = /^(deposit|withdraw) \$?([\d.]+)(?: of)? (\w+)$/i.exec(subject) ?? []
  if (verb && amount && asset) {
    const type = verb.toLowerCase() === 'deposit' ? 'deposit' : 'withdraw'
    return { type: 'wish', wish: { type, asset: symbol(asset), dollars: amount } } as const
  }
  throw new BardoError('Cannot explain this.', {
    code: 'INVALID_INPUT',
    remedy:
      'Give a transaction hash, an intent id, or an action: "swap 500 USDC to WETH", "deposit 50 USDC" or "withdraw 50 USDC". A Golem cannot send money to others.',
    docsPath: 'cli.md#explain',
  })
}

const symbol = (text: string) => text.toUpperCase()
