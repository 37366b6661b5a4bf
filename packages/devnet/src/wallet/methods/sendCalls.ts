import type { Call } from '@bardo/core'
import { DeleGatorCore } from '@metamask/delegation-abis'
import { bytesToHex, encodeAbiParameters, encodeFunctionData, type Hex, type LocalAccount, pad } from 'viem'
import { z } from 'zod'
import { accountKind, smartAccountCode } from '../account/smartAccount.ts'
import { type Submission, submitTransaction } from '../account/submitTransaction.ts'
import type { RequestedCall } from '../decision.ts'
import type { Network } from '../network.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { address, bytes, chainId, quantity } from '../rpcTypes.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'
import { refuseCommandToOwnAccount } from './sendTransaction.ts'

// ERC-7579: a batch in which one failing call reverts all.
const batchMode = pad('0x01', { dir: 'right', size: 32 })

const capabilities = z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })).optional()

const call = z
  .object({ to: address.optional(), data: bytes.optional(), value: quantity.optional(), capabilities })
  .refine(({ to, data }) => to || data, 'a call needs a recipient or the code of a contract to create')

const params = z.tuple([
  z.object({
    version: z.literal('2.0.0'),
    id: bytes.optional(),
    from: address.optional(),
    chainId,
    atomicRequired: z.boolean(),
    calls: z.array(call).min(1),
    capabilities,
  }),
])

/**
 * `wallet_sendCalls` (EIP-5792): one call is a plain transaction. Several run atomically through the
 * account's own `execute`, in the same transaction that upgrades the account if it is not a smart account.
 */
export const walletSendCalls: WalletMethod = async (wallet, given) => {
  const [request] = parseParams(params, given)
  const { keyring, networks, bundles } = wallet
  const account = keyring.authorized(request.from)
  refuseCapabilities([request.capabilities, ...request.calls.map((one) => one.capabilities)])
  if (request.id && bundles.has(request.id)) {
    throw new ProviderRpcError(providerErrorCodes.duplicateBundleId, `The id ${request.id} is already used.`)
  }
  const network = await networks.active()
  if (request.chainId !== network.chainId) {
    throw refused(`The calls are for chain ${request.chainId}, but the active chain is ${network.chainId}.`)
  }

  const calls = request.calls.map(({ to, data, value }): RequestedCall => ({ to, data, value }))
  const submission = await prepare(wallet, network, account, calls)
  const upgrade = submission.upgradeTo !== undefined
  await wallet.ask({ kind: 'sendCalls', from: account.address, calls, upgrade })
  const id = request.id ?? bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  bundles.set(id, { chainId: network.chainId, hash: await submitTransaction(wallet, submission) })
  return { id }
}

async function prepare(
  wallet: WalletContext,
  network: Network,
  account: LocalAccount,
  calls: readonly RequestedCall[],
): Promise<Submission> {
  const [only] = calls
  if (only && calls.length === 1) {
    refuseCommandToOwnAccount(only, wallet.keyring)
    return { network, account, transaction: only }
  }

  const { chainId: home } = await wallet.networks.home()
  if (network.chainId !== home) {
    throw new ProviderRpcError(
      providerErrorCodes.unsupportedChain,
      `Batches are not supported on chain ${network.chainId}.`,
    )
  }
  const data = encodeBatch(calls.map((one) => batchedCall(wallet, one)))
  const kind = await accountKind(network.client, wallet.environment, account.address)
  if (kind === 'foreign') {
    throw new ProviderRpcError(providerErrorCodes.upgradeRejected, 'The account runs another wallet’s code.')
  }
  const upgradeTo = kind === 'plain' ? smartAccountCode(wallet.environment) : undefined
  return { network, account, transaction: { to: account.address, data }, upgradeTo }
}

function batchedCall({ keyring }: WalletContext, { to, data = '0x', value = 0n }: RequestedCall): Call {
  if (!to) throw refused('A batch cannot create contracts.')
  // In a batch the account is the caller, so even a call without data would run its own code.
  if (keyring.isOwn(to)) throw refused('A batch cannot call an account of the wallet.')
  return { to, value, data }
}

/** The wallet supports no capabilities; a page that requires one must get an error. */
function refuseCapabilities(requested: readonly z.output<typeof capabilities>[]) {
  const required = requested
    .flatMap((some) => Object.entries(some ?? {}))
    .filter(([, { optional }]) => optional !== true)
    .map(([name]) => name)
  if (required.length === 0) return
  throw new ProviderRpcError(
    providerErrorCodes.unsupportedCapability,
    `Not supported: ${required.join(', ')}.`,
  )
}

function refused(message: string) {
  return new ProviderRpcError(providerErrorCodes.invalidParams, message)
}

/** Calldata with which a smart account, called by itself, makes several calls atomically. */
function encodeBatch(calls: readonly Call[]): Hex {
  const executions = encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    [calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, callData: data }))],
  )
  return encodeFunctionData({ abi: DeleGatorCore, functionName: 'execute', args: [batchMode, executions] })
}
