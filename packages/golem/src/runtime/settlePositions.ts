import {
  encodeExecution,
  explainRedemption,
  type Landed,
  readState,
  redeem,
  refusedRedemption,
} from '@bardo/chain'
import { BardoError, type DeferredPosition, type SettledPosition } from '@bardo/core'
import { encodeFunctionData, erc4626Abi, type Hex, parseEventLogs } from 'viem'
import type { Death, DeathStepResult, Unwound } from '../death/death.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import type { GolemParts } from './golemParts.ts'
import { hindranceOf } from './hindranceOf.ts'
import { type OpenedPosition, openedPositions, sharesLeft } from './openedPositions.ts'
import { centsOf, priceOf, priceReads } from './prices.ts'
import { readFamily } from './storedFamily.ts'
import { submitOnce } from './submitOnce.ts'

type VaultPosition = Extract<OpenedPosition, { is: 'vault' }>

/** What closing one position came to. `gone`: there was nothing left of it. */
type Closed =
  | { readonly is: 'settled'; readonly position: SettledPosition; readonly slippageCents: bigint }
  | { readonly is: 'deferred'; readonly reason: string }
  | { readonly is: 'gone' | 'onItsWay' }

/**
 * Closes what the Golem opened, to the owner's account, within what the owner signed. Each position has an intent of its
 * own, so that a crash closes none twice. What is refused is left as it is, in the owner's account, with the reason.
 * Tokens stay as they are: by delegation they are the owner's already, and no settlement of `core` sells them.
 */
export async function settlePositions(
  parts: GolemParts,
  charter: Charter,
  openDesk: () => Promise<Desk>,
  death: Death,
  intentId: string,
): Promise<DeathStepResult> {
  const { store, client, deployment, book, clock } = parts
  const { links, terms } = charter
  const { account } = terms.mandate
  const isTimeUp = () => clock.now() >= death.settleUntil * 1_000
  const done = new Set(death.unwound.settled.map(({ id }) => id))
  const positions = (await openedPositions(parts, charter)).filter(({ id }) => !done.has(id))

  let desk: Desk
  try {
    desk = await openDesk()
    const open = (await desk.submitter.recover()).filter(({ settlement }) => settlement === undefined)
    if (open.length > 0 && !isTimeUp()) return { kind: 'waiting' }
  } catch (error) {
    const because = hindranceOf(error)
    if (because === undefined) throw error
    return { kind: 'impossible', because, unwound: deferring(positions, because) }
  }

  const settled: SettledPosition[] = []
  const deferred: DeferredPosition[] = []
  let slippageCostCents = 0n
  for (const position of positions) {
    const closed = await close(position).catch(reasonOf)
    if (closed.is === 'onItsWay') {
      if (!isTimeUp()) return { kind: 'waiting' }
      deferred.push({
        id: position.id,
        reason: 'it was still on its way when the time for settling was over',
      })
    }
    if (closed.is === 'deferred') deferred.push({ id: position.id, reason: closed.reason })
    if (closed.is === 'settled') {
      settled.push(closed.position)
      slippageCostCents += closed.slippageCents
    }
  }
  // Once this Golem has surrendered, nothing below it is let through: its children close their own before that.
  if (!isTimeUp() && (await hasLivingChildren(parts))) return { kind: 'waiting' }
  return { kind: 'done', unwound: { settled, deferred, slippageCostCents } }

  async function close(position: OpenedPosition): Promise<Closed> {
    if (position.is === 'liquidity')
      return { is: 'deferred', reason: 'Bardo does not close liquidity yet: it is the owner’s to withdraw' }
    const id = `${intentId}:${position.id}`
    const known = await store.journal.find(id)
    if (known) {
      const { to, data } = known.intent
      return told(position, await submitOnce(store.journal, desk.submitter, { id, to, data }))
    }
    if (isTimeUp()) return { is: 'deferred', reason: 'the time for settling was over' }
    const { held, payable } = await sharesLeft(parts, position, account)
    if (held === 0n) return { is: 'gone' }
    if (payable === 0n) return { is: 'deferred', reason: 'the vault pays nothing out now' }
    const calls = [{ to: position.vault, data: redeemCall(payable) }]
    await requireAllowed(calls)
    const expiresAt = death.settleUntil * 1_000
    return told(position, await redeem(desk, { id, steps: [{ links, calls }], expiresAt }))
  }

  function redeemCall(shares: bigint): Hex {
    return encodeFunctionData({ abi: erc4626Abi, functionName: 'redeem', args: [shares, account, account] })
  }

  /** What the chain would refuse is not sent: it would cost the gas that is to go back to the owner. */
  async function requireAllowed(calls: Parameters<typeof encodeExecution>[0]): Promise<void> {
    const question = { links, execution: encodeExecution(calls), redeemer: desk.address }
    const explanation = await explainRedemption(client, deployment, question)
    const refusal = refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
    if (refusal) throw refusal
  }

  async function told({ id, symbol, vault }: VaultPosition, landed: Landed): Promise<Closed> {
    const { hash, status, blockNumber } = landed
    if (status !== 'success') return { is: 'deferred', reason: `it was refused on the chain in ${hash}` }
    const { logs } = await client.getTransactionReceipt({ hash })
    const paid = parseEventLogs({ abi: erc4626Abi, eventName: 'Withdraw', logs: [...logs] })
    const received = paid.reduce((sum, { args }) => sum + args.assets, 0n)
    const shares = paid.reduce((sum, { args }) => sum + args.shares, 0n)
    const worth = await client
      .readContract({
        address: vault,
        abi: erc4626Abi,
        functionName: 'convertToAssets',
        args: [shares],
        blockNumber: blockNumber - 1n,
      })
      // A node that has forgotten that block: the cost is not known, and the death does not wait for it.
      .catch(() => received)
    const cents = await pricing(symbol)
    const recoveredCents = cents(received)
    const lost = cents(worth) - recoveredCents
    const slippageCents = lost > 0n ? lost : 0n
    return { is: 'settled', position: { id, recoveredCents, transaction: hash }, slippageCents }
  }

  /** What cannot be priced counts as nothing; it came back all the same. */
  async function pricing(symbol: string): Promise<(amount: bigint) => bigint> {
    const asset = book.assets.get(symbol)
    if (!asset) return () => 0n
    const price = priceOf(await readState(client, deployment, priceReads([asset])), asset) ?? 0n
    return (amount) => centsOf(amount, price, asset)
  }
}

/** A clear no leaves the position where it is. What may still come, is waited for; an outage is thrown. */
function reasonOf(error: unknown): Closed {
  if (!(error instanceof BardoError) || error.code === 'INTERNAL') throw error
  if (error.code === 'OUTCOME_UNKNOWN' || error.code === 'MANAGER_PAUSED') return { is: 'onItsWay' }
  if (error.retryable) throw error
  return { is: 'deferred', reason: error.shortMessage }
}

async function hasLivingChildren({ id, store }: Pick<GolemParts, 'id' | 'store'>): Promise<boolean> {
  const { replicants } = await readFamily(store, id)
  const children = await Promise.all(replicants.map((child) => store.golems.find(child.id)))
  return children.some(
    (child) => child !== undefined && child.status !== 'dead' && child.status !== 'onboarding',
  )
}

function deferring(positions: readonly OpenedPosition[], reason: string): Unwound {
  return { settled: [], deferred: positions.map(({ id }) => ({ id, reason })), slippageCostCents: 0n }
}
