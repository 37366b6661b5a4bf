import { numberToHex } from 'viem'
import { type Network, openNetwork } from './network.ts'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'
import type { WalletEmitter } from './walletEvents.ts'

/**
 * The chains of a wallet, one of which is active. The home chain is the one with the Delegation Framework.
 */
export type Networks = {
  home(): Promise<Network>
  active(): Promise<Network>
  find(chainId: number): Promise<Network | undefined>
  /** Opens a chain at a URL from a page, without storing it. */
  open(url: string): Promise<Network>
  add(network: Network): void
  activate(network: Network): void
  /** Notes that the chain did not answer; its next answer emits `connect`. */
  lost(): void
}

export function createNetworks(url: string, events: WalletEmitter): Networks {
  const byChainId = new Map<number, Network>()
  let opening: Promise<Network> | undefined
  let active: Network | undefined
  let isDown = false

  function announce() {
    if (active) events.emit('connect', { chainId: numberToHex(active.chainId) })
  }

  function onAnswer() {
    if (!isDown) return
    isDown = false
    announce()
  }

  async function openHome(): Promise<Network> {
    const network = await openNetwork(url, onAnswer)
    byChainId.set(network.chainId, network)
    active = network
    announce()
    return network
  }

  function home(): Promise<Network> {
    opening ??= openHome().catch((error) => {
      // The node may not be up yet: the next request tries again.
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    home,
    async active() {
      return active ?? home()
    },
    async find(chainId) {
      await home()
      return byChainId.get(chainId)
    },
    open: (address) => openNetwork(address, onAnswer),
    add: (network) => void byChainId.set(network.chainId, network),
    activate(network) {
      active = network
      events.emit('chainChanged', numberToHex(network.chainId))
    },
    lost() {
      if (isDown || !active) return
      isDown = true
      events.emit(
        'disconnect',
        new ProviderRpcError(providerErrorCodes.disconnected, 'The RPC node does not answer.'),
      )
    },
  }
}
