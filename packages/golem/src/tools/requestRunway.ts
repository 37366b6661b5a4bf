import { isUpgraded, supportedChainIds } from '@bardo/chain'
import { BardoError, readRequest, requestMethod, runwayRequests } from '@bardo/core'
import type { Golem, OwnerRequest } from '@bardo/store'
import { getAddress, isAddressEqual } from 'viem'
import { z } from 'zod'
import { askedBefore, askOwner } from '../owner/askOwner.ts'
import { type FedGolem, readAskOf, readOwnerAsk } from '../owner/ownerRequest.ts'
import { requireNoRunway, runwayConflict } from '../owner/requireNoRunway.ts'
import { needsExpressWord } from '../owner/runwayGuard.ts'
import { activeKey } from '../runtime/activeKey.ts'
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

/** Asks the owner for a daily runway by ERC-7715. */
export const requestRunway = defineTool({
  name: 'metamask_request_runway',
  title: 'Request runway',
  description:
    'Asks the owner’s wallet for USDC by the day (ERC-7715, erc20-token-periodic), for one Golem or several of the same owner. The money can only go into the Golem’s bounded account, never to a key. Needs the owner’s account to be a smart account, and no permission that still runs. More than 90 days or 100 USDC a day needs the owner’s express override. Returns at once: done where the owner answered, else pending.',
  category: 'permission',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: [
    'Checking the owner’s account',
    'Checking the chain',
    'Looking for permissions that still run',
    'Writing the request',
    'Asking the owner',
  ],
  sprite: 'executing',
  promptSnippet: 'Asks the owner’s wallet for a USDC runway by the day.',
  guidelines: {
    thriving: 'Ask for the usual daily amount and 7 to 30 days, and only where none is running.',
    cautious: 'Ask for none; what was granted goes on.',
    declining: 'Ask for none; plan the end.',
    terminal: 'Ask for none; revoke instead.',
  },
  stages: ['thriving'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golems: z.array(golemField).min(1).max(10).describe('The Golems to feed, all of one owner.'),
    dailyCapUsdc: amountField(2, 'USDC a day for each of them, in whole cents.'),
    durationDays: z.int().min(1).max(3_650).describe('For how many days.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golems }) => golems[0],
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string(),
    needsOverride: z.boolean(),
    permissionId: z.string().nullable().describe('Of the first Golem; null until it is granted'),
    storedInGrimoire: z.boolean(),
    dailyCap: z.string().describe('USDC in base units a day for each, as granted or asked'),
    expiresAt: z.number().describe('Unix seconds'),
  }),
  told: {
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
      : `The owner is asked (${requestId})${needsOverride ? '; so much needs their express override' : ''}.`,
  async run(context, { golems: names, dailyCapUsdc, durationDays }, { id: call, subject, progress }) {
    const requestId = `runway:${call}`
    const request = (await askedBefore(context, requestId)) ?? (await ask())
    const { needsOverride, requests } = readAskOf('runway', request)
    const asked = readRequest(requests[0])
    const [first] = request.state === 'pending' ? [] : answered.parse(request.answer).permissions
    return {
      status: first ? ('done' as const) : ('pending' as const),
      requestId: request.id,
      needsOverride,
      permissionId: first?.permissionId ?? null,
      storedInGrimoire: first !== undefined,
      dailyCap: `${first?.dailyCap ?? asked.data.periodAmount ?? 0n}`,
      expiresAt: first?.expiresAt ?? asked.expiry ?? 0,
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
      await progress('Looking for permissions that still run')
      const { timestamp: now } = await client.getBlock()
      for (const golem of golems) await requireNoOther(context, golem)
      await progress('Writing the request')
      const fed = await Promise.all(golems.map((golem) => fedGolem(context, golem)))
      const expiry = now + BigInt(durationDays * daySeconds)
      const runway = { usdcCentsPerDay: dailyCapUsdc, gasWeiPerDay: 0n, expiry, because: [] }
      const wanted = fed.map(({ account: to }) => {
        const parties = { chainId: deployment.chainId, from: subject.owner, to, usdc, now }
        return runwayRequests(runway, parties)[0]
      })
      const size = { daily: dailyCapUsdc * unitsPerCent, seconds: durationDays * daySeconds }
      const sentence = `Up to $${(Number(dailyCapUsdc) / 100).toFixed(2)} of USDC a day into the bounded account of each of ${golems.length} Golems, for ${durationDays} days.`
      await progress('Asking the owner')
      return askOwner(context, {
        id: requestId,
        golem: subject.id,
        ask: {
          is: 'runway',
          sentence,
          golems: fed,
          method: requestMethod,
          requests: wanted,
          needsOverride: needsExpressWord(golems.map(() => size)),
        },
      })
    }
  },
})

/** The call's own Golem has been looked at; the others live and thrive like it, and are the same owner's. */
function requireFamily([first, ...others]: readonly Golem[]): void {
  for (const golem of others) {
    requireStage(requestRunway, golem)
    if (!first || !isAddressEqual(first.owner, golem.owner) || golem.id === first.id)
      throw new BardoError('These Golems are not different ones of one owner.', {
        code: 'INVALID_INPUT',
        remedy: 'Ask for each owner’s Golems by themselves, and name each once.',
      })
  }
  if (new Set(others.map(({ id }) => id)).size !== others.length)
    throw new BardoError('A Golem is named twice.', { code: 'INVALID_INPUT', remedy: 'Name each once.' })
}

/** Money goes into the account that the Cage measures; a grant to a key would go around it. */
async function fedGolem({ open, store }: ToolContext, { id }: Golem): Promise<FedGolem> {
  const { charter } = await (await open(id)).status()
  const key = await activeKey(store, id)
  if (!key)
    throw new BardoError('The session key is gone.', {
      code: 'SESSION_KEY_ZEROED',
      remedy: 'Ask the owner for a grant to a new key.',
    })
  return { golem: id, account: getAddress(charter.terms.mandate.account), key: key.address }
}

async function requireNoOther(context: ToolContext, { id, owner }: Golem): Promise<void> {
  const { store } = context
  await requireNoRunway(context, id)
  // A request for several stands under the first one's name.
  for (const request of await store.ownerRequests.pendingOf(owner)) {
    const ask = request.kind === 'runway' ? readOwnerAsk(request) : undefined
    if (ask?.is === 'runway' && ask.golems.some((fed) => fed.golem === id))
      throw runwayConflict([`request ${request.id} waits for the owner`])
  }
}

function unsupported(chainId: number): BardoError {
  return new BardoError('There are no runways on this chain.', {
    code: 'UNSUPPORTED_CHAIN',
    details: [`chain ${chainId}`, `known: ${supportedChainIds.join(', ')}`],
    remedy: 'Run the Golem on a chain that MetaMask grants permissions on, such as Base.',
    docsPath: 'requests.md#runway',
  })
}

function plainAccount(): BardoError {
  return new BardoError('The owner’s account is not a smart account.', {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Have the owner switch it to a smart account in MetaMask, then ask again.',
    docsPath: 'requests.md#runway',
  })
}
