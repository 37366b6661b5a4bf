import { identityGuardian, identityRegistry } from '@bardo/contracts'
import { type AccountSigner, BardoError, type Deployment } from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { transactionOf } from '../submission/transactionOf.ts'
import { agentWalletConsentTypedData } from './agentWalletConsent.ts'

/** A transfer that was announced to the guardian contract and not executed yet. */
export type PendingTransfer = {
  readonly to: Address
  /** Unix seconds. */
  readonly readyAt: bigint
}

/** An agent, as the registry and (while it holds the token) the guardian contract report it. */
export type AgentIdentity = {
  readonly agentId: bigint
  /** The owner: the depositor, while the guardian contract holds the token. */
  readonly owner: Address
  /** Undefined if it has none. A transfer clears it. */
  readonly wallet: Address | undefined
  readonly uri: string
  readonly guarded:
    | { readonly guardian: Address | undefined; readonly pending: PendingTransfer | undefined }
    | undefined
}

export type IdentityClient = {
  read(agentId: bigint): Promise<AgentIdentity>
  /** Whether two agents have the same owner, which makes them siblings of a clade. */
  areSiblings(one: bigint, other: bigint): Promise<boolean>
  /** Whether this wallet currently acts for this agent. */
  isWalletOf(wallet: Address, agentId: bigint): Promise<boolean>
  /** Mints an agent to the submitter's sender. The registry assigns the id. */
  register(submitter: Submitter, request: { readonly id: string; readonly uri: string }): Promise<bigint>
  /**
   * Sets the agent's wallet, with the wallet's consent, which is signed now. The submitter is the owner's.
   * The registry refuses the consent after the deadline.
   */
  setWallet(
    submitter: Submitter,
    request: {
      readonly id: string
      readonly agentId: bigint
      readonly wallet: Pick<AccountSigner, 'signTypedData'> & { readonly address: Address }
      /** Unix seconds, at most {@link longestConsentSeconds} ahead. */
      readonly deadline: bigint
    },
  ): Promise<Landed>
}

const { abi } = identityRegistry

/**
 * Agents of ERC-8004's registry.
 *
 * @example
 * const identity = createIdentityClient({ client, deployment })
 * const agentId = await identity.register(ownersSubmitter, { id: 'register', uri })
 * const wallet = { address: sessionAccount.address, ...sessionKeySigner(key) }
 * await identity.setWallet(ownersSubmitter, { id: 'wallet', agentId, wallet, deadline: now + 240n })
 */
export function createIdentityClient({
  client,
  deployment,
}: {
  readonly client: PublicClient
  readonly deployment: Deployment
}): IdentityClient {
  const { contracts, framework, chainId } = deployment
  const address = contracts.identityRegistry
  const keeper = contracts.identityGuardian

  /** The token's holder in the registry. */
  const holderOf = (agentId: bigint) =>
    client.readContract({ address, abi, functionName: 'ownerOf', args: [agentId] }).catch((cause) => {
      throw new BardoError('The registry has no agent with this id.', {
        code: 'INVALID_INPUT',
        details: [`agent ${agentId}`, `registry ${address}`],
        cause,
      })
    })

  async function depositOf(agentId: bigint) {
    const call = { address: keeper, abi: identityGuardian.abi, functionName: 'depositOf' } as const
    const { owner, readyAt, to, guardian } = await client.readContract({ ...call, args: [agentId] })
    const pending = readyAt === 0n ? undefined : { to, readyAt }
    return { owner, guarded: { guardian: nonZero(guardian), pending } }
  }

  async function ownerOf(agentId: bigint) {
    const holder = await holderOf(agentId)
    return isAddressEqual(holder, keeper) ? depositOf(agentId) : { owner: holder, guarded: undefined }
  }

  const walletOf = async (agentId: bigint) =>
    nonZero(await client.readContract({ address, abi, functionName: 'getAgentWallet', args: [agentId] }))

  return {
    async read(agentId) {
      const [{ owner, guarded }, wallet, uri] = await Promise.all([
        ownerOf(agentId),
        walletOf(agentId),
        client.readContract({ address, abi, functionName: 'tokenURI', args: [agentId] }).catch(() => ''),
      ])
      return { agentId, owner, wallet, uri, guarded }
    },

    async areSiblings(one, other) {
      const [a, b] = await Promise.all([ownerOf(one), ownerOf(other)])
      return isAddressEqual(a.owner, b.owner)
    },

    async isWalletOf(wallet, agentId) {
      const current = await walletOf(agentId)
      return current !== undefined && isAddressEqual(current, wallet)
    },

    async register(submitter, { id, uri }) {
      const data = encodeFunctionData({ abi, functionName: 'register', args: [uri] })
      const landed = requireSuccess(await submitter.submit({ id, to: address, data }))
      const hash = await transactionOf(client, framework.EntryPoint, landed)
      const { logs } = await client.getTransactionReceipt({ hash })
      const ours = logs.filter((log) => isAddressEqual(log.address, address))
      const [registered] = parseEventLogs({ abi, eventName: 'Registered', logs: ours })
      if (registered) return registered.args.agentId
      throw new BardoError('The registry emitted no Registered event.', {
        code: 'INTERNAL',
        outcome: 'landed',
        details: [`transaction ${hash}`],
      })
    },

    async setWallet(submitter, { id, agentId, wallet, deadline }) {
      const owner = await holderOf(agentId)
      const consent = { agentId, newWallet: wallet.address, owner, deadline }
      const signature = await wallet.signTypedData(agentWalletConsentTypedData(chainId, address, consent))
      // While the guardian contract holds the token, the depositor acts through it.
      const to = isAddressEqual(owner, keeper) ? keeper : address
      const args = [agentId, wallet.address, deadline, signature] as const
      const data: Hex = encodeFunctionData({ abi, functionName: 'setAgentWallet', args })
      return requireSuccess(await submitter.submit({ id, to, data }))
    },
  }
}

const nonZero = (address: Address): Address | undefined => (BigInt(address) === 0n ? undefined : address)

function requireSuccess(landed: Landed): Landed {
  if (landed.status === 'success') return landed
  throw new BardoError('The registry refused the write.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`transaction ${landed.hash}`],
  })
}
