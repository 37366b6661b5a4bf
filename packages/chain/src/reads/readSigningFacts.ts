import {
  type Asset,
  type CageTerms,
  defaultFloor,
  type ReadDecimals,
  targetKinds,
  type VaultFloor,
} from '@bardo/core'
import { type Address, erc20Abi, erc4626Abi, type PublicClient, parseAbi, zeroAddress } from 'viem'

const feedAbi = parseAbi(['function decimals() view returns (uint8)'])
/** The number of shares whose value is a vault's rate. */
const wholeShares = 10n ** 18n

/**
 * Reads `decimals()` of the tokens and price feeds of a mandate. A contract that does not answer is omitted,
 * and `requireScales` then refuses the mandate.
 *
 * @example
 * requireScales(terms.mandate, await readDecimals(client, terms.mandate.assets))
 */
export async function readDecimals(
  client: Pick<PublicClient, 'readContract'>,
  assets: readonly Pick<Asset, 'token' | 'feed'>[],
): Promise<ReadDecimals> {
  const [tokens, feeds] = await Promise.all([
    decimalsOf(assets.map(({ token }) => token)),
    decimalsOf(assets.map(({ feed }) => feed)),
  ])
  return {
    token: (address) => tokens.get(address.toLowerCase()),
    feed: (address) => feeds.get(address.toLowerCase()),
  }

  async function decimalsOf(contracts: readonly Address[]): Promise<ReadonlyMap<string, number>> {
    const addresses = contracts.filter((address) => address !== zeroAddress)
    const answers = await Promise.all(
      addresses.map((address) =>
        client.readContract({ address, abi: feedAbi, functionName: 'decimals' }).catch(() => undefined),
      ),
    )
    return new Map(
      addresses.flatMap((address, index) => {
        const decimals = answers[index]
        return decimals === undefined ? [] : [[address.toLowerCase(), decimals] as const]
      }),
    )
  }
}

/**
 * The default floor of each vault: its current rate, less 1 %. A vault without shares has no rate and gets no
 * floor.
 *
 * @param shareBps - the share of the rate that the strategy states. Default: 99 %
 *
 * @example
 * toCageTerms(plan, book, { ...subject, floors: await readFloors(client, vaults) })
 */
export async function readFloors(
  client: Pick<PublicClient, 'readContract'>,
  vaults: readonly Address[],
  shareBps?: number,
): Promise<readonly VaultFloor[]> {
  const floors = await Promise.all(
    vaults.map(async (address): Promise<readonly VaultFloor[]> => {
      const supply = await client.readContract({ address, abi: erc20Abi, functionName: 'totalSupply' })
      if (supply === 0n) return []
      const rate = await client.readContract({
        address,
        abi: erc4626Abi,
        functionName: 'convertToAssets',
        args: [wholeShares],
      })
      return [
        shareBps === undefined ? defaultFloor(address, rate) : defaultFloor(address, rate, BigInt(shareBps)),
      ]
    }),
  )
  return floors.flat()
}

/** The vaults among the contracts that a Cage allows as targets. */
export function vaultsIn({ mandate }: Pick<CageTerms, 'mandate'>): readonly Address[] {
  return mandate.targets.filter(({ kind }) => kind === targetKinds.vault).map(({ address }) => address)
}
