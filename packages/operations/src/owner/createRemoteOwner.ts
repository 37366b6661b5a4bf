import type { Landed } from '@bardo/chain'
import {
  type AccountSigner,
  BardoError,
  type Deployment,
  hybridAccount,
  requestMethod,
  walletSigner,
} from '@bardo/core'
import {
  type Address,
  BaseError,
  type Hash,
  type Hex,
  isAddressEqual,
  keccak256,
  type PublicClient,
  parseTransaction,
  RpcRequestError,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  TransactionNotFoundError,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import type { OwnerAnswer } from './answers.ts'
import type { OperationSigner } from './ownerOperation.ts'
import { type OwnerStep, permissionsStep, signatureStep, transactionStep } from './ownerStep.ts'

/** An owner whose key is in another process: it takes part by answers to steps. */
export type RemoteOwner = {
  readonly signer: OperationSigner
  /** The steps without an answer, in the order in which they were asked for. */
  missing(): readonly OwnerStep[]
  /** The digests of the answers that were used. */
  used(): ReadonlySet<Hash>
}

type RemoteOwnerOptions = {
  readonly owner: Address
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly answers: ReadonlyMap<Hash, OwnerAnswer>
  /** Blocks that a transaction needs, its own included. */
  readonly confirmations: number
  /** The longest wait for a transaction. */
  readonly patienceMs: number
  /** Reserves a transaction for this operation. False if it belongs to another. */
  readonly claim: (transaction: Hash) => Promise<boolean>
}

/** Thrown inside an operation when a step has no answer yet. Never leaves this package. */
export class StepMissing extends Error {}

/**
 * Makes an owner's signer that has no key. A signature or a transaction is looked up among the answers, and checked: a
 * signature must be the owner's over exactly these bytes, a transaction must be the owner's and do exactly this. Without
 * an answer the step is noted, and the operation stops there.
 */
export function createRemoteOwner(options: RemoteOwnerOptions): RemoteOwner {
  const { owner, client, deployment, answers } = options
  const missing: OwnerStep[] = []
  const used = new Set<Hash>()

  function answerTo(step: OwnerStep): OwnerAnswer {
    const answer = answers.get(step.digest)
    if (answer) {
      used.add(step.digest)
      return answer
    }
    if (!missing.some(({ digest }) => digest === step.digest)) missing.push(step)
    throw new StepMissing()
  }

  const signTypedData: AccountSigner['signTypedData'] = async (typedData) => {
    const answer = answerTo(signatureStep(typedData))
    if (!('signature' in answer)) throw wrongAnswer('a signature')
    const { signature } = answer
    const by = await recoverTypedDataAddress({ ...typedData, signature }).catch(() => undefined)
    if (by && isAddressEqual(by, owner)) return signature
    throw new BardoError('The signature is not the owner’s signature of what was prepared.', {
      code: 'SIGNATURE_MALFORMED',
      outcome: 'not-sent',
      details: [`owner: ${owner}`, `these bytes were signed by: ${by ?? 'an unreadable signature'}`],
      remedy: 'Sign the printed typed data unchanged, with the owner’s key.',
    })
  }

  const account = hybridAccount(deployment, { began: { owner }, signer: walletSigner({ signTypedData }) })
  return {
    missing: () => missing,
    used: () => used,
    signer: {
      client,
      deployment,
      account,
      key: owner,
      submitter: {
        async submit({ id, to, value = 0n, data = '0x', check }) {
          const { chainId } = deployment
          const step = transactionStep({ chainId, from: owner, to, value, data })
          if (!answers.has(step.digest)) await check?.()
          return { id, ...(await landedBy(options, step, answerTo(step))) }
        },
        cancel: () => Promise.reject(wrongAnswer('nothing to cancel')),
        recover: async () => [],
      },
      wallet: {
        async request({ method, params }) {
          // The wallet is elsewhere: the request is written in the current form.
          if (method !== requestMethod) return {}
          const answer = answerTo(permissionsStep({ method, params, owner }))
          if ('permissions' in answer) return answer.permissions
          throw wrongAnswer('the permissions that the owner’s wallet granted')
        },
      },
    },
  }
}

type TransactionStep = Extract<OwnerStep, { type: 'transaction' }>

/** Waits until the owner's transaction is final, and checks that it does what was prepared. */
async function landedBy(
  options: RemoteOwnerOptions,
  step: TransactionStep,
  answer: OwnerAnswer,
): Promise<Omit<Landed, 'id'>> {
  const { client, confirmations, patienceMs, claim } = options
  const hash = await sentHash(client, step, answer)
  const receipt = await client
    .waitForTransactionReceipt({ hash, confirmations, timeout: patienceMs })
    .catch((cause: unknown) => {
      if (cause instanceof WaitForTransactionReceiptTimeoutError) throw notFinal(hash, cause)
      throw cause
    })
  // The owner's wallet may have replaced it, to raise its fee: judge the one that was mined.
  const mined = await client.getTransaction({ hash: receipt.transactionHash })
  requireSame(step, { ...mined, data: mined.input })
  // Two equal operations need two transactions.
  if (!(await claim(receipt.transactionHash)))
    throw new BardoError('This transaction belongs to another operation.', {
      code: 'INVALID_INPUT',
      details: [`transaction ${receipt.transactionHash}`],
      remedy: 'Send another transaction for this operation, or leave it: it ends by itself.',
    })
  if (receipt.status === 'reverted')
    throw new BardoError('The owner’s transaction landed, but it reverted.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${receipt.transactionHash}`],
      remedy: 'Check the balances, and prepare the operation again.',
    })
  const { blockNumber, blockHash, status, transactionHash } = receipt
  return { nonce: mined.nonce, hash: transactionHash, status, blockNumber, blockHash }
}

