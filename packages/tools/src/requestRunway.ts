import { isUpgraded } from '@bardo/chain'
import { BardoError, formatDollars, requestMethod, runwayRequests, supportedChainIds } from '@bardo/core'
import {
  askedBefore,
  askOwner,
  type FedGolem,
  needsConfirmation,
  readAskOf,
  readOwnerAsk,
  requireNoRunway,
  runwayConflict,
  runwayTerms,
} from '@bardo/golem/requests'
import type { Golem, OwnerRequest } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { getAddress, isAddressEqual } from 'viem'
import { z } from 'zod'
import { amountField, golemField, idempotencyField } from './fields.ts'
import { findSubject } from './findSubject.ts'
import { requireStage } from './requireStage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const daySeconds = 86_400
/** USDC has six decimals. */
const unitsPerCent = 10_000n
const answered = z.looseObject({
  permissions: z.array(
    z.looseObject({ permissionId: z.string(), dailyCap: z.bigint(), expiresAt: z.number() }),
  ),
})

/** Requests a daily runway from the owner by ERC-7715. */
export const requestRunway = defineTool({
  name: 'metamask_request_runway',
  title: 'Request runway',
  description:
    'Asks the owner’s wallet for a daily amount of USDC (ERC-7715, erc20-token-periodic), for one Golem or several of the same owner. The money can only go to the account that the Golem acts for, never to a key. The owner’s account must be a smart account, and the Golem must have no active runway. More than 90 days or 100 USDC a day needs the owner’s explicit confirmation (override). Returns at once: “done” if the owner has answered, otherwise “pending”.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: [
    'Checking the owner’s account',
    'Checking the chain',
    'Looking for active runways',
    'Writing the request',
    'Asking the owner',
  ],
  sprite: 'executing',
  promptSnippet: 'Asks the owner’s wallet for a daily USDC runway.',
  guidelines: {
    thriving: 'Ask for the usual daily amount for 7 to 30 days, and only if no runway is active.',
    cautious: 'Do not ask; an existing runway stays valid.',
    declining: 'Do not ask; plan the end.',
    terminal: 'Do not ask; revoke instead.',
  },
  stages: ['thriving'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golems: z.array(golemField).min(1).max(10).describe('The Golems to fund, all of one owner.'),
    dailyCapUsdc: amountField(2, 'The USDC per day for each Golem, with at most two decimals.'),
    durationDays: z.int().min(1).max(3_650).describe('The number of days.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golems }) => golems[0],
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string(),
    needsOverride: z.boolean(),
    permissionId: z
      .string()
      .nullable()
      .describe('The permission of the first Golem; null until it is granted'),
    storedInGrimoire: z.boolean(),
    dailyCap: z
      .string()
      .describe('The USDC per day for each Golem in base units: as granted, or as requested while pending'),
    expiresAt: z.number().describe('Unix seconds'),
  }),
  eventFields: {
    start: ({ golems, dailyCapUsdc, durationDays }) => ({
      golems: golems.length,
      dailyCapCents: dailyCapUsdc,
      durationDays,
    }),
    end: ({ status, permissionId, storedInGrimoire }) => ({
      status,
      permissionId: permissionId ?? 'none',
      storedInGrimoire,
    }),
  },
  say: ({ status, requestId, needsOverride }) =>
    status === 'done'
      ? 'The runway is granted.'
      : `Waiting for the owner (${requestId})${needsOverride ? '; this amount needs the owner’s explicit confirmation (override)' : ''}.`,
  async run(context, { golems: names, dailyCapUsdc, durationDays }, { id: call, subject, progress }) {
    const requestId = `runway:${call}`
    const request = (await askedBefore(context, requestId)) ?? (await ask())
    const { chainId } = context.deployment
    const usdc = context.book.assets.get('USDC')?.token
    const terms = runwayTerms(readAskOf('runway', request), { chainId, owner: subject.owner, usdc })
    const [requested] = terms
    const needsOverride = needsConfirmation(terms)
    const [first] = request.state === 'pending' ? [] : answered.parse(request.answer).permissions
    return {
      status: first ? ('done' as const) : ('pending' as const),
      requestId: request.id,
      needsOverride,
      permissionId: first?.permissionId ?? null,
      storedInGrimoire: first !== undefined,
      dailyCap: `${first?.dailyCap ?? requested?.daily ?? 0n}`,
      expiresAt: first?.expiresAt ?? requested?.expiresAt ?? 0,
    }

    async function ask(): Promise<OwnerRequest> {
      const { client, deployment, book } = context
      const golems = await Promise.all(names.map((name) => findSubject(context, name)))
      requireFamily(golems)
      await progress('Checking the owner’s account')
      if (!supportedChainIds.includes(deployment.chainId)) throw unsupported(deployment.chainId)
      if (!(await isUpgraded(client, deployment, subject.owner))) throw plainAccount()
      await progress('Checking the chain')
      const usdc = book.assets.get('USDC')?.token
      if (!usdc) throw unsupported(deployment.chainId)
      await progress('Looking for active runways')
      const { timestamp: now } = await client.getBlock()
      for (const golem of golems) await requireNoOther(context, golem)
      await progress('Writing the request')
      const fed = await Promise.all(golems.map((golem) => fedGolem(context, golem)))
      const expiry = now + BigInt(durationDays * daySeconds)
      const runway = { usdcCentsPerDay: dailyCapUsdc, gasWeiPerDay: 0n, expiry, because: [] }
      const runwayAsks = fed.map(({ account: to }) => {
        const parties = { chainId: deployment.chainId, from: subject.owner, to, usdc, now }
        return runwayRequests(runway, parties)[0]
      })
      const size = { daily: dailyCapUsdc * unitsPerCent, seconds: durationDays * daySeconds }
      const sentence = `Up to ${formatDollars(dailyCapUsdc)} of USDC a day into the account of each of ${golems.length} Golems, for ${durationDays} days.`
      await progress('Asking the owner')
      return askOwner(context, {
        id: requestId,
        golem: subject.id,
        ask: {
          type: 'runway',
          sentence,
          golems: fed,
          method: requestMethod,
          requests: runwayAsks,
          needsOverride: needsConfirmation(golems.map(() => size)),
        },
      })
    }
  },
})

