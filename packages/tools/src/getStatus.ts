import { spendableGas } from '@bardo/chain'
import {
  deathTriggers,
  formatDollars,
  formatExactDuration,
  laterPhase,
  leastOf,
  mostInADay,
  type Usage,
} from '@bardo/core'
import { policyFrom, policySentence, readPolicyHistory, readWalletPolicy } from '@bardo/golem/action'
import { activeShared, readShared, type SharedDelegation } from '@bardo/golem/crossGolem'
import { deathWords } from '@bardo/golem/death'
import type { LivingGolem } from '@bardo/golem/heartbeat'
import { identityFields, identityJson, readIdentity } from '@bardo/golem/identity'
import { type LedgerJson, ledgerFields, readLedgerJson } from '@bardo/golem/ledger'
import { observeReasons, outageOf } from '@bardo/golem/observeOnly'
import type { SignedPermission } from '@bardo/golem/permission'
import { type HeldPosition, heldPositions, positionFields, positionJson } from '@bardo/golem/positions'
import type { Snapshot } from '@bardo/golem/snapshot'
import { type GolemState, livingChildren, phaseAt, readFamily } from '@bardo/golem/state'
import { summaryOf } from '@bardo/golem/strategy'
import { missedTicks } from '@bardo/golem/worker'
import type { SessionKeyRecord, Store } from '@bardo/store'
import { actsByAccount, ownAddressOf } from '@bardo/wallets'
import { BaseError, formatEther, getAddress } from 'viem'
import { z } from 'zod'
import { golemField } from './fields.ts'
import { plain } from './findSubject.ts'
import { readEnd } from './readEnd.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife, stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const cents = z.string().describe('US cents')

const sharedFields = z.strictObject({
  delegation: z.string().describe('The hash'),
  golem: z.string().describe('The other Golem’s name, or the address of its key'),
  type: z.enum(['act', 'observer', 'readOnly']),
  endsAt: z.number().describe('Unix seconds'),
})

