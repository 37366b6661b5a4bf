import type { Intent, SmartAccount } from '@bardo/core'
import { decodeAbiParameters, encodeFunctionData, type Hex, type PublicClient } from 'viem'
import { entryPoint07Abi, type GetPaymasterDataReturnType } from 'viem/account-abstraction'
import { accountAbi } from '../accounts/accountAbi.ts'
import {
  decodeUserOperation,
  encodeUserOperation,
  type Operation,
  signUserOperation,
  userOperationHash,
} from '../accounts/userOperation.ts'
import { errorTextOf } from './broadcast.ts'
import type { Bundler, OperationGas } from './bundler.ts'
import { isCanonical } from './findAttempts.ts'
import { findOperation } from './findOperation.ts'
import { bundlerRefused, malformed, unestimated } from './refusals.ts'
import { sameText } from './sameText.ts'
import type { SubmissionBackend } from './submissionBackend.ts'

/** Pays for operations (ERC-7677). viem's `createPaymasterClient` is one, if given its context. */
export type Paymaster = (
  operation: Operation & { readonly chainId: number; readonly entryPointAddress: Hex },
) => Promise<GetPaymasterDataReturnType>

// A call from inside an account costs more than a transaction: its own frame; with value, 9,000 and a new
// account.
const innerCallGas = 10_000n
const innerValueGas = 45_000n
const verificationMargin = 25_000n

const draftTypes = [{ type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }] as const

/** A backend for UserOperations of one smart account, at nonce key 0. */
export function userOperationBackend({
  client,
  account,
  bundler,
  paymaster,
}: {
  readonly client: PublicClient
  readonly account: SmartAccount
  readonly bundler: Bundler
  readonly paymaster?: Paymaster
}): SubmissionBackend {
  const { address: sender, chainId, factory, signer } = account
  const entryPoint = account.framework.EntryPoint

  const nonceAt = async (block: { readonly blockNumber?: bigint }) =>
    Number(
      await client.readContract({
        address: entryPoint,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [sender, 0n],
        ...block,
      }),
    )
  const nextNonce = () => nonceAt({})

  /** The call that deploys the account, if it is not deployed. */
  async function creation() {
    if (!factory || (await client.getCode({ address: sender }))) return {}
    return { factory: factory.to, factoryData: factory.data }
  }

  async function sponsor(operation: Operation): Promise<Operation> {
    if (!paymaster) return operation
    const payment = await paymaster({ ...operation, chainId, entryPointAddress: entryPoint })
    return { ...operation, ...payment } as Operation
  }

  async function estimateCall({
    to,
    value = 0n,
    data = '0x',
    gas,
  }: Parameters<SubmissionBackend['draft']>[0]) {
    if (gas !== undefined) return gas
    try {
      // Estimated as the account itself: a revert then has the call's own reason, not the bundler's version
      // of it.
      const estimated = await client.estimateGas({ account: sender, to, value, data })
      return estimated + estimated / 5n + (value > 0n ? innerValueGas : innerCallGas)
    } catch (cause) {
      throw unestimated(cause)
    }
  }

  async function estimateRest(unsigned: Operation): Promise<OperationGas> {
    try {
      return await bundler.estimate(await sponsor(unsigned))
    } catch (cause) {
      throw bundlerRefused(cause)
    }
  }

  return {
    from: sender,

    async draft(request) {
      const { id, to, value = 0n, data = '0x' } = request
      // Only a key that is about to be wiped is emptied, never an account.
      if (request.sweep) throw malformed(id)
      const gas = await estimateCall(request)
      const { verificationGasLimit, preVerificationGas } = await estimateRest({
        sender,
        nonce: BigInt(await nextNonce()),
        callData: encodeCall(to, value, data),
        callGasLimit: gas,
        verificationGasLimit: signer.verificationGas,
        preVerificationGas: 0n,
        ...(await bundler.fees()),
        ...(await creation()),
        signature: signer.stub,
      })
      // A bundler estimates with a placeholder signature, whose check may end early (AA26). What is not used is not paid.
      const verificationGas = verificationGasLimit + verificationGasLimit / 2n + verificationMargin
      const operation = { verificationGas, preVerificationGas }
      return { to, value, gas, data, operation }
    },

    isSame(intent, { to, value = 0n, data = '0x' }) {
      const isOurs = intent.chainId === chainId && sameText(intent.from, sender)
      const isCall = isOurs && sameText(intent.to, to) && intent.value === value
      return isCall && sameText(readDraft(intent).data, data)
    },

    nextNonce,
    async isUsedUpTo(nonce) {
      const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
      return (await nonceAt({ blockNumber })) >= nonce
    },
    isCanonical: (mined) => isCanonical(client, mined),
    todaysFees: bundler.fees,

    async sign(intent, { nonce, fees, purpose, earlier, at }) {
      const { data, verificationGasLimit, preVerificationGas } = readDraft(intent)
      // An operation without a call uses its nonce and does nothing.
      const call =
        purpose === 'intent'
          ? { callData: encodeCall(intent.to, intent.value, data), callGasLimit: intent.gas }
          : { callData: '0x' as const, callGasLimit: 0n }
      const unsigned: Operation = {
        sender,
        nonce: BigInt(nonce),
        ...call,
        verificationGasLimit,
        // On rollups this depends on another chain's fees: what was enough may no longer be.
        preVerificationGas: (preVerificationGas * BigInt(4 + earlier)) / 4n,
        ...fees,
        ...(await creation()),
        signature: signer.stub,
      }
      const signed = await signUserOperation(account, await sponsor(unsigned))
      const hash = userOperationHash(signed, entryPoint, chainId)
      return { hash, raw: encodeUserOperation(signed), purpose, ...fees, storedAt: at }
    },

    async broadcast(raw) {
      try {
        await bundler.send(decodeUserOperation(raw))
        return { kind: 'taken' }
      } catch (cause) {
        const message = errorTextOf(cause)
        if (/AA21|AA31|insufficient funds/i.test(message)) return { kind: 'unfunded', cause }
        if (/AA25|invalid account nonce/i.test(message)) return { kind: 'nonce-used' }
        if (/already known|already in mempool/i.test(message)) return { kind: 'taken' }
        if (/underpriced|must be at least|fee.*too low/i.test(message)) return { kind: 'underpriced' }
        return { kind: 'silent', cause }
      }
    },

    find: (record, finality) => findOperation(client, entryPoint, record, finality),
  }
}

function encodeCall(target: Hex, value: bigint, callData: Hex): Hex {
  return encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [{ target, value, callData }] })
}

/** What an operation calls, and its other gas limits. Release 0.1 stored all of it in `data`. */
function readDraft({ data, operation }: Intent) {
  if (operation) {
    const { verificationGas, preVerificationGas } = operation
    return { data, verificationGasLimit: verificationGas, preVerificationGas }
  }
  const [call, verificationGasLimit, preVerificationGas] = decodeAbiParameters(draftTypes, data)
  return { data: call, verificationGasLimit, preVerificationGas }
}
