import { identityGuardian, identityRegistry } from '@bardo/contracts'
import { type AccountSigner, BardoError, type Call, type Deployment } from '@bardo/core'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  encodeAbiParameters,
  encodeFunctionData,
  type Hash,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import type { Landed } from '../submission/createSubmitter.ts'
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
  /** The Golem that the agent names. Undefined for an agent that was not registered for a Golem. */
  readonly golem: Hash | undefined
  readonly guarded:
    | { readonly guardian: Address | undefined; readonly pending: PendingTransfer | undefined }
    | undefined
}

/** Reads ERC-8004's registry and the guardian contract, and builds the calls of an agent's owner. */
export type IdentityClient = {
  read(agentId: bigint): Promise<AgentIdentity>
  /** Whether two agents have the same owner, which makes them siblings of a clade. */
  areSiblings(one: bigint, other: bigint): Promise<boolean>
  /** Whether this wallet currently acts for this agent. */
  isWalletOf(wallet: Address, agentId: bigint): Promise<boolean>
  /** Where the wallet of an agent is set: the registry, or the guardian contract while it holds the token. */
  walletTargetOf(agentId: bigint): Promise<Address>
  /** Seconds between the announcement of a transfer and its execution. Throws if there is no guardian contract. */
  transferDelay(): Promise<number>
  /** Throws unless the recipient takes the token from the guardian contract. */
  requireReceiver(agentId: bigint, to: Address): Promise<void>
  /** Mints an agent to the caller. The registry assigns the id. */
  registerCall(agent: { readonly uri: string; readonly golem: Hash }): Required<Call>
  /** The agent that a call of `register` minted to this owner. */
  registeredIn(landed: Landed, owner: Address): Promise<bigint>
  /** Sets the agent's wallet, with the wallet's consent, which is signed now and valid until the deadline. */
  walletCall(request: {
    readonly agentId: bigint
    readonly wallet: Pick<AccountSigner, 'signTypedData'> & { readonly address: Address }
    /** Unix seconds, at most {@link longestConsentSeconds} ahead. */
    readonly deadline: bigint
  }): Promise<Required<Call>>
  /** Moves an agent that the caller owns. A transfer clears its wallet. */
  moveCall(agentId: bigint, from: Address, to: Address): Required<Call>
  /** Deposits an agent that the caller owns with the guardian contract. */
  depositCall(agentId: bigint, owner: Address, guardian: Address | undefined): Required<Call>
  /** Announces a transfer of a deposited agent. */
  announceCall(agentId: bigint, to: Address): Required<Call>
  /** Cancels an announced transfer: for the depositor or the guardian. */
  cancelCall(agentId: bigint): Required<Call>
  /** Executes an announced transfer after its delay: for anyone. */
  executeCall(agentId: bigint): Required<Call>
}

const { abi } = identityRegistry
/** The key of the metadata that names the Golem of an agent. */
const golemKey = 'golem'

/**
 * Agents of ERC-8004's registry. It sends nothing: `ownerCall` lets the owner's account make a call, and the account then
 * owns the agent.
 *
 * @example
 * const identity = createIdentityClient({ client, deployment })
 * const call = await ownerCall(signer, identity.registerCall({ uri, golem }))
 * const landed = await signer.submitter.submit({ id: 'register', ...call })
 * const agentId = await identity.registeredIn(landed, signer.account.address)
 */
