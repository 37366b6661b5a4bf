import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import {
  type Address,
  BaseError,
  type Hash,
  HttpRequestError,
  type LocalAccount,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { z } from 'zod'
import { upgradeAccount } from './account/upgradeAccount.ts'
import { askOwner, type Decide } from './decision.ts'
import type { GrantDialect } from './grants/grantAnswer.ts'
import { createKeyring } from './keyring.ts'
import { methods } from './methods/methods.ts'
import { createNetworks } from './networks.ts'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'
import type { WalletContext } from './walletContext.ts'
import { createWalletEmitter, type WalletEmitter } from './walletEvents.ts'
import { createWalletInfo, type WalletInfo } from './walletInfo.ts'

/** The part of the wallet that a page sees (EIP-1193). */
export type OwnerWalletProvider = Pick<WalletEmitter, 'on' | 'removeListener'> & {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** The wallet for its owner: the page's provider, and the functions that only the owner has. */
export type OwnerWallet = OwnerWalletProvider & {
  /** What the wallet announces to pages (EIP-6963). */
  readonly info: WalletInfo
  readonly provider: OwnerWalletProvider
  /** Selects an account: a page that is connected to it now sees it first. */
  selectAccount(address: Address): void
  /**
   * Upgrades an account to a smart account (EIP-7702). Resolves with the transaction; undefined if it already
   * is one.
   */
  upgrade(address: Address): Promise<Hash | undefined>
  /** Disconnects the page from all accounts. */
  disconnect(): void
  lock(): void
  unlock(): void
}

export type OwnerWalletOptions = {
  /** The RPC URL of the chain with the Delegation Framework. */
  readonly url: string
  readonly accounts: readonly LocalAccount[]
  /** The addresses of the framework's contracts. */
  readonly environment: SmartAccountsEnvironment
  /** Decides for the owner. Default: approves everything. */
  readonly decide?: Decide
  /**
   * The format of granted permissions (ERC-7715). Default: `current`. Requests are accepted in every format.
   */
  readonly dialect?: GrantDialect
}

const requestSchema = z.object({
  method: z.string().min(1),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
})

/**
 * A wallet that replaces MetaMask on a local chain: the same methods, checks, errors and grants, with real
 * keys, signatures and transactions, and a function that decides instead of a person.
 *
 * @example
 * const wallet = createOwnerWallet({ url, accounts: [owner], environment, decide: ({ kind }) => 'approve' })
 * const client = createClient({ chain, transport: custom(wallet) }).extend(erc7715ProviderActions())
 */
export function createOwnerWallet(options: OwnerWalletOptions): OwnerWallet {
  const { url, accounts, environment, decide = () => 'approve', dialect = 'current' } = options
  const events = createWalletEmitter()
  const keyring = createKeyring(accounts, events)
  const networks = createNetworks(url, events)
  const wallet: WalletContext = {
    environment,
    dialect,
    keyring,
    networks,
    grants: new Map(),
    bundles: new Map(),
    ask: (prompt) => askOwner(decide, prompt),
    inTurn: createTurn(),
  }

  async function request(given: unknown): Promise<unknown> {
    try {
      const { method, params = [] } = readRequest(given)
      const handle = methods.get(method)
      if (handle) return await handle(wallet, params)
      throw new ProviderRpcError(
        providerErrorCodes.unsupportedMethod,
        `The wallet has no method "${method}".`,
      )
    } catch (error) {
      const answer = toProviderError(error)
      if (answer.code === providerErrorCodes.disconnected) networks.lost()
      throw answer
    }
  }

  const provider: OwnerWalletProvider = Object.freeze({
    request,
    on: events.on,
    removeListener: events.removeListener,
  })
  return {
    ...provider,
    provider,
    info: createWalletInfo(),
    selectAccount: keyring.select,
    upgrade: async (address) => upgradeAccount(wallet, keyring.own(address)),
    disconnect: keyring.disconnect,
    lock: () => keyring.setLocked(true),
    unlock: () => keyring.setLocked(false),
  }
}

/**
 * A page and a real wallet exchange only JSON. The copy through JSON shows what would be lost, and the page
 * keeps no object that it could change while the owner reads it.
 */
function readRequest(given: unknown) {
  const parsed = requestSchema.safeParse(copyAsJson(given))
  if (parsed.success) return parsed.data
  throw new ProviderRpcError(
    providerErrorCodes.invalidRequest,
    'A request is { method, params }, as plain JSON.',
  )
}

function copyAsJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    // Cycles and bigints: the caller reports them.
    return undefined
  }
}

/** Runs tasks one after another; each starts when the previous one has ended or failed. */
function createTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return function inTurn<result>(task: () => Promise<result>): Promise<result> {
    const run = last.then(task, task)
    last = run.catch(() => undefined)
    return run
  }
}

/** An internal error in the form that a page may see: without stack, node URL or cause. */
function toProviderError(error: unknown): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error
  if (!(error instanceof BaseError)) {
    return new ProviderRpcError(providerErrorCodes.internal, 'The wallet failed to handle the request.')
  }
  const answered = error.walk((cause) => cause instanceof RpcRequestError)
  if (answered instanceof RpcRequestError) {
    return new ProviderRpcError(answered.code, answered.details, answered.data)
  }
  if (error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError)) {
    return new ProviderRpcError(providerErrorCodes.disconnected, 'The RPC node does not answer.')
  }
  return new ProviderRpcError(providerErrorCodes.internal, error.shortMessage)
}