/** The hash of the owner's transaction. A signed one is checked and broadcast first. */
async function sentHash(client: PublicClient, step: TransactionStep, answer: OwnerAnswer): Promise<Hash> {
  if ('transaction' in answer) {
    const sent = await client.getTransaction({ hash: answer.transaction }).catch((cause: unknown) => {
      if (cause instanceof TransactionNotFoundError) throw notFinal(answer.transaction, cause)
      throw cause
    })
    // A transaction of another sender, or to another address, is refused without waiting for it.
    requireSame(step, { ...sent, data: sent.input })
    return answer.transaction
  }
  if (!('rawTransaction' in answer)) throw wrongAnswer('a transaction')
  const raw = answer.rawTransaction
  requireSame(step, await readRaw(raw))
  const hash = keccak256(raw)
  await client.sendRawTransaction({ serializedTransaction: raw }).catch(async (error: unknown) => {
    // Sent before: the node has it already, or it is mined.
    const isKnown = await client.getTransaction({ hash }).then(
      () => true,
      () => false,
    )
    if (!isKnown) throw notSent(error)
  })
  return hash
}

async function readRaw(raw: Hex): Promise<SentTransaction> {
  try {
    if (!isTyped(raw)) throw new TypeError('a transaction without a type')
    const { to, value = 0n, data = '0x', chainId } = parseTransaction(raw)
    const from = await recoverTransactionAddress({ serializedTransaction: raw })
    return { from, to, value, data, chainId }
  } catch (cause) {
    throw new BardoError('The signed transaction cannot be read.', {
      code: 'INVALID_INPUT',
      remedy: 'Sign it as an EIP-1559 transaction.',
      cause,
    })
  }
}

function isTyped(raw: Hex): raw is `0x02${string}` {
  return raw.startsWith('0x02')
}

type SentTransaction = {
  readonly from: Address
  readonly to?: Address | null | undefined
  readonly value: bigint
  readonly data: Hex
  readonly chainId?: number | undefined
}

function requireSame(step: TransactionStep, sent: SentTransaction): void {
  const details = [
    ...(sent.chainId !== step.chainId ? [`chain: ${sent.chainId}, prepared: ${step.chainId}`] : []),
    ...(isAddressEqual(sent.from, step.from) ? [] : [`sender: ${sent.from}, prepared: ${step.from}`]),
    ...(sent.to && isAddressEqual(sent.to, step.to) ? [] : [`to: ${sent.to}, prepared: ${step.to}`]),
    ...(sent.value === step.value ? [] : [`value: ${sent.value} wei, prepared: ${step.value} wei`]),
    ...(sent.data.toLowerCase() === step.data.toLowerCase() ? [] : ['data: not the prepared bytes']),
  ]
  if (details.length === 0) return
  throw new BardoError('The transaction is not the one that was prepared.', {
    code: 'INVALID_INPUT',
    details,
    remedy: 'Send the printed transaction unchanged, from the owner’s wallet.',
  })
}

/** The node answered that it does not take the transaction, or did not answer. */
function notSent(cause: unknown): unknown {
  if (!(cause instanceof BaseError)) return cause
  const refusal = cause.walk((error) => error instanceof RpcRequestError)
  if (!(refusal instanceof RpcRequestError))
    return new BardoError('The RPC node does not answer.', {
      code: 'RPC_UNAVAILABLE',
      details: [cause.shortMessage],
      remedy: 'Complete the operation again with the same answer.',
      cause,
    })
  return new BardoError('The node refuses the signed transaction.', {
    code: 'INVALID_INPUT',
    outcome: 'not-sent',
    details: [refusal.details],
    remedy: 'Sign the printed transaction again, with the wallet’s next nonce and current fees.',
    docsPath: 'owners.md#sign-elsewhere',
    cause,
  })
}

function wrongAnswer(expected: string): BardoError {
  return new BardoError(`This step needs ${expected}.`, { code: 'INVALID_INPUT' })
}

function notFinal(hash: Hash, cause: unknown): BardoError {
  return new BardoError('The owner’s transaction is not final yet.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [`transaction ${hash}`],
    remedy: 'Complete the operation again with the same answer.',
    cause,
  })
}