/**
 * The first Golem has been checked already. The others must be in the same stage, have the same owner and be
 * distinct.
 */
function requireFamily([first, ...others]: readonly Golem[]): void {
  for (const golem of others) {
    requireStage(requestRunway, golem)
    if (!first || !isAddressEqual(first.owner, golem.owner) || golem.id === first.id)
      throw new BardoError('The Golems must be distinct and have the same owner.', {
        code: 'INVALID_INPUT',
        remedy: 'Make one call per owner, and list each Golem once.',
      })
  }
  if (new Set(others.map(({ id }) => id)).size !== others.length)
    throw new BardoError('A Golem is listed twice.', {
      code: 'INVALID_INPUT',
      remedy: 'List each Golem once.',
    })
}

/** The money goes to the account that the Cage measures; a grant to a key would bypass the Cage. */
async function fedGolem({ open, store }: ToolContext, { id }: Golem): Promise<FedGolem> {
  const { permission } = await (await open(id)).status()
  const key = await activeKey(store, id)
  if (!key)
    throw new BardoError('The Golem has no active session key.', {
      code: 'SESSION_KEY_ZEROED',
      remedy: 'Ask the owner to sign a grant for a new key.',
    })
  return { golem: id, account: getAddress(permission.terms.mandate.account), key: key.address }
}

async function requireNoOther(context: ToolContext, { id, owner }: Golem): Promise<void> {
  const { store } = context
  await requireNoRunway(context, id)
  // A request for several Golems is stored under the first one's id.
  for (const request of await store.ownerRequests.pendingOf(owner)) {
    const ask = request.kind === 'runway' ? readOwnerAsk(request) : undefined
    if (ask?.type === 'runway' && ask.golems.some((fed) => fed.golem === id))
      throw runwayConflict([`request ${request.id} is waiting for the owner`])
  }
}

function unsupported(chainId: number): BardoError {
  return new BardoError('Runways are not supported on this chain.', {
    code: 'UNSUPPORTED_CHAIN',
    details: [`chain ${chainId}`, `supported: ${supportedChainIds.join(', ')}`],
    remedy: 'Run the Golem on a chain that supports MetaMask permissions, such as Base.',
    docsPath: 'requests.md#runway',
  })
}

function plainAccount(): BardoError {
  return new BardoError('The owner’s account is not a smart account.', {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Have the owner switch it to a smart account in MetaMask, then call again.',
    docsPath: 'requests.md#runway',
  })
}
