import { redeem } from '@bardo/chain'
import {
  BardoError,
  type JournalRecord,
  laterPhase,
  minedTransaction,
  type Phase,
  phases,
  redeemable,
  runwayDrawStep,
} from '@bardo/core'
import {
  type Address,
  erc20Abi,
  type Hash,
  isAddressEqual,
  keccak256,
  parseEventLogs,
  stringToHex,
} from 'viem'
import { z } from 'zod'
import type { Acting } from '../action/previewIntention.ts'
import { requireAble } from '../action/requireAble.ts'
import { readWalletPolicy } from '../action/walletPolicy.ts'
import { requireNotPaused } from '../observeOnly/paused.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { runwayDay } from './runwayDay.ts'
import { keepDraw } from './runwayDraws.ts'
import { canDraw, drawLinks, findRunway } from './storedRunway.ts'

/** The result of a draw. Amounts are in base units. */
export type Drawn = {
  readonly phase: Phase
  readonly token: Address
  readonly dailyCap: bigint
  /** The amount that the phase allowed. */
  readonly expected: bigint
  /** The received amount according to the receipt. */
  readonly actual: bigint
  /** The rest that the phase allows today. */
  readonly remaining: bigint
  readonly transaction: Hash
}

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment'>

/** What a call is about to draw, stored before anything is sent. */
const begunSchema = z.object({ intent: z.string(), phase: z.enum(phases), expected: z.bigint() })
type Begun = z.output<typeof begunSchema>

const daySeconds = 86_400

/**
 * Draws the phase's share of the daily runway into the owner's account that the Golem acts for. Concurrent
 * calls draw once:
 * the intent id contains the amount drawn before. A repeated call with the same name, after a crash or a lost
 * answer,
 * returns the outcome of the first.
 *
 * @param call - the name of the call
 * @param check - throws if the owner's constitution refuses the amount
 */
export async function drawRunway(
  { life, ports }: Acting,
  context: Context,
  openSubmitter: () => Promise<GolemSubmitter>,
  call: string,
  check: (drawn: { readonly token: Address; readonly amount: bigint }) => Promise<void>,
): Promise<Drawn> {
  const { id, store, client } = context
  const { key, before: first } = await findEarlier()
  const runway = (await findRunway(store, id)) ?? noRunway()
  const { permissionId, token, startsAt, grant, feed } = runway
  return first ? continueDraw(first) : draw()

  async function draw(): Promise<Drawn> {
    const { state, death, pausedAt } = await life()
    requireAble(state, death, undefined)
    requireNotPaused(pausedAt)
    const { at, outage, shown } = await ports.sense(state)
    requireAble(state, death, outage)
    const phase = laterPhase(state.phase, shown.phase)
    if (phase === 'terminal') throw tooLate()
    if ((await readWalletPolicy(store, id))?.mostPerHour === 0) throw readOnly()
    const redeemer = await openSubmitter()
    if (!(await canDraw(context, runway, redeemer.address))) throw otherKey(feed.delegate, redeemer.address)
    const before = await dayOf()
    const expected = redeemable(before.limit, before.spent, phase)
    if (expected === 0n) throw nothingLeft(before, phase)
    await check({ token, amount: expected })
    const day = Math.floor((at - startsAt) / daySeconds)
    const intent = `${id}:runway:${grant.salt}:${day}:${before.spent}`
    await keepDraw(store, id, { intent, permissionId, day, amount: expected, at })
    await store.idempotencyKeys.finish(key, { intent, phase, expected })
    const { hash } = await redeem(redeemer, {
      id: intent,
      steps: [
        runwayDrawStep({
          feed,
          below: drawLinks(runway, redeemer.address).slice(0, -1),
          grant,
          token,
          amount: expected,
        }),
      ],
    })
    return drawnOf({ intent, phase, expected }, hash)
  }

  /** Completes a draw in flight as it was begun, whatever the day's state is now. */
  async function continueDraw({ begun, record }: Earlier): Promise<Drawn> {
    const { settlement, intent } = record
    if (settlement?.kind === 'landed') return drawnOf(begun, minedTransaction(settlement.mined))
    const { hash } = await submitOnce(store.journal, await openSubmitter(), intent)
    return drawnOf(begun, hash)
  }

  async function drawnOf({ phase, expected }: Begun, hash: Hash): Promise<Drawn> {
    const { logs, status } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') throw reverted(hash)
    const actual = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
      .filter(
        ({ address: moved, args }) => isAddressEqual(moved, token) && isAddressEqual(args.to, feed.delegator),
      )
      .reduce((sum, { args }) => sum + args.value, 0n)
    const { spent, limit } = await dayOf()
    const remaining = redeemable(limit, spent, phase)
    return { phase, token, dailyCap: limit, expected, actual, remaining, transaction: hash }
  }

  /** What the call has begun before, and the key under which to store what it begins now. */
  async function findEarlier(): Promise<{ readonly key: string; readonly before?: Earlier }> {
    for (let time = 0; ; time += 1) {
      const name = `draw:${call}:${time}`
      const claim = await store.idempotencyKeys.claim(name, keccak256(stringToHex(name)), 0)
      if (claim.type !== 'done') return { key: name }
      const begun = begunSchema.parse(claim.result)
      const record = await store.journal.find(begun.intent)
      const mayLand = record && (!record.settlement || record.settlement.kind === 'landed')
      if (mayLand) return { key: name, before: { begun, record } }
    }
  }

  /** From the signed bytes and the chain, whatever the store contains. */
  async function dayOf() {
    const day = await runwayDay(context, id, runway)
    if (day) return day
    throw new BardoError('The runway has no daily limit.', {
      code: 'GRANT_MALFORMED',
      remedy: 'Ask for a new runway with metamask_request_runway.',
    })
  }
}

function noRunway(): never {
  throw new BardoError('The Golem has no runway.', {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Ask the owner for one with metamask_request_runway.',
    docsPath: 'permissions.md#the-runway',
  })
}

type Earlier = { readonly begun: Begun; readonly record: JournalRecord }

function reverted(hash: Hash): BardoError {
  return new BardoError('The redemption was mined and reverted.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`transaction ${hash}`],
    remedy: 'Use explain_action for the reason, then draw again with a new idempotencyKey.',
    docsPath: 'explain.md',
  })
}

function tooLate(): BardoError {
  return new BardoError('A Golem in the terminal phase cannot draw on its runway.', {
    code: 'GOLEM_DYING',
    remedy: 'Call metamask_revoke_permissions with the reason “terminal”.',
    docsPath: 'golem.md#death',
  })
}

function readOnly(): BardoError {
  return new BardoError('The wallet’s policy is read-only: nothing is drawn.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: 'Choose a wider policy with wallet_configure_policy, which the owner signs.',
    docsPath: 'requests.md#policies',
  })
}

function otherKey(named: Address, own: Address): BardoError {
  return new BardoError('The session key cannot draw on the runway.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`key of the draw delegation: ${named}`, `session key: ${own}`],
    remedy: 'Ask the owner for a runway for this key with metamask_request_runway.',
    docsPath: 'permissions.md#the-runway',
  })
}

function nothingLeft(
  { spent, limit }: { readonly spent: bigint; readonly limit: bigint },
  phase: Phase,
): BardoError {
  return new BardoError('Today’s runway is used up.', {
    code: 'SPEND_LIMIT_EXCEEDED',
    details: [
      `drawn: ${spent} of ${limit}`,
      `allowed per day in phase ${phase}: ${redeemable(limit, 0n, phase)}`,
    ],
    remedy: 'Wait for the next day of the runway.',
    docsPath: 'permissions.md#the-runway',
  })
}
