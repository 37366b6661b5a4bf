import {
  anyDelegate,
  availableOf,
  BardoError,
  budgetWarning,
  checkChain,
  type SessionBudget,
  type SessionKeyEvent,
} from '@bardo/core'
import { type Address, isAddressEqual, type PublicClient } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { revertInError } from '../explain/decodeRevert.ts'
import { explainRedemption } from '../explain/explainRedemption.ts'
import { explainTransaction } from '../explain/explainTransaction.ts'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { delegationEnd } from './delegationEnd.ts'
import { encodeExecution } from './encodeExecution.ts'
import { encodeRedemption, type RedemptionStep } from './encodeRedemption.ts'
import { refusedRedemption, refusedUnexplained } from './refusedRedemption.ts'

/** Who redeems: a key with its submitter, or an account with the submitter of its operations. */
export type Redeemer = {
  readonly client: PublicClient
  readonly deployment: Deployment
  /** The leaf's delegate: the submitter's sender. */
  readonly address: Address
  readonly submitter: Submitter
  readonly onEvent?: (event: SessionKeyEvent) => void
}

/** A redemption that is wanted once, under an id of the caller's. */
export type Redemption = {
  readonly id: string
  readonly steps: readonly RedemptionStep[]
  /** Milliseconds since 1970; from then on its nonce is closed instead. */
  readonly expiresAt?: number
  /** The session's budget and what this takes of it, for whoever hears of it. */
  readonly budget?: { readonly after: SessionBudget; readonly valueCents: bigint }
}

/**
 * Redeems delegations once (P8): checked, tried out on the node, journalled, sent and followed. Throws where the chain
 * refuses, with the link, the caveat and the numbers; `outcome` says whether anything was sent.
 *
 * @example
 * const { hash } = await redeem(golem, { id: 'tick-42', steps: [{ links: [root], calls: [approve, swap] }] })
 */
export async function redeem(redeemer: Redeemer, redemption: Redemption): Promise<Landed> {
  const { id, steps, expiresAt } = redemption
  const { deployment, submitter } = redeemer
  const wish = {
    id,
    to: deployment.framework.DelegationManager,
    data: encodeRedemption(steps),
    check: () => requireRedeemable(redeemer, steps),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  const landed = await submitter.submit(wish).catch(async (error: unknown) => {
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

/** Refuses what cannot work, without asking an enforcer: another chain, another redeemer, a time that is over. */
async function requireRedeemable(
  { client, deployment, address }: Redeemer,
  steps: readonly RedemptionStep[],
): Promise<void> {
  for (const { links } of steps) {
    checkChain(links)
    const [leaf] = links
    if (leaf && !isAddressEqual(leaf.delegate, address) && !isAddressEqual(leaf.delegate, anyDelegate))
      throw new BardoError('The leaf is for somebody else.', {
        code: 'INVALID_INPUT',
        details: [`it names ${leaf.delegate}`, `redeemed by ${address}`],
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
    throw new BardoError('The node is of another chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`${deployment.chainId} was meant`, `the node answers for ${chainId}`],
    })
  // A call to an address without code succeeds and does nothing.
  if (!code)
    throw new BardoError('There is no DelegationManager where the deployment says.', {
      code: 'CODE_MISMATCH',
      details: [`nothing is at ${manager}`],
      remedy: 'Check the deployment with verifyDeployment.',
      docsPath: 'deployment.md',
    })
  for (const { links } of steps)
    for (const link of links) {
      const end = delegationEnd(link, deployment)
      if (end !== undefined && timestamp > end) throw ended(end, timestamp)
    }
}

function ended(end: bigint, now: bigint): BardoError {
  return new BardoError('The delegation has ended.', {
    code: 'DELEGATION_EXPIRED',
    details: [`its last second was ${end}`, `the chain’s time is ${now}`],
    remedy: 'Ask the owner for a new grant.',
  })
}

/** The first step that the node refuses, explained; undefined where by now it refuses none. */
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

/** It was fine when it was tried out, and was not any more when it landed. */
async function explainLanded({ client, deployment }: Redeemer, { hash }: Landed): Promise<BardoError> {
  const { contexts } = await explainTransaction(client, deployment, hash)
  const refusals = contexts.map(({ explanation }, step) =>
    refusedRedemption(explanation, { deployment, step, outcome: 'landed' }),
  )
  return (
    refusals.find((refusal) => refusal !== undefined) ??
    new BardoError('The redemption landed and was refused there.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  )
}
