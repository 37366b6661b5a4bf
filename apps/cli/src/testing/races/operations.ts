import type { Random } from '@bardo/core/testing/random'
import { callTool, tools } from '@bardo/tools'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { localOffice } from '../../rpc/localOffice.ts'

/** An operation of an owner or a worker on a Golem. */
export type Operation = (context: Context, golem: Hash, random: Random) => Promise<unknown>

/** A Golem with one of these strategies trades every minute. */
export const strategies = [
  'Every minute, swap $1 of USDC into WETH. Spawn up to 1000 replicants.\nreplicant budget: $2/day\nbudget: $500/day\nlifespan: 30 days\n',
  'Every minute, swap $1 of USDC into WETH. Spawn up to 1000 replicants.\nreplicant budget: $2/day\nbudget: $400/day\nlifespan: 20 days\n',
] as const

let children = 0

/** The operations by name. */
export const operations = {
  feed: (context, golem) => localOffice(context).ask('regrant', { golem }),
  adjust: (context, golem, random) =>
    localOffice(context).ask('regrant', { golem, strategy: random.pick(strategies) }),
  rotate: (context, golem) => localOffice(context).ask('rotate', { golem, isSuspected: false }),
  async runway(context, golem, random) {
    const tool = tools.find(({ name }) => name === 'metamask_request_runway')
    if (!tool) throw new TypeError('The tool that requests a runway is missing.')
    const input = { golems: [golem], dailyCapUsdc: 1 + random.below(5), durationDays: 2 }
    const asked = await callTool(context.toolsFor(golem), tool, input)
    const { requestId: request } = z.looseObject({ requestId: z.string() }).parse(asked)
    return localOffice(context).ask('answer', { request, says: 'yes' })
  },
  replicate(context, golem) {
    children += 1
    const child = {
      dailyCents: '200',
      budgetCents: '1000',
      runwayCents: '500',
      lifespanSeconds: 86_400,
      calls: 50,
    }
    return localOffice(context).ask('replicate', { golem, name: `child ${children}`, ...child })
  },
  revoke: (context, golem) => localOffice(context).ask('revoke', { golem }),
  kill: (context, golem) => localOffice(context).ask('kill', { golem }),
  tick: async (context, golem) => (await context.open(golem)).tick(),
  suspected: (context, golem) => localOffice(context).ask('rotate', { golem, isSuspected: true }),
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof operations