/** The status of a Golem and its wallet. */
export const getStatus = defineTool({
  name: 'wallet_get_status',
  title: 'Status',
  description:
    'Shows the status of a Golem: balances, custody, chain, phase and vitals, session keys, pending owner requests, operations in progress, and health checks. Changes nothing. While the chain cannot be reached, it returns the stored data and says so in “stale”. If there are several Golems and “golem” is not given, the error lists them.',
  category: 'wallet',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the store and the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows balances, phase, keys, open requests and health at once.',
  guidelines: {
    thriving: 'Check before planning.',
    cautious: 'Check at every tick, including pending owner requests.',
    declining: 'Check which positions are still open, and close them.',
    terminal: 'Check once that nothing is left.',
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
    account: z.string().describe('The owner’s account that the Golem acts for; the money stays there'),
    custody: z.enum(['delegation', 'embedded', 'localKey']),
    chainId: z.number(),
    route: z
      .enum(['direct', 'userOperation'])
      .describe('direct: its key sends transactions; userOperation: a session account sends UserOperations'),
    sessionAccount: z
      .string()
      .nullable()
      .describe('The smart account that it acts by; null if its key acts itself'),
    status: z.enum(['onboarding', 'alive', 'observing', 'dying', 'dead']),
    pausedAt: z
      .number()
      .nullable()
      .describe(
        'Unix seconds since which its owner has paused it: it begins no action; null while it may act',
      ),
    phase: z.enum(['thriving', 'stable', 'conservation', 'declining', 'terminal']),
    stage: z.enum(stages),
    tick: z.number(),
    survivalScore: z.number().describe('0 to 10,000; 0 after the Golem’s end'),
    beganAt: z
      .number()
      .describe('Unix seconds: start of the signed lifetime; for a child, of its own lifetime'),
    endsAt: z
      .number()
      .describe(
        'Unix seconds: end of the signed lifetime (for a child, of its own lifetime), or the time at which its end began',
      ),
    ended: z
      .strictObject({
        because: z.enum(deathTriggers),
        at: z.number().nullable().describe('Unix seconds; null if unknown'),
      })
      .nullable()
      .describe('Why and when its end began, if it is dying, dead or revoked; null otherwise'),
    parent: z.string().nullable().describe('The parent Golem; null if it has no parent'),
    children: z
      .array(z.strictObject({ golem: z.string(), name: z.string() }))
      .describe('Living children. They end when the owner signs a new root or replaces a suspected key'),
    given: z.array(sharedFields).describe('What this Golem delegated to other Golems, and did not end'),
    received: z
      .array(sharedFields)
      .describe('What other Golems delegated to this one; preview_action takes the hash as delegation'),
    identity: identityFields
      .nullable()
      .describe('Null if it has none, and while the chain cannot be reached'),
    dreaming: z.boolean(),
    stale: z
      .string()
      .nullable()
      .describe('Why chain data is missing, and since when; null if all data is current'),
    activePolicy: z.string().describe('The wallet policy in force, in a sentence'),
    policyHistory: z
      .array(z.strictObject({ at: z.number().describe('Unix seconds'), policy: z.string() }))
      .describe('Every wallet policy that was put into force, the oldest first; at most the last 20'),
    balances: z
      .array(z.strictObject({ symbol: z.string(), cents, vaultCents: cents }))
      .describe('Empty while the chain cannot be reached'),
    positions: z
      .array(positionFields)
      .describe(
        'All positions that the account holds in known vaults and position managers; empty while the chain cannot be reached',
      ),
    day: z
      .strictObject({ spentCents: cents, limitCents: cents })
      .nullable()
      .describe('Null while the chain cannot be reached, and after the Golem’s end'),
    calls: z
      .strictObject({ made: z.number(), limit: z.number() })
      .nullable()
      .describe(
        'Actions made and signed; null without a signed number, while the chain cannot be reached, and after the Golem’s end',
      ),
    totals: z
      .array(z.strictObject({ periodSeconds: z.number().nullable(), spentCents: cents, limitCents: cents }))
      .describe('Limits of longer periods; a period of null is the whole life'),
    gas: z
      .strictObject({ drawnWei: z.string(), limitWei: z.string() })
      .nullable()
      .describe('Gas that the key drew in the last 24 hours, and the signed cap; null if none is signed'),
    ledger: ledgerFields.describe('What it earned and spent since it was summoned'),
    mostPerActionDollars: z
      .number()
      .nullable()
      .describe(
        'The maximum of one action now, in US dollars: the signed size for its phase or the rest of the day, whichever is lower. Null while the chain cannot be reached, and after the Golem’s end',
      ),
    sessionKeys: z.array(
      z.strictObject({
        keyId: z.string(),
        address: z.string().describe('The address that it acts by: its own, or its session account'),
        signer: z.string().nullable().describe('The address of the key itself; null for a P-256 key'),
        curve: z.enum(['secp256k1', 'p256']),
        status: z.string(),
        gasWei: z
          .string()
          .nullable()
          .describe(
            'With a session account, its deposit with the EntryPoint too. Null while the chain cannot be reached',
          ),
      }),
    ),
    ownerRequests: z.array(
      z.strictObject({ id: z.string(), kind: z.string(), filedAt: z.number().describe('Unix seconds') }),
    ),
    operations: z.array(z.strictObject({ intentId: z.string(), summary: z.string() })),
    healthChecks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), note: z.string() })),
  }),
  say: ({
    name,
    golem,
    status,
    pausedAt,
    phase,
    ended,
    stale,
    sessionAccount,
    sessionKeys,
    balances,
    positions,
    day,
    calls,
    totals,
    gas,
    ledger,
    mostPerActionDollars,
    endsAt,
    ownerRequests,
    operations,
    healthChecks,
  }) =>
    [
      ended
        ? `${plain(name)} (${golem}) is ${status === 'dead' || status === 'dying' ? status : 'revoked'}: ${deathWords[ended.because]}${ended.at === null ? '' : `, since ${inIso(ended.at)}`}.`
        : `${plain(name)} (${golem}) is ${status} and ${phase}, until ${inIso(endsAt)}.`,
      ...(pausedAt === null || ended
        ? []
        : [`Paused by its owner since ${inIso(pausedAt)}: it ticks and publishes, and begins no action.`]),
      ...(stale === null ? [] : [stale]),
      ...(sessionAccount === null ? [] : [sessionText(sessionAccount, sessionKeys)]),
      ...balances.map(
        ({ symbol, cents: held, vaultCents }) =>
          `${symbol}: ${formatDollars(held)}, plus ${formatDollars(vaultCents)} in the vault`,
      ),
      ...positions.flatMap(({ id, contract, cents: worth, managed }) =>
        managed === 'now'
          ? []
          : [
              `${plain(id)} (${contract})${worth === null ? '' : `, ${formatDollars(worth)}`}: not managed${managed === 'before' ? ' any more' : ''} by ${plain(name)}`,
            ],
      ),
      ...(calls ? [`Actions: ${calls.made} of ${calls.limit}.`] : []),
      ...totals.map(
        ({ periodSeconds, spentCents, limitCents }) =>
          `${periodSeconds === null ? 'Whole life' : `Any ${formatExactDuration(periodSeconds)}`}: ${formatDollars(spentCents)} of ${formatDollars(limitCents)} used.`,
      ),
      ...(gas
        ? [`Gas drawn: ${formatEther(BigInt(gas.drawnWei))} of ${formatEther(BigInt(gas.limitWei))} ETH.`]
        : []),
      ledgerSentence(ledger),
      ...(day ? [`Today: ${formatDollars(day.spentCents)} of ${formatDollars(day.limitCents)} used.`] : []),
      ...(mostPerActionDollars === null ? [] : [`Maximum per action now: $${mostPerActionDollars}.`]),
      `${ownerRequests.length} pending owner requests, ${operations.length} operations in progress.`,
      ...healthChecks.map(({ ok, name: check, note }) => `${ok ? '✓' : '✗'} ${check}: ${note}`),
    ].join('\n'),
  async run(context, { chain }, { subject, progress }) {
    const { store, deployment, clock } = context
    await progress('Reading the store and the chain')
    const { chainId } = deployment
    if (chain !== undefined) requireChain(deployment, chain)
    const golem = await context.open(subject.id)
    const [{ permission, state, pausedAt }, keys, requests, chosen, history] = await Promise.all([
      golem.status(),
      store.sessionKeys.list(subject.id),
      store.ownerRequests.pending(subject.id),
      readWalletPolicy(store, subject.id),
      readPolicyHistory(store, subject.id),
    ])
    const chainState = await readChain(context, golem, permission, keys)
    const [ended, family] = await Promise.all([
      readEnd(context, permission, chainState?.world),
      readFamily(store, subject.id),
    ])
    const { start, end } = family.birth ?? permission.terms
    const senders = keys.map(({ address }) => ({ chainId, from: address }))
    const { id, name, owner, custody, status } = permission.golem
    return {
      golem: id,
      name: plain(name),
      owner,
      account: getAddress(permission.terms.mandate.account),
      custody: custody ?? 'delegation',
      chainId,
      route: permission.actsBy === 'account' ? ('userOperation' as const) : ('direct' as const),
      sessionAccount: permission.actsBy === 'account' ? getAddress(permission.links[0].delegate) : null,
      status: subject.status,
      pausedAt: pausedAt === undefined ? null : Math.floor(pausedAt / 1_000),
      phase: chainState ? laterPhase(subject.phase, phaseAt(chainState.world.vitals.phase)) : subject.phase,
      stage: stageOfLife(subject),
      tick: state.tick,
      survivalScore: ended ? 0 : state.survivalScore,
      beganAt: start,
      endsAt: ended ? (ended.at ?? Math.min(end, Math.floor(clock.now() / 1_000))) : end,
      ended,
      parent: family.birth?.parent ?? null,
      given: (chainState?.given ?? (await stored('given'))).map(sharedJson),
      received: (chainState?.received ?? (await stored('received'))).map(sharedJson),
      children: (await livingChildren(store, subject.id)).map((one) => ({
        golem: one.id,
        name: plain(one.name),
      })),
      identity: chainState
        ? identityJson(await readIdentity(context, permission.golem, permission.terms.mandate.account))
        : null,
      dreaming: state.dream.type !== 'awake',
      stale: chainState ? null : staleSince(state),
      activePolicy: policySentence(chosen ?? policyFrom('defi-trading', permission.terms)),
      policyHistory: history.slice(-20).map(({ at, policy }) => ({
        at: Math.floor(at / 1_000),
        policy: policySentence(policy),
      })),
      balances: (chainState?.world.holdings ?? []).map(({ symbol, cents: held, vaultCents }) => ({
        symbol,
        cents: `${held}`,
        vaultCents: `${vaultCents}`,
      })),
      positions: (chainState?.positions ?? []).map((position) =>
        positionJson(position, chainState?.world.revoked === true || status === 'dead'),
      ),
      day: chainState && !ended ? dayOf(permission, chainState.world.day) : null,
      calls: chainState?.world.calls && !ended ? callsOf(chainState.world.calls) : null,
      totals: chainState && !ended ? chainState.world.totals.map(totalJson) : [],
      gas:
        chainState?.world.gas && !ended
          ? { drawnWei: `${chainState.world.gas.drawn}`, limitWei: `${chainState.world.gas.limit}` }
          : null,
      ledger: await readLedgerJson(store, subject.id, context.book, chainState?.world.prices),
      mostPerActionDollars: chainState && !ended ? mostPerAction(permission, chainState.world) : null,
      sessionKeys: keys.map(({ publicKey, address, curve, status: is }, index) => {
        const gas = chainState?.gas[index]
        const signer = ownAddressOf({ curve, publicKey }) ?? null
        return {
          keyId: publicKey,
          address,
          signer,
          curve,
          status: is,
          gasWei: gas === undefined ? null : `${gas}`,
        }
      }),
      ownerRequests: requests.map(({ id: request, kind, filedAt }) => ({
        id: request,
        kind,
        filedAt: Math.floor(filedAt / 1_000),
      })),
      operations: await underWay(store, senders, state),
      healthChecks: checksOf(chainState?.world, state, {
        isStrategySigned: permission.isStrategySigned,
        terms: permission.terms,
        isDead: status === 'dead',
        hasKey: keys.some((key) => key.status === 'active'),
        now: clock.now() / 1_000,
      }),
    }

    async function stored(side: 'given' | 'received') {
      return (await readShared(store, subject.id, side)).filter((one) => !one.isEnded)
    }
  },
})