export function createIdentityClient({
  client,
  deployment,
}: {
  readonly client: PublicClient
  readonly deployment: Deployment
}): IdentityClient {
  const { contracts, chainId } = deployment
  const address = contracts.identityRegistry
  const keeper = contracts.identityGuardian

  /** The token's holder in the registry. */
  const holderOf = (agentId: bigint) =>
    client.readContract({ address, abi, functionName: 'ownerOf', args: [agentId] }).catch((cause) => {
      if (!isRefused(cause)) throw cause
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

  async function golemOf(agentId: bigint): Promise<Hash | undefined> {
    const args = [agentId, golemKey] as const
    const value = await client.readContract({ address, abi, functionName: 'getMetadata', args })
    return value.length === 66 ? value : undefined
  }

  const toRegistry = (data: Hex) => ({ to: address, value: 0n, data })
  const toKeeper = (data: Hex) => ({ to: keeper, value: 0n, data })

  return {
    async read(agentId) {
      const [{ owner, guarded }, wallet, uri, golem] = await Promise.all([
        ownerOf(agentId),
        walletOf(agentId),
        client.readContract({ address, abi, functionName: 'tokenURI', args: [agentId] }).catch(() => ''),
        golemOf(agentId),
      ])
      return { agentId, owner, wallet, uri, golem, guarded }
    },

    async areSiblings(one, other) {
      const [a, b] = await Promise.all([ownerOf(one), ownerOf(other)])
      return isAddressEqual(a.owner, b.owner)
    },

    async isWalletOf(wallet, agentId) {
      const current = await walletOf(agentId)
      return current !== undefined && isAddressEqual(current, wallet)
    },

    walletTargetOf: async (agentId) => (isAddressEqual(await holderOf(agentId), keeper) ? keeper : address),

    async transferDelay() {
      const call = { address: keeper, abi: identityGuardian.abi } as const
      // A token that is sent to an address without this contract is lost.
      const [registry, delay] = await Promise.all([
        client.readContract({ ...call, functionName: 'registry' }),
        client.readContract({ ...call, functionName: 'delay' }),
      ]).catch((cause: unknown) => {
        throw isRefused(cause) ? noGuardian(keeper, cause) : cause
      })
      if (!isAddressEqual(registry, address)) throw noGuardian(keeper)
      return delay
    },

    async requireReceiver(agentId, to) {
      const data = encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [keeper, to, agentId] })
      await client.call({ account: keeper, to: address, data }).catch((cause: unknown) => {
        throw new BardoError('The recipient does not accept the identity token.', {
          code: 'INVALID_INPUT',
          details: [`recipient ${to}`],
          remedy: 'Choose a wallet, or a contract that accepts ERC-721 tokens.',
          cause,
        })
      })
    },

    registerCall({ uri, golem }) {
      const metadata = [{ metadataKey: golemKey, metadataValue: golem }] as const
      return toRegistry(encodeFunctionData({ abi, functionName: 'register', args: [uri, metadata] }))
    },

    async registeredIn(landed, owner) {
      const { logs } = await client.getTransactionReceipt({ hash: landed.hash })
      const ours = logs.filter((log) => isAddressEqual(log.address, address))
      // Another owner's registration in the same transaction does not count.
      const registered = parseEventLogs({ abi, eventName: 'Registered', logs: ours }).find(({ args }) =>
        isAddressEqual(args.owner, owner),
      )
      if (registered) return registered.args.agentId
      throw new BardoError('The transaction registered no agent for this owner.', {
        code: 'TRANSACTION_REVERTED',
        outcome: 'landed',
        details: [`transaction ${landed.hash}`, `owner ${owner}`],
      })
    },

    async walletCall({ agentId, wallet, deadline }) {
      const owner = await holderOf(agentId)
      const consent = { agentId, newWallet: wallet.address, owner, deadline }
      const signature = await wallet.signTypedData(agentWalletConsentTypedData(chainId, address, consent))
      const args = [agentId, wallet.address, deadline, signature] as const
      const data = encodeFunctionData({ abi, functionName: 'setAgentWallet', args })
      // While the guardian contract holds the token, the depositor acts through it.
      return isAddressEqual(owner, keeper) ? toKeeper(data) : toRegistry(data)
    },

    moveCall: (agentId, from, to) =>
      toRegistry(encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [from, to, agentId] })),

    depositCall(agentId, owner, guardian) {
      const data = guardian ? encodeAbiParameters([{ type: 'address' }], [guardian]) : '0x'
      const args = [owner, keeper, agentId, data] as const
      return toRegistry(encodeFunctionData({ abi, functionName: 'safeTransferFrom', args }))
    },

    announceCall: (agentId, to) =>
      toKeeper(
        encodeFunctionData({
          abi: identityGuardian.abi,
          functionName: 'transferWithDelay',
          args: [agentId, to],
        }),
      ),

    cancelCall: (agentId) =>
      toKeeper(encodeFunctionData({ abi: identityGuardian.abi, functionName: 'cancel', args: [agentId] })),

    executeCall: (agentId) =>
      toKeeper(encodeFunctionData({ abi: identityGuardian.abi, functionName: 'execute', args: [agentId] })),
  }
}

const nonZero = (address: Address): Address | undefined => (BigInt(address) === 0n ? undefined : address)

/** Whether the contract refused the read or is missing; otherwise the node did not answer. */
function isRefused(error: unknown): boolean {
  const isOne = (cause: unknown) =>
    cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError
  return error instanceof BaseError && error.walk(isOne) !== null
}

function noGuardian(address: Address, cause?: unknown): BardoError {
  return new BardoError('This chain has no guardian contract for identity tokens.', {
    code: 'CODE_MISMATCH',
    outcome: 'not-sent',
    details: [`expected at ${address}`],
    remedy: 'Do not send the token there: it would be lost.',
    docsPath: 'deployment.md',
    cause,
  })
}
