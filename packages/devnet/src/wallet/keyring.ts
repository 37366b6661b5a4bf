import type { Address, LocalAccount } from 'viem'
import { getAddress } from 'viem'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'
import type { WalletEmitter } from './walletEvents.ts'

/** The wallet's accounts, and which of them the page can see. */
export type Keyring = {
  /** Every account, the selected one first. */
  all(): readonly Address[]
  /** What the page sees: nothing before it is connected or while the wallet is locked. */
  exposed(): readonly Address[]
  isOwn(address: Address): boolean
  isLocked(): boolean
  /** The account of an address that the page may use, or the first such account. */
  authorized(address?: Address): LocalAccount
  /** Any account of the wallet, for the owner's own functions. */
  own(address: Address): LocalAccount
  connect(accounts: readonly Address[]): void
  disconnect(): void
  select(address: Address): void
  setLocked(locked: boolean): void
}

export function createKeyring(accounts: readonly LocalAccount[], events: WalletEmitter): Keyring {
  const byAddress = new Map(accounts.map((account) => [getAddress(account.address), account]))
  let order = [...byAddress.keys()]
  let connected = new Set<Address>()
  let locked = false

  const exposed = () => (locked ? [] : order.filter((address) => connected.has(address)))

  function own(address: Address): LocalAccount {
    const account = byAddress.get(getAddress(address))
    if (account) return account
    throw new ProviderRpcError(
      providerErrorCodes.unauthorized,
      `${address} is not an account of this wallet.`,
    )
  }

  function announcingChanges(change: () => void) {
    const before = exposed()
    change()
    const after = exposed()
    const changed =
      before.length !== after.length || before.some((address, index) => address !== after[index])
    if (changed) events.emit('accountsChanged', after)
  }

  return {
    all: () => order,
    exposed,
    isOwn: (address) => byAddress.has(getAddress(address)),
    isLocked: () => locked,
    own,
    authorized(requested = exposed()[0]) {
      // An account of the wallet that the page is not connected to is treated like an unknown one: the page
      // must not learn which other accounts exist.
      if (requested && exposed().includes(getAddress(requested))) return own(requested)
      const message = requested
        ? `The page is not allowed to use ${requested}.`
        : 'The page is not connected to any account.'
      throw new ProviderRpcError(providerErrorCodes.unauthorized, message)
    },
    connect: (chosen) =>
      announcingChanges(() => {
        connected = new Set(chosen.map((address) => getAddress(own(address).address)))
      }),
    disconnect: () => announcingChanges(() => connected.clear()),
    select: (address) =>
      announcingChanges(() => {
        const selected = getAddress(own(address).address)
        order = [selected, ...order.filter((other) => other !== selected)]
      }),
    setLocked: (next) =>
      announcingChanges(() => {
        locked = next
      }),
  }
}
