import type { SessionKeyRecord, Store } from '@bardo/store'
import { BaseError, getAddress } from 'viem'
import { z } from 'zod'
import type { GolemState } from '../heartbeat/golemState.ts'
import { missedTicks } from '../heartbeat/missedTicks.ts'
import { policyFrom, policySentence, readWalletPolicy } from '../owner/walletPolicy.ts'
import { observeReasons, outageOf } from '../recovery/recovery.ts'
import type { LivingGolem } from '../runtime/createGolem.ts'
import { laterOf } from '../runtime/previewIntention.ts'
import type { WorldSeen } from '../runtime/readWorld.ts'
import { phaseAt } from '../runtime/storedLife.ts'
import { summaryOf } from '../strategies/strategy.ts'
import { golemField } from './fields.ts'
import { plain } from './findSubject.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife, stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'
import { inDollars } from './wish.ts'

const cents = z.string().describe('US cents')

/** How a Golem and its wallet stand. */
export const getStatus = defineTool({
  name: 'wallet_get_status',
  title: 'Status',
  description:
    'Shows how a Golem stands: balances, custody, chain, phase and vitals, session keys, what waits for the owner, what is under way, and checks of its health. Changes nothing. While the chain cannot be reached it tells what the store knows, and says so. Where several Golems live and none is named, the refusal lists them.',
  category: 'wallet',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the store and the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows balances, phase, keys, open requests and health at once.',
  guidelines: {
    thriving: 'Look before planning.',
    cautious: 'Look at every tick, and at what waits for the owner.',
    declining: 'Look at what is still open, and close it.',
    terminal: 'Look once, to see that nothing is left.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional(), chain: chainField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    golem: z.string(),
    name: z.string(),
    owner: z.string(),
    account: z.string().describe('The owner’s account that it works for; the money stays there'),
    custody: z.enum(['delegation', 'embedded', 'localKey']),
    chainId: z.number(),
    status: z.enum(['onboarding', 'alive', 'observing', 'dying', 'dead']),
    phase: z.enum(['thriving', 'stable', 'conservation', 'declining', 'terminal']),
    stage: z.enum(stages),
    tick: z.number(),
    survivalScore: z.number().describe('0 to 10,000'),
    dreaming: z.boolean(),
    stale: z
      .string()
      .nullable()
      .describe('Why what the chain says is missing, and since when; null where all of it is of now'),
    activePolicy: z.string().describe('What the wallet lets through, in a sentence'),
    balances: z
      .array(z.strictObject({ symbol: z.string(), cents, vaultCents: cents }))
      .describe('Empty while the chain cannot be reached'),
    day: z
      .strictObject({ spentCents: cents, limitCents: cents })
      .nullable()
      .describe('Null while the chain cannot be reached'),
    sessionKeys: z.array(
      z.strictObject({
        keyId: z.string(),
        address: z.string(),
        status: z.string(),
        gasWei: z.string().nullable().describe('Null while the chain cannot be reached'),
      }),
    ),
    ownerRequests: z.array(
      z.strictObject({ id: z.string(), kind: z.string(), filedAt: z.number().describe('Unix seconds') }),
    ),
    operations: z.array(z.strictObject({ intentId: z.string(), summary: z.string() })),
    healthChecks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), note: z.string() })),
  }),
  told: {
    start: () => ({}),
    end: ({ account, custody, balances, status, phase, healthChecks }) => ({
      address: account,
      provider: custody,
      balanceCount: balances.length,
      status,
      phase,
      failedChecks: healthChecks.filter(({ ok }) => !ok).length,
    }),
  },
  say: ({ name, golem, status, phase, stale, balances, day, ownerRequests, operations, healthChecks }) =>
    [
      `${plain(name)} (${golem}) is ${status} and ${phase}.`,
      ...(stale === null ? [] : [stale]),
      ...balances.map(
        ({ symbol, cents: held, vaultCents }) =>
          `${symbol}: ${inDollars(held)}, and ${inDollars(vaultCents)} in the vault`,
      ),
      ...(day ? [`Today: ${inDollars(day.spentCents)} of ${inDollars(day.limitCents)} used.`] : []),
      `${ownerRequests.length} requests wait for the owner, ${operations.length} operations are under way.`,
      ...healthChecks.map(({ ok, name: check, note }) => `${ok ? '✓' : '✗'} ${check}: ${note}`),
    ].join('\n'),
  async run(context, { chain }, { subject, progress }) {
    const { store, deployment, clock } = context
    await progress('Reading the store and the chain')
    const { chainId } = deployment
    if (chain !== undefined) requireChain(deployment, chain)
    const golem = await context.open(subject.id)
    const [{ charter, state }, keys, requests, chosen] = await Promise.all([
      golem.status(),
      store.sessionKeys.list(subject.id),
      store.ownerRequests.pending(subject.id),
      readWalletPolicy(store, subject.id),
    ])
    const seen = await look(context, golem, keys)
    const senders = keys.map(({ address }) => ({ chainId, from: address }))
    const { id, name, owner, custody, status } = charter.golem
    return {
      golem: id,
      name: plain(name),
      owner,
      account: getAddress(charter.terms.mandate.account),
      custody: custody ?? 'delegation',
      chainId,
      status: subject.status,
      phase: seen ? laterOf(subject.phase, phaseAt(seen.world.vitals.phase)) : subject.phase,
      stage: stageOfLife(subject),
      tick: state.tick,
      survivalScore: state.survivalScore,
      dreaming: state.dream.is !== 'awake',
      stale: seen ? null : staleSince(state),
      activePolicy: policySentence(chosen ?? policyFrom('defi-trading', charter.terms)),
      balances: (seen?.world.holdings ?? []).map(({ symbol, cents: held, vaultCents }) => ({
        symbol,
        cents: `${held}`,
        vaultCents: `${vaultCents}`,
      })),
      day: seen ? { spentCents: `${seen.world.day.spent}`, limitCents: `${seen.world.day.limit}` } : null,
      sessionKeys: keys.map(({ publicKey, address, status: is }, place) => {
        const gas = seen?.gas[place]
        return { keyId: publicKey, address, status: is, gasWei: gas === undefined ? null : `${gas}` }
      }),
      ownerRequests: requests.map(({ id: request, kind, filedAt }) => ({
        id: request,
        kind,
        filedAt: Math.floor(filedAt / 1_000),
      })),
      operations: await underWay(store, senders, state),
      healthChecks: checksOf(seen?.world, state, {
        isDead: status === 'dead',
        hasKey: keys.some((key) => key.status === 'active'),
        now: clock.now() / 1_000,
      }),
    }
  },
})

