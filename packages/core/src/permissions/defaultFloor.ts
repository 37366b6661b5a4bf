import type { Address } from 'viem'
import type { VaultFloor } from '../caveats/measure/floors.ts'
import { BardoError } from '../errors/BardoError.ts'
import { floorShareBps } from './planLimits.ts'

/**
 * The default floor of a vault: the rate at signing less 1 %, rounded down.
 *
 * @param shareBps - the share of the rate; another one if the strategy states it
 * @param assets - what the vault returns now for 10^18 base units of shares: `convertToAssets(10n ** 18n)`
 *
 * @example
 * toCageTerms(plan, book, { ...subject, floors: [defaultFloor(vault, rate)] })
 */
export function defaultFloor(vault: Address, assets: bigint, shareBps = floorShareBps): VaultFloor {
  const floor = (assets * shareBps) / 10_000n
  if (floor > 0n && floor < 2n ** 128n) return { vault, floor }
  throw new BardoError('The vault’s rate is out of range for a floor.', {
    code: 'INVALID_INPUT',
    details: [`${vault} returns ${assets} base units for 10^18 base units of shares`],
    remedy: 'Remove the vault from the strategy, or sign your own floor.',
    docsPath: 'caveats.md#cage',
  })
}
