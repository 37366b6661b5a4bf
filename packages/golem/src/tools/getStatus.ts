import type { Store } from '@bardo/store'
import { getAddress } from 'viem'
import { z } from 'zod'
import type { GolemState } from '../heartbeat/golemState.ts'
import { missedTicks } from '../heartbeat/missedTicks.ts'
import { observeReasons } from '../recovery/recovery.ts'
import { laterOf } from '../runtime/previewIntention.ts'
import type { WorldSeen } from '../runtime/readWorld.ts'
import { phaseAt } from '../runtime/storedLife.ts'
import { summaryOf } from '../strategies/strategy.ts'
import { golemField } from './fields.ts'
import { stageOfLife, stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'
import { inDollars } from './wish.ts'

const cents = z.string().describe('US cents')

/** How a Golem and its wallet stand. */
export const getStatus = defineTool({
  name: 'wallet_get_status',
  title: 'Status',
  description:
    'Shows how a Golem stands: balances, custody, chain, phase and vitals, session keys, what waits for the owner, what is under way, and checks of its health. Changes nothing. Where several Golems live and none is named, the answer lists them.',
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
  input: z.strictObject({ golem: golemField.optional() }),
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
    balances: z.array(z.strictObject({ symbol: z.string(), cents, vaultCents: cents })),
    day: z.strictObject({ spentCents: cents, limitCents: cents }),
    sessionKeys: z.array(
      z.strictObject({ keyId: z.string(), address: z.string(), status: z.string(), gasWei: z.string() }),
    ),
    ownerRequests: z.array(
      z.strictObject({ id: z.string(), kind: z.string(), filedAt: z.number().describe('Unix seconds') }),
    ),
    operations: z.array(z.strictObject({ intentId: z.string(), summary: z.string() })),
    healthChecks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), note: z.string() })),
  }),
  told: {
    start: () => ({}),
    end: ({ status, phase, healthChecks }) => ({
      status,
      phase,
      failedChecks: healthChecks.filter(({ ok }) => !ok).length,
    }),
  },
  say: ({ name, golem, status, phase, balances, day, ownerRequests, operations, healthChecks }) =>
    [
      `${name} (${golem}) is ${status} and ${phase}.`,
      ...balances.map(
        ({ symbol, cents: held, vaultCents }) =>
          `${symbol}: ${inDollars(held)}, and ${inDollars(vaultCents)} in the vault`,
      ),
      `Today: ${inDollars(day.spentCents)} of ${inDollars(day.limitCents)} used.`,
      `${ownerRequests.length} requests wait for the owner, ${operations.length} operations are under way.`,
      ...healthChecks.map(({ ok, name: check, note }) => `${ok ? '✓' : '✗'} ${check}: ${note}`),
    ].join('\n'),
  async run({ store, open, client, deployment, clock }, _, { subject, progress }) {
    await progress('Reading the store and the chain')
    const golem = await open(subject.id)
    const [seen, { charter, state }, keys, requests] = await Promise.all([
      golem.look(),
      golem.status(),
      store.sessionKeys.list(subject.id),
      store.ownerRequests.pending(subject.id),
    ])
    const sessionKeys = await Promise.all(
      keys.map(async ({ publicKey, address, status }) => ({
        keyId: publicKey,
        address,
        status,
        gasWei: `${await client.getBalance({ address })}`,
      })),
    )
    const { chainId } = deployment
    const senders = keys.map(({ address }) => ({ chainId, from: address }))
    const { id, name, owner, custody, status } = charter.golem
    return {
      golem: id,
      name,
      owner,
      account: getAddress(charter.terms.mandate.account),
      custody: custody ?? 'delegation',
      chainId,
      status: subject.status,
      phase: laterOf(subject.phase, phaseAt(seen.vitals.phase)),
      stage: stageOfLife(subject),
      tick: state.tick,
      survivalScore: state.survivalScore,
      dreaming: state.dream.is !== 'awake',
      balances: seen.holdings.map(({ symbol, cents: held, vaultCents }) => ({
        symbol,
        cents: `${held}`,
        vaultCents: `${vaultCents}`,
      })),
      day: { spentCents: `${seen.day.spent}`, limitCents: `${seen.day.limit}` },
      sessionKeys,
      ownerRequests: requests.map(({ id: request, kind, filedAt }) => ({
        id: request,
        kind,
        filedAt: Math.floor(filedAt / 1_000),
      })),
      operations: await underWay(store, senders, state),
      healthChecks: checksOf(seen, state, {
        isDead: status === 'dead',
        hasKey: keys.some((key) => key.status === 'active'),
        now: clock.now() / 1_000,
      }),
    }
  },
})

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
  { revoked, managerPaused, constitutionChanged, vitals }: WorldSeen,
  { recovery, nextTickAt, intervalSeconds }: GolemState,
  { isDead, hasKey, now }: Standing,
) {
  const missed = isDead ? 0 : missedTicks({ nextTickAt, intervalSeconds }, 0, now)
  const check = (name: string, ok: boolean, good: string, bad: string) => ({
    name,
    ok,
    note: ok ? good : bad,
  })
  return [
    check('permission', !revoked, 'it stands on the chain', 'the owner has revoked it'),
    check('row', vitals.state === 'alive', 'the chain shows it alive', `the chain shows it ${vitals.state}`),
    check('manager', !managerPaused, 'redemptions work', 'MetaMask paused the DelegationManager'),
    check('constitution', !constitutionChanged, 'it is the signed one', 'it is not the signed one'),
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