/** What the chain says; undefined while nobody answers for it. */
async function look(
  { client }: Pick<ToolContext, 'client'>,
  golem: LivingGolem,
  keys: readonly SessionKeyRecord[],
): Promise<{ readonly world: WorldSeen; readonly gas: readonly bigint[] } | undefined> {
  try {
    const world = await golem.look()
    const gas = await Promise.all(keys.map(({ address }) => client.getBalance({ address })))
    return { world, gas }
  } catch (error) {
    if (outageOf(error) === 'rpcOutage' || error instanceof BaseError) return undefined
    throw error
  }
}

function staleSince({ prices }: GolemState): string {
  const last = Math.max(0, ...prices.map(({ at }) => at))
  const when = last > 0 ? `last seen at ${new Date(last * 1_000).toISOString()}` : 'never seen yet'
  return `The chain cannot be reached: this is what the store knows, without balances, limits and gas; ${when}.`
}

/** What was decided, and what is on its way to the chain. */
async function underWay(
  { journal }: Pick<Store, 'journal'>,
  senders: readonly Parameters<Store['journal']['open']>[0][],
  { pending }: GolemState,
) {
  const open = (await Promise.all(senders.map((sender) => journal.open(sender)))).flat()
  const sent = open.map(({ intent: { id } }) => ({ intentId: id, summary: 'on its way to the chain' }))
  if (!pending) return sent
  const { intentId, intention } = pending
  return [{ intentId, summary: summaryOf(intention) }, ...sent.filter((other) => other.intentId !== intentId)]
}

type Standing = { readonly isDead: boolean; readonly hasKey: boolean; readonly now: number }

function checksOf(
  seen: WorldSeen | undefined,
  { recovery, nextTickAt, intervalSeconds }: GolemState,
  { isDead, hasKey, now }: Standing,
) {
  const missed = isDead ? 0 : missedTicks({ nextTickAt, intervalSeconds }, 0, now)
  const check = (name: string, ok: boolean, good: string, bad: string) => ({
    name,
    ok,
    note: ok ? good : bad,
  })
  const onChain = seen
    ? [
        check('permission', !seen.revoked, 'it stands on the chain', 'the owner has revoked it'),
        check(
          'row',
          seen.vitals.state === 'alive',
          'the chain shows it alive',
          `the chain shows it ${seen.vitals.state}`,
        ),
        check('manager', !seen.managerPaused, 'redemptions work', 'MetaMask paused the DelegationManager'),
        check('constitution', !seen.constitutionChanged, 'it is the signed one', 'it is not the signed one'),
      ]
    : [check('chain', false, '', 'it cannot be reached')]
  return [
    ...onChain,
    check('key', hasKey, 'there is one in use', 'there is none'),
    check('heartbeat', missed === 0, 'no tick is missed', `${missed} ticks are missed`),
    check(
      'acting',
      recovery.is === 'acting',
      'it acts',
      recovery.is === 'observing' ? observeReasons[recovery.reason] : '',
    ),
  ]
}
