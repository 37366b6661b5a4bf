import type { Address } from 'viem'
import type { ChainState, Read } from '../../caveats/caveatKind.ts'
import { addressWord } from '../../caveats/execution/digits.ts'
import { wordsIn } from '../../caveats/measure/used.ts'
import { type Mandate, targetKinds } from '../../caveats/terms/mandate.ts'
import { questions } from '../../caveats/verdict/questions.ts'

/** The shares of an account in a vault, and what they are worth. */
export type VaultShares = {
  /** The vault's asset, in lower case. */
  readonly asset: string
  readonly shares: bigint
  /** Base units of the asset for 10^18 base units of shares, rounded down. */
  readonly rate: bigint
}

/** The number of shares that a rate and a floor are stated for. */
export const sharesOfRate = 10n ** 18n
const rateWord = sharesOfRate.toString(16).padStart(64, '0')

/**
 * The reads of an account's shares in the vaults of a mandate.
 *
 * @example
 * const state = await readState(client, deployment, shareReads(terms.mandate))
 */
export function shareReads(mandate: Mandate): readonly Read[] {
  return vaultsOf(mandate).flatMap((vault) => Object.values(readsOf(mandate.account, vault)))
}

/**
 * An account's shares by vault, in lower case. A vault that was not read, or does not answer, is omitted.
 *
 * @example
 * vaultShares(terms.mandate, state).get(vault.toLowerCase())?.shares // 100_000_000n
 */
export function vaultShares(mandate: Mandate, state: ChainState): ReadonlyMap<string, VaultShares> {
  return new Map(
    vaultsOf(mandate).flatMap((vault) => {
      const reads = readsOf(mandate.account, vault)
      const [[shares] = [], [rate] = [], [asset] = []] = [reads.shares, reads.rate, reads.asset].map((read) =>
        wordsIn(state, read, 1),
      )
      if (shares === undefined || rate === undefined || asset === undefined || asset >= 2n ** 160n) return []
      const token = `0x${asset.toString(16).padStart(40, '0')}`
      return [[vault.toLowerCase(), { asset: token, shares, rate }] as const]
    }),
  )
}

function readsOf(account: Address, vault: Address) {
  return {
    shares: questions.balanceOf(vault, addressWord(account)),
    rate: questions.convertToAssets(vault, rateWord),
    asset: questions.asset(vault),
  }
}

function vaultsOf({ targets }: Mandate): readonly Address[] {
  return targets.filter(({ kind }) => kind === targetKinds.vault).map(({ address }) => address)
}
