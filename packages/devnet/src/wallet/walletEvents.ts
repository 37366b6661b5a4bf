import type { Address, Hex } from 'viem'
import type { ProviderRpcError } from './ProviderRpcError.ts'

/** The events that a page can listen to (EIP-1193). */
type WalletEvents = {
  accountsChanged: (accounts: readonly Address[]) => void
  chainChanged: (chainId: Hex) => void
  connect: (info: { readonly chainId: Hex }) => void
  disconnect: (error: ProviderRpcError) => void
}

export type WalletEmitter = {
  on<name extends keyof WalletEvents>(name: name, listener: WalletEvents[name]): void
  removeListener<name extends keyof WalletEvents>(name: name, listener: WalletEvents[name]): void
  emit<name extends keyof WalletEvents>(name: name, ...args: Parameters<WalletEvents[name]>): void
}

/**
 * Listeners run one microtask later, so that a listener that throws cannot break the request that caused the
 * event.
 */
export function createWalletEmitter(): WalletEmitter {
  const listeners: { [name in keyof WalletEvents]: Set<WalletEvents[name]> } = {
    accountsChanged: new Set(),
    chainChanged: new Set(),
    connect: new Set(),
    disconnect: new Set(),
  }
  return {
    on: (name, listener) => void listeners[name].add(listener),
    removeListener: (name, listener) => void listeners[name].delete(listener),
    emit(name, ...args) {
      for (const listener of listeners[name]) {
        // The listeners of an event take that event's arguments; TypeScript cannot derive that from the
        // mapped type.
        queueMicrotask(() => (listener as (...args: Parameters<WalletEvents[typeof name]>) => void)(...args))
      }
    },
  }
}
