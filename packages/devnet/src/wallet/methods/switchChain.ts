import { numberToHex } from 'viem'
import { z } from 'zod'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { chainId } from '../rpcTypes.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'

const switchParams = z.tuple([z.looseObject({ chainId })])

const addParams = z.tuple([
  z.looseObject({
    chainId,
    chainName: z.string().min(1),
    rpcUrls: z.tuple([z.url({ protocol: /^https?$/ })], z.string()),
    nativeCurrency: z.looseObject({ symbol: z.string().min(1), decimals: z.literal(18) }),
  }),
])

/** `eth_chainId` */
export const ethChainId: WalletMethod = async ({ networks }) => numberToHex((await networks.active()).chainId)

/** `net_version` */
export const netVersion: WalletMethod = async ({ networks }) => `${(await networks.active()).chainId}`

/** `wallet_switchEthereumChain` (EIP-3326): 4902 tells the page to add the chain first. */
export const walletSwitchEthereumChain: WalletMethod = async (wallet, params) => {
  const [request] = parseParams(switchParams, params)
  if (!(await switchTo(wallet, request.chainId))) {
    throw new ProviderRpcError(
      providerErrorCodes.unknownChain,
      `The wallet does not have chain ${request.chainId}. Add it with wallet_addEthereumChain.`,
    )
  }
  return null
}

/**
 * `wallet_addEthereumChain` (EIP-3085): switches to a chain that the wallet already has, whatever node the
 * page names.
 */
export const walletAddEthereumChain: WalletMethod = async (wallet, params) => {
  const [request] = parseParams(addParams, params)
  if (await switchTo(wallet, request.chainId)) return null

  const rpcUrl = request.rpcUrls[0]
  const network = await wallet.networks.open(rpcUrl)
  if (network.chainId !== request.chainId) {
    throw new ProviderRpcError(
      providerErrorCodes.invalidParams,
      `The node named for chain ${request.chainId} is on chain ${network.chainId}.`,
    )
  }
  await wallet.ask({ kind: 'addChain', chainId: network.chainId, name: request.chainName, rpcUrl })
  wallet.networks.add(network)
  wallet.networks.activate(network)
  return null
}

/** False if the wallet does not have the chain. */
async function switchTo({ networks, ask }: WalletContext, chainId: number): Promise<boolean> {
  const network = await networks.find(chainId)
  if (!network) return false
  if ((await networks.active()).chainId !== chainId) {
    await ask({ kind: 'switchChain', chainId })
    networks.activate(network)
  }
  return true
}
