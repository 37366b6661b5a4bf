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

/** How a Golem's money stands at its death. Only an exhausted Golem's holds another one. */
export type DeathSettlement = InnerSettlement | EconomicExhaustion

/** By custody mode: nothing to sweep, or a wallet to sweep. */
export type InnerSettlement =
  | {
      readonly is: 'delegationExpiry'
      readonly delegationHash: Hash
      readonly cause: ExpiryCause
      readonly settled: readonly SettledPosition[]
      /** Left as they are: in the owner's account, which can close them itself. */
      readonly open: readonly DeferredPosition[]
    }
  | {
      readonly is: 'sweep'
      readonly walletId: string
      readonly manifest: SweepManifest
      readonly settled: readonly SettledPosition[]
      readonly deferred: readonly DeferredPosition[]
    }

/** What an owner needs to fetch the rest. */
export type SweepManifest = {
  readonly sweepTo: string
  readonly recoveredCents: bigint
  readonly positions: readonly string[]
}

/** Death because the money ran out: what it earned and spent, and the settlement that its custody asks for. */
export type EconomicExhaustion = {
  readonly is: 'economicExhaustion'
  readonly finalSustainabilityRatio: number
  readonly lifetimeRevenueCents: bigint
  readonly lifetimeInferenceCents: bigint
  readonly inner: InnerSettlement
}

/** What is known at death. */
export type Estate = {
  readonly settled: readonly SettledPosition[]
  readonly deferred: readonly DeferredPosition[]
  /** Of a Golem that lived by delegation or with a local key. */
  readonly delegation?: { readonly hash: Hash; readonly cause: ExpiryCause }
  /** Of an embedded one: the wallet, and the owner's account that gets the rest. */
  readonly wallet?: { readonly id: string; readonly owner: string; readonly cladeTreasury?: string }
  /** Set where the economic clock ran out. */
  readonly exhaustion?: Omit<EconomicExhaustion, 'is' | 'inner'>
}

/** The settlement of a Golem's death, by its custody mode. */
export function settleDeath(mode: CustodyMode, estate: Estate): DeathSettlement {
  const inner = mode === 'embedded' ? sweep(estate) : expiry(estate)
  return estate.exhaustion ? { is: 'economicExhaustion', ...estate.exhaustion, inner } : inner
}

function expiry({ delegation, settled, deferred }: Estate): InnerSettlement {
  if (!delegation) throw incomplete('the delegation that ended')
  return {
    is: 'delegationExpiry',
    delegationHash: delegation.hash,
    cause: delegation.cause,
    settled,
    open: deferred,
  }
}

function sweep({ wallet, settled, deferred }: Estate): InnerSettlement {
  if (!wallet) throw incomplete('the wallet to sweep')
  const manifest: SweepManifest = {
    // Dust goes to the owner, and to a clade's treasury only where the owner set one: DESIGN §5a.
    sweepTo: wallet.cladeTreasury ?? wallet.owner,
    recoveredCents: settled.reduce((sum, { recoveredCents }) => sum + recoveredCents, 0n),
    positions: deferred.map(({ id }) => id),
  }
  return { is: 'sweep', walletId: wallet.id, manifest, settled, deferred }
}

/** What an owner has left to do: nothing where funds never left their account. */
export function ownerMustAct(settlement: DeathSettlement): boolean {
  const inner = settlement.is === 'economicExhaustion' ? settlement.inner : settlement
  return inner.is === 'sweep' && inner.deferred.length > 0
}

function incomplete(what: string) {
  return new BardoError(`A settlement needs ${what}.`, { code: 'INVALID_INPUT' })
}
