import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { plainAddress } from '../caveats/execution/digits.ts'
import { celo } from '../caveats/measure/flows.ts'
import { isAtPar } from '../caveats/measure/prices.ts'
import { type Asset, assetOf, type Mandate, plainMandate } from '../caveats/terms/mandate.ts'
import { deploymentOn } from '../deployments/deployment.ts'
import { BardoError } from '../errors/BardoError.ts'
import { type GolemIdentity, golemIdOf } from '../typedData/golemIdOf.ts'

/** The `decimals()` of tokens and feeds; undefined if not read. */
export type ReadDecimals = {
  token(address: Address): number | undefined
  feed(address: Address): number | undefined
}

/** The chain facts at signing. */
export type SigningFacts = {
  readonly chainId: number
  readonly decimals: ReadDecimals
  readonly identity: GolemIdentity
}

const nativeDecimals = 18
const parDecimals = 8

/**
 * Refuses terms that an owner must not sign and that no enforcer can check: another owner's Golem, a scale
 * that does not match token and feed, or two addresses of one balance.
 *
 * @example
 * requireSignable(terms, { chainId, decimals, identity: { owner, firstKey: sessionKey, salt: zeroHash } })
 */
export function requireSignable(
  { golem, mandate }: Pick<CageTerms, 'golem' | 'mandate'>,
  { chainId, decimals, identity }: SigningFacts,
): void {
  requireOwnGolem(golem, identity)
  requireScales(mandate, decimals)
  requireSeparateBalances(mandate, chainId)
}

/**
 * Refuses an id that is not derived from this owner and key: the owner of its row could reset its phase
 * alone.
 */
function requireOwnGolem(golem: Hex, identity: GolemIdentity): void {
  const own = golemIdOf(identity)
  if (own === golem.toLowerCase()) return
  throw new BardoError('The Golem in these terms does not belong to the owner who signs.', {
    code: 'INVALID_INPUT',
    details: [
      `the terms name ${golem}`,
      `owner ${identity.owner} and first key ${identity.firstKey} give ${own}`,
    ],
    remedy: 'Do not sign. Prepare the terms again from the owner, the first key and the salt.',
    docsPath: 'permissions.md#what-is-signed',
  })
}

/**
 * Refuses a scale that is not the sum of the decimals: a larger scale makes every amount look small to the
 * limits.
 *
 * @example
 * requireScales(terms.mandate, { token: () => 6, feed: () => 8 })
 */
export function requireScales({ assets }: Mandate, decimals: ReadDecimals): void {
  const wrong = assets.flatMap((asset) => {
    const expected = scaleOf(asset, decimals)
    if (expected === asset.scale) return []
    return expected === undefined
      ? [`${asset.token}: the decimals of the token or of its feed ${asset.feed} were not read`]
      : [`${asset.token}: scale ${asset.scale}, expected ${expected}`]
  })
  if (wrong.length === 0) return
  throw new BardoError('The price scale of an asset does not match its token and feed.', {
    code: 'INVALID_INPUT',
    details: wrong,
    remedy:
      'Do not sign. The scale is the decimals of the token plus the decimals of the feed, or plus 8 for a token at par.',
    docsPath: 'caveats.md#the-mandate',
  })
}

function scaleOf(asset: Asset, decimals: ReadDecimals): number | undefined {
  const token = isAddressEqual(asset.token, zeroAddress) ? nativeDecimals : decimals.token(asset.token)
  const feed = isAtPar({ ...asset, feed: plainAddress(asset.feed) }) ? parDecimals : decimals.feed(asset.feed)
  return token === undefined || feed === undefined ? undefined : token + feed
}

/**
 * Refuses two assets that are known to be one balance: its inflow would count twice.
 *
 * @example
 * requireSeparateBalances(terms.mandate, 8453)
 */
export function requireSeparateBalances(mandate: Mandate, chainId: number): void {
  const plain = plainMandate(mandate)
  const twice = plain.assets.find(({ token }, place) => assetOf(plain, token) !== place)?.token
  const isTwin =
    chainId === celo.chainId && assetOf(plain, zeroAddress) !== -1 && assetOf(plain, celo.token) !== -1
  if (twice === undefined && !isTwin) return
  throw new BardoError('Two assets of the mandate share one balance.', {
    code: 'INVALID_INPUT',
    details: [
      twice === undefined
        ? `on Celo the native currency (${zeroAddress}) is the token ${celo.token}`
        : `${twice} is listed twice`,
    ],
    remedy: 'Keep one of the two entries.',
    docsPath: 'caveats.md#the-mandate',
  })
}

/**
 * Refuses a mandate that names the identity registry or its guardian contract. The account has power over both: as a
 * target, a method there could give the Golem's identity away.
 *
 * @example
 * requireNoIdentityTarget(terms.mandate, 8453)
 */
export function requireNoIdentityTarget({ targets, assets, payees }: Mandate, chainId: number): void {
  const { identityRegistry, identityGuardian } = deploymentOn(chainId).contracts
  const named = [...targets.map(({ address }) => address), ...assets.map(({ token }) => token), ...payees]
  const wrong = named.filter(
    (address) => isAddressEqual(address, identityRegistry) || isAddressEqual(address, identityGuardian),
  )
  if (wrong.length === 0) return
  throw new BardoError('The identity registry and its guardian are never part of a permission.', {
    code: 'INVALID_INPUT',
    details: wrong,
    remedy: 'Do not sign. Remove these addresses from the address book.',
    docsPath: 'identity.md#what-a-thief-can-do',
  })
}