function sessionText(
  account: string,
  keys: readonly { readonly keyId: string; readonly signer: string | null; readonly status: string }[],
): string {
  const active = keys.findLast(({ status }) => status === 'active')
  const signer = active ? `signed by the key ${active.signer ?? active.keyId}` : 'without an active key'
  return `Acts by UserOperations of the session account ${account}, ${signer}.`
}

type ChainState = {
  readonly world: Snapshot
  readonly positions: readonly HeldPosition[]
  readonly gas: readonly bigint[]
  /** What it gave to other Golems, and received from them, and the chain still accepts. */
  readonly given: readonly SharedDelegation[]
  readonly received: readonly SharedDelegation[]
}

/** The figures of the ledger in a sentence. */
function ledgerSentence({ earnedCents, spentCents, netCents, gasUnpricedWei, tokens }: LedgerJson): string {
  const moved = tokens.map(
    ({ symbol, amount, cents: worth }) =>
      `${amount} ${plain(symbol)} (${worth === null ? 'no price' : formatDollars(worth)})`,
  )
  return [
    `Since it was summoned: earned ${formatDollars(earnedCents)}, spent ${formatDollars(spentCents)}, net ${formatDollars(netCents)}.`,
    ...(gasUnpricedWei === '0' ? [] : [`${formatEther(BigInt(gasUnpricedWei))} ETH of gas have no price.`]),
    ...(moved.length > 0 ? [`Changed in the account: ${moved.join(', ')}.`] : []),
  ].join(' ')
}

