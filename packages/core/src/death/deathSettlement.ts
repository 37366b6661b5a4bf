import type { Hash } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { CustodyMode } from '../onboarding/custodyMode.ts'

/** A position that was closed to the owner's account. */
export type SettledPosition = {
  readonly id: string
  readonly recoveredCents: bigint
  readonly transaction: Hash
}

/** A position that could not be closed, and why. */
export type DeferredPosition = { readonly id: string; readonly reason: string }

/** Why a delegation ended. */
export type ExpiryCause = 'naturalExpiry' | 'ownerRevocation' | 'callLimitReached'

/** The settlement of a Golem's funds at its death. Only the `exhausted` type contains another settlement. */
export type DeathSettlement = InnerSettlement | EconomicExhaustion

/** By custody mode: nothing to sweep, or a wallet to sweep. */
export type InnerSettlement =
  | {
      readonly type: 'delegationExpiry'
      readonly delegationHash: Hash
      readonly cause: ExpiryCause
      readonly settled: readonly SettledPosition[]
      /** Positions left open in the owner's account, which the owner can close. */
      readonly open: readonly DeferredPosition[]
    }
  | {
      readonly type: 'sweep'
      readonly walletId: string
      readonly manifest: SweepManifest
      readonly settled: readonly SettledPosition[]
      readonly deferred: readonly DeferredPosition[]
    }

/** What an owner needs to recover the rest. */
export type SweepManifest = {
  readonly sweepTo: string
  readonly recoveredCents: bigint
  readonly positions: readonly string[]
}

/** Death by exhausted funds: earnings, spending, and the settlement of its custody mode. */
export type EconomicExhaustion = {
  readonly type: 'economicExhaustion'
  readonly finalSustainabilityRatio: number
  readonly lifetimeRevenueCents: bigint
  readonly lifetimeInferenceCents: bigint
  readonly inner: InnerSettlement
}

/** The facts at death. */
export type Estate = {
  readonly settled: readonly SettledPosition[]
  readonly deferred: readonly DeferredPosition[]
  /** For a Golem with delegation or local-key custody. */
  readonly delegation?: { readonly hash: Hash; readonly cause: ExpiryCause }
  /** For an embedded wallet: the wallet, and the owner's account that receives the rest. */
  readonly wallet?: { readonly id: string; readonly owner: string; readonly cladeTreasury?: string }
  /** Set if the economic clock ran out. */
  readonly exhaustion?: Omit<EconomicExhaustion, 'type' | 'inner'>
}

/**
 * The settlement of a Golem's death, by its custody mode.
 *
 * @example
 * settleDeath('delegation', { settled: [], deferred: [], delegation: { hash, cause: 'naturalExpiry' } }).type
 * // 'delegationExpiry'
 */
export function settleDeath(mode: CustodyMode, estate: Estate): DeathSettlement {
  const inner = mode === 'embedded' ? sweep(estate) : expiry(estate)
  return estate.exhaustion ? { type: 'economicExhaustion', ...estate.exhaustion, inner } : inner
}

function expiry({ delegation, settled, deferred }: Estate): InnerSettlement {
  if (!delegation) throw incomplete('the ended delegation')
  return {
    type: 'delegationExpiry',
    delegationHash: delegation.hash,
    cause: delegation.cause,
    settled,
    open: deferred,
  }
}

function sweep({ wallet, settled, deferred }: Estate): InnerSettlement {
  if (!wallet) throw incomplete('the wallet to sweep')
  const manifest: SweepManifest = {
    // Dust goes to the owner, or to a clade's treasury if the owner set one.
    sweepTo: wallet.cladeTreasury ?? wallet.owner,
    recoveredCents: settled.reduce((sum, { recoveredCents }) => sum + recoveredCents, 0n),
    positions: deferred.map(({ id }) => id),
  }
  return { type: 'sweep', walletId: wallet.id, manifest, settled, deferred }
}

/**
 * Whether the owner has work left: never if the funds stayed in the owner's account.
 *
 * @example
 * if (ownerMustAct(settlement)) console.log('Close the open positions.')
 */
export function ownerMustAct(settlement: DeathSettlement): boolean {
  const inner = settlement.type === 'economicExhaustion' ? settlement.inner : settlement
  return inner.type === 'sweep' && inner.deferred.length > 0
}

function incomplete(what: string) {
  return new BardoError(`A settlement needs ${what}.`, { code: 'INVALID_INPUT' })
}
