import {
  anyDelegate,
  availableOf,
  BardoError,
  budgetWarning,
  checkDelegations,
  type Deployment,
  delegationEnd,
  encodeExecution,
  encodeRedemption,
  type RedemptionStep,
  type SessionBudget,
  type SessionKeyEvent,
} from '@bardo/core'
import { type Address, type Hash, isAddressEqual, type PublicClient } from 'viem'
import { explainRedemption } from '../explain/explainRedemption.ts'
import { explainTransaction } from '../explain/explainTransaction.ts'
import { revertInError } from '../explain/revertInError.ts'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { refusedRedemption, refusedUnexplained } from './refusedRedemption.ts'

/** The redeemer: a key with its submitter, or an account with the submitter of its operations. */
export type Redeemer = {
  readonly client: PublicClient
  readonly deployment: Deployment
  /** The leaf's delegate: the submitter's sender. */
  readonly address: Address
  readonly submitter: Submitter
  readonly onEvent?: (event: SessionKeyEvent) => void
}

/** A redemption that runs once, under an id that the caller chooses. */
export type Redemption = {
  readonly id: string
  readonly steps: readonly RedemptionStep[]
  /** Milliseconds since 1970. After this time its nonce is closed instead. */
  readonly expiresAt?: number
  /** The session's budget and what this redemption takes of it, for events. */
  readonly budget?: { readonly after: SessionBudget; readonly valueCents: bigint }
}

/**
 * Redeems delegations exactly once: checks, simulates on the node, journals, sends and follows. Throws if the
 * chain refuses, with the link, the caveat and the numbers; `outcome` tells whether anything was sent.
 *
 * @example
 * const { hash } = await redeem(golem, { id: 'tick-42', steps: [{ links: [root], calls: [approve, swap] }] })
 */
export async function redeem(redeemer: Redeemer, redemption: Redemption): Promise<Landed> {
  const { id, steps, expiresAt } = redemption
  const { deployment, submitter } = redeemer
  const request = {
    id,
    to: deployment.framework.DelegationManager,
    data: encodeRedemption(steps),
    check: () => requireRedeemable(redeemer, steps),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  const landed = await submitter.submit(request).catch(async (error: unknown) => {
    const revert = revertInError(error)
    if (!revert || !(error instanceof BardoError)) throw error
    throw (await explainUnsent(redeemer, steps, error)) ?? refusedUnexplained(revert, error)
  })
  announce(redeemer, redemption, landed)
  if (landed.status === 'success') return landed
  throw await explainLanded(redeemer, landed)
}

function announce({ onEvent }: Redeemer, { budget }: Redemption, { hash }: Landed): void {
  if (!onEvent || !budget) return
  const { after, valueCents } = budget
  const remainingCents = availableOf(after)
  onEvent({ name: 'sessionKey.operationSigned', operationHash: hash, valueCents, remainingCents })
  const warning = budgetWarning(after, valueCents)
  if (warning) onEvent(warning)
}

/**
 * Refuses what cannot work, without calling an enforcer: another chain, another redeemer, an expired
 * delegation.
 */
async function requireRedeemable(
  { client, deployment, address }: Redeemer,
  steps: readonly RedemptionStep[],
): Promise<void> {
  for (const { links } of steps) {
    checkDelegations(links)
    const [leaf] = links
    if (leaf && !isAddressEqual(leaf.delegate, address) && !isAddressEqual(leaf.delegate, anyDelegate))
      throw new BardoError('The leaf delegation names another delegate.', {
        code: 'INVALID_INPUT',
        details: [`delegate: ${leaf.delegate}`, `redeemer: ${address}`],
        docsPath: 'redeeming.md',
      })
  }
  const manager = deployment.framework.DelegationManager
  const [chainId, { timestamp }, code] = await Promise.all([
    client.getChainId(),
    client.getBlock(),
    client.getCode({ address: manager }),
  ])
  if (chainId !== deployment.chainId)
    throw new BardoError('The RPC node is on a different chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`expected chain: ${deployment.chainId}`, `the node’s chain: ${chainId}`],
    })
  // A call to an address without code succeeds and does nothing.
  if (!code)
    throw new BardoError('The DelegationManager is missing on this chain.', {
      code: 'CODE_MISMATCH',
      details: [`no code at ${manager}`],
      remedy: 'Check the deployment with verifyDeployment.',
      docsPath: 'deployment.md',
    })
  for (const { links } of steps)
    for (const link of links) {
      const end = delegationEnd(link, deployment)
      if (end !== undefined && timestamp > end) throw expired(end, timestamp)
    }
}

function expired(end: bigint, now: bigint): BardoError {
  return new BardoError('The delegation has expired.', {
    code: 'DELEGATION_EXPIRED',
    details: [`last valid second: ${end}`, `block time: ${now}`],
    remedy: 'Ask the owner for a new grant.',
  })
}

/** The first step that the node refuses, explained; undefined if the node no longer refuses any. */
async function explainUnsent(
  { client, deployment, address }: Redeemer,
  steps: readonly RedemptionStep[],
  error: BardoError,
): Promise<BardoError | undefined> {
  const contexts = steps.map(({ links, calls }) => ({ links, execution: encodeExecution(calls) }))
  for (const [step, context] of contexts.entries()) {
    const question = { ...context, redeemer: address, earlier: contexts.slice(0, step) }
    const explanation = await explainRedemption(client, deployment, question)
    const { outcome } = error
    const refused = refusedRedemption(explanation, { deployment, step, outcome, cause: error })
    if (refused) return refused
  }
  return undefined
}

/** Why a redemption that passed its simulation reverted on chain. */
export async function explainLanded(
  { client, deployment }: Pick<Redeemer, 'client' | 'deployment'>,
  { hash }: Pick<Landed, 'hash'>,
): Promise<BardoError> {
  const { contexts } = await explainTransaction(client, deployment, hash).catch((error: unknown) => {
    throw error instanceof BardoError && error.code === 'INVALID_INPUT' ? reorganisedAway(hash, error) : error
  })
  const refusals = contexts.map(({ explanation }, step) =>
    refusedRedemption(explanation, { deployment, step, outcome: 'landed' }),
  )
  return (
    refusals.find((refusal) => refusal !== undefined) ??
    new BardoError('The redemption landed, but it reverted.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  )
}

/**
 * A reorganisation removed the transaction after it had landed: it was sent, and its outcome is open again.
 */
function reorganisedAway(hash: Hash, cause: BardoError): BardoError {
  return new BardoError('A reorganisation removed the redemption after it had landed.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [`transaction ${hash}`],
    remedy: 'Submit the same intent again to learn its outcome.',
    cause,
  })
}
