import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Address, Hash, LocalAccount } from 'viem'
import { z } from 'zod'
import { upgradeAccount } from './account/upgradeAccount.ts'
import { askOwner, type Decide } from './decision.ts'
import { createTurn } from './inTurn.ts'
import { createKeyring } from './keyring.ts'
import { methods } from './methods/methods.ts'
import { createNetworks } from './networks.ts'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'
import { toProviderError } from './toProviderError.ts'
import type { WalletContext } from './walletContext.ts'
import { createWalletEmitter, type WalletEmitter } from './walletEvents.ts'
import { createWalletInfo, type WalletInfo } from './walletInfo.ts'

/** What a page sees of the wallet (EIP-1193). */
export type OwnerWalletProvider = Pick<WalletEmitter, 'on' | 'removeListener'> & {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** The wallet in its owner's hands: the page's provider, and what only the owner can do. */
export type OwnerWallet = OwnerWalletProvider & {
  /** What is announced to pages, and nothing more (EIP-6963). */
  readonly info: WalletInfo
  readonly provider: OwnerWalletProvider
  /** Brings an account to the front; a page that is connected to it sees it first from now on. */
  selectAccount(address: Address): void
  /** Makes an account a smart account (EIP-7702); resolves with the transaction, or with nothing if it is one. */
  upgrade(address: Address): Promise<Hash | undefined>
  /** Takes the accounts away from the page. */
  disconnect(): void
  lock(): void
  unlock(): void
}

export type OwnerWalletOptions = {
  /** JSON-RPC address of the chain that carries the Delegation Framework. */
  readonly url: string
  readonly accounts: readonly LocalAccount[]
  /** Where the framework's contracts are. */
  readonly environment: SmartAccountsEnvironment
  /** The human. Approves everything unless told otherwise. */
  readonly decide?: Decide
}

const requestSchema = z.object({
  method: z.string().min(1),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
})

/**
 * A wallet that stands in for MetaMask on a local chain: the same methods, guards, errors and grants, with real keys,
 * signatures and transactions, and a function in the place of the human.
 *
 * @example
 * const wallet = createOwnerWallet({ url, accounts: [owner], environment, decide: ({ kind }) => 'approve' })
 * const client = createClient({ chain, transport: custom(wallet) }).extend(erc7715ProviderActions())
 */
export function createOwnerWallet(options: OwnerWalletOptions): OwnerWallet {
  const { url, accounts, environment, decide = () => 'approve' } = options
  const events = createWalletEmitter()
  const keyring = createKeyring(accounts, events)
  const networks = createNetworks(url, events)
  const wallet: WalletContext = {
    environment,
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
 * Between a page and a real wallet there is nothing but JSON. Going through it here too shows what would not survive,
 * and leaves the page no object that it could change while the owner looks at it.
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
    // Cycles and bigints: the caller says so.
    return undefined
  }
}