/** Reads the chain's part of the status; undefined while the node does not answer. */
async function readChain(
  { store, client, deployment, book }: Pick<ToolContext, 'store' | 'client' | 'deployment' | 'book'>,
  golem: LivingGolem,
  permission: SignedPermission,
  keys: readonly SessionKeyRecord[],
): Promise<ChainState | undefined> {
  try {
    const world = await golem.look()
    const [positions, gas, given, received] = await Promise.all([
      heldPositions({ id: golem.id, store, client, deployment, book }, permission),
      Promise.all(keys.map((key) => gasOf(key))),
      activeShared({ store, client, deployment }, golem.id, 'given'),
      activeShared({ store, client, deployment }, golem.id, 'received'),
    ])
    return { world, positions, gas, given, received }
  } catch (error) {
    if (outageOf(error) === 'rpcOutage' || error instanceof BaseError) return undefined
    throw error
  }

  async function gasOf(key: SessionKeyRecord): Promise<bigint> {
    const { address } = key
    if (!actsByAccount(key)) return client.getBalance({ address })
    const place = { client, entryPoint: deployment.framework.EntryPoint }
    const { balance, deposit } = await spendableGas(place, address)
    return balance + deposit
  }
}

/**
 * The used part of the day under all signed numbers together: the rolling budget alone can count up to 28
 * hours.
 */
