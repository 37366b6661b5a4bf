import { feedStep, redeem } from '@bardo/chain'
import { BardoError, type JournalRecord, type Phase, phases, redeemable } from '@bardo/core'
import { permissionKey } from '@bardo/store'
import {
  type Address,
  erc20Abi,
  getAddress,
  type Hash,
  isAddressEqual,
  keccak256,
  parseEventLogs,
  stringToHex,
} from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../owner/ownerRequest.ts'
import type { Desk } from './createDesk.ts'
import type { GolemParts } from './golemParts.ts'
import { usagesOf } from './livelihood.ts'
import { type Acting, laterOf } from './previewIntention.ts'
import { requireAble } from './requireAble.ts'
import { submitOnce } from './submitOnce.ts'

/** What came of drawing on a runway. Amounts are in the token's units. */
export type Drawn = {
  readonly phase: Phase
  readonly token: Address
  readonly dailyCap: bigint
  /** What the phase allowed. */
  readonly expected: bigint
  /** What the receipt says came in. */
  readonly actual: bigint
  /** What the phase still allows today. */
  readonly remaining: bigint
  readonly transaction: Hash
}

type Place = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment'>

const hex = z.templateLiteral(['0x', z.string()])
const address = hex.transform((text) => getAddress(text))
const runway = z.object({
  token: address,
  startsAt: z.number(),
  grant: delegationSchema,
  /** Lets the session key bring money of the grant into the Golem's account, and nowhere else. */
  feed: delegationSchema,
})

/** What a call set out to draw, written down before anything is sent. */
const begunSchema = z.object({ intent: z.string(), phase: z.enum(phases), expected: z.bigint() })
type Begun = z.output<typeof begunSchema>

const daySeconds = 86_400

/**
 * Draws what the phase allows of the day's runway into the owner's account that the Golem works for. Whoever draws at the
 * same time draws the same: the intent is named by what was drawn before it. Whoever calls again under the same name,
 * after a crash or an answer that never came, is told what became of the first time.
 *
 * @param call - names the wish to draw
 */
export async function drawRunway(
  { life, ports }: Acting,
  place: Place,
  openDesk: () => Promise<Desk>,
  call: string,
): Promise<Drawn> {
  const { id, store, client } = place
  const { key, before: first } = await earlier()
  const { token, startsAt, grant, feed } = await readRunway()
  return first ? carryOn(first) : draw()

  async function draw(): Promise<Drawn> {
    const { state, death } = await life()
    requireAble(state, death, undefined)
    const { at, outage, shown } = await ports.sense(state)
    requireAble(state, death, outage)
    const phase = laterOf(state.phase, shown.phase)
    if (phase === 'terminal') throw tooLate()
    const desk = await openDesk()
    if (!isAddressEqual(feed.delegate, desk.address)) throw otherKey(feed.delegate, desk.address)
    const before = await dayOf()
    const expected = redeemable(before.limit, before.spent, phase)
    if (expected === 0n) throw nothingLeft(before, phase)
    const day = Math.floor((at - startsAt) / daySeconds)
    const intent = `${id}:runway:${grant.salt}:${day}:${before.spent}`
    await store.idempotencyKeys.finish(key, { intent, phase, expected })
    const { hash } = await redeem(desk, {
      id: intent,
      steps: [feedStep({ feed, grant, token, amount: expected })],
    })
    return told({ intent, phase, expected }, hash)
  }

  /** What is on its way is brought to its end as it was begun, whatever the day says by now. */
  async function carryOn({ begun, record }: Earlier): Promise<Drawn> {
    const { settlement, intent } = record
    if (settlement?.kind === 'landed') return told(begun, settlement.mined.hash)
    const { submitter } = await openDesk()
    const { hash } = await submitOnce(store.journal, submitter, intent)
    return told(begun, hash)
  }

  async function told({ phase, expected }: Begun, hash: Hash): Promise<Drawn> {
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

  /** What the call has begun before, and where to write down what it begins now. */
  async function earlier(): Promise<{ readonly key: string; readonly before?: Earlier }> {
    for (let time = 0; ; time += 1) {
      const name = `draw:${call}:${time}`
      const claim = await store.idempotencyKeys.claim(name, keccak256(stringToHex(name)), 0)
      if (claim.is !== 'done') return { key: name }
      const begun = begunSchema.parse(claim.result)
      const record = await store.journal.find(begun.intent)
      const mayLand = record && (!record.settlement || record.settlement.kind === 'landed')
      if (mayLand) return { key: name, before: { begun, record } }
    }
  }

  /** By the signed bytes and the chain, whatever the store says. */
  async function dayOf() {
    const usages = await usagesOf(place, [grant])
    const found = usages.find(({ unit, renews }) => renews && unit.toLowerCase() === token.toLowerCase())
    if (found) return found
    throw new BardoError('The runway bounds nothing by the day.', {
      code: 'GRANT_MALFORMED',
      remedy: 'Ask for a new runway with metamask_request_runway.',
    })
  }

  async function readRunway() {
    const stored = await store.grimoire.get(id, permissionKey(id))
    const parsed = stored && runway.safeParse(stored.body)
    if (parsed?.success) return parsed.data
    throw new BardoError('The Golem has no runway.', {
      code: 'STEP_OUT_OF_ORDER',
      remedy: 'Ask the owner for one with metamask_request_runway.',
      docsPath: 'permissions.md#the-runway',
    })
  }
}

type Earlier = { readonly begun: Begun; readonly record: JournalRecord }

function reverted(hash: Hash): BardoError {
  return new BardoError('The redemption landed and was refused there.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`transaction ${hash}`],
    remedy: 'Explain the transaction to see why, and draw again with a new key.',
    docsPath: 'explain.md',
  })
}

function tooLate(): BardoError {
  return new BardoError('In its terminal phase a Golem draws nothing.', {
    code: 'GOLEM_DYING',
    remedy: 'Call metamask_revoke_permissions with the reason “terminal”.',
    docsPath: 'golem.md#death',
  })
}

function otherKey(named: Address, own: Address): BardoError {
  return new BardoError('The runway feeds another key.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`it names ${named}`, `the session key is ${own}`],
    remedy: 'Ask the owner for one to this key with metamask_request_runway.',
    docsPath: 'permissions.md#the-runway',
  })
}

function nothingLeft(
  { spent, limit }: { readonly spent: bigint; readonly limit: bigint },
  phase: Phase,
): BardoError {
  return new BardoError('Nothing is left of the runway today.', {
    code: 'SPEND_LIMIT_EXCEEDED',
    details: [
      `${spent} of ${limit} are drawn`,
      `while ${phase}, ${redeemable(limit, 0n, phase)} a day are allowed`,
    ],
    remedy: 'Wait for the next day of the runway.',
    docsPath: 'permissions.md#the-runway',
  })
}