function dayOf({ golem, plan }: SignedPermission, { spent, limit }: Snapshot['day']) {
  // A local key's root has neither a size per action nor a minimum interval.
  const most =
    golem.custody === 'localKey'
      ? limit
      : mostInADay({ ...plan, dayCents: limit, sizeCents: plan.sizeCents[0] })
  return { spentCents: `${leastOf(spent, most)}`, limitCents: `${most}` }
}

const inIso = (seconds: number) => new Date(seconds * 1_000).toISOString()

function mostPerAction({ golem, plan }: SignedPermission, { vitals, day }: Snapshot): number {
  const left = day.limit > day.spent ? day.limit - day.spent : 0n
  const size = golem.custody === 'localKey' ? left : (plan.sizeCents[vitals.phase] ?? 0n)
  return Number(leastOf(size, left)) / 100
}

function staleSince({ prices }: GolemState): string {
  const last = Math.max(0, ...prices.map(({ at }) => at))
  const when = last > 0 ? `last read at ${inIso(last)}` : 'never read yet'
  return `The chain cannot be reached: this status comes from the store, without balances, limits and gas; ${when}.`
}

/** The decided action, and transactions that are not mined yet. */
async function underWay(
  { journal }: Pick<Store, 'journal'>,
  senders: readonly Parameters<Store['journal']['open']>[0][],
  { pending }: GolemState,
) {
  const open = (await Promise.all(senders.map((sender) => journal.open(sender)))).flat()
  const sent = open.map(({ intent: { id } }) => ({ intentId: id, summary: 'in progress, not mined yet' }))
  if (!pending) return sent
  const { intentId, intention } = pending
  return [{ intentId, summary: summaryOf(intention) }, ...sent.filter((other) => other.intentId !== intentId)]
}

type CheckFacts = Pick<SignedPermission, 'isStrategySigned' | 'terms'> & {
  readonly isDead: boolean
  readonly hasKey: boolean
  readonly now: number
}

function checksOf(
  snapshot: Snapshot | undefined,
  { recovery, nextTickAt, intervalSeconds }: GolemState,
  { isStrategySigned, terms, isDead, hasKey, now }: CheckFacts,
) {
  const missed = isDead ? 0 : missedTicks({ nextTickAt, intervalSeconds }, 0, now)
  const check = (name: string, ok: boolean, good: string, bad: string) => ({
    name,
    ok,
    note: ok ? good : bad,
  })
  const onChain = snapshot
    ? [
        check('permission', !snapshot.revoked, 'valid on the chain', 'revoked by the owner'),
        check(
          'row',
          snapshot.vitals.state === 'alive',
          'the chain says alive',
          snapshot.vitals.state === 'unknown'
            ? 'the chain says unknown; the next tick registers the Golem again'
            : `the chain says ${snapshot.vitals.state}`,
        ),
        check(
          'manager',
          !snapshot.managerPaused,
          'redemptions are possible',
          'MetaMask paused the DelegationManager',
        ),
        ...(terms.constitution === undefined
          ? []
          : [
              check(
                'constitution',
                !snapshot.constitutionChanged,
                'matches the signed one',
                'differs from the signed one',
              ),
            ]),
      ]
    : [check('chain', false, '', 'cannot be reached')]
  return [
    ...onChain,
    ...(isStrategySigned ? [] : [check('strategy', false, '', observeReasons.strategyChanged)]),
    check('key', hasKey, 'one key is active', 'no key is active'),
    check(
      'heartbeat',
      missed === 0,
      'no missed ticks',
      missed === 1 ? '1 missed tick' : `${missed} missed ticks`,
    ),
    check(
      'acting',
      recovery.type === 'acting',
      'the Golem acts',
      recovery.type === 'observing' ? observeReasons[recovery.reason] : '',
    ),
  ]
}

function sharedJson({ hash, peer, type, endsAt }: SharedDelegation) {
  return { delegation: hash, golem: plain(peer), type, endsAt }
}

function callsOf({ used, limit }: { readonly used: bigint; readonly limit: bigint }) {
  return { made: Number(used), limit: Number(limit) }
}

function totalJson({ spent, limit, periodSeconds }: Usage) {
  return { periodSeconds: periodSeconds ?? null, spentCents: `${spent}`, limitCents: `${limit}` }
}
