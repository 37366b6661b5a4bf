import { readDecimals, readFloors, vaultsIn } from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  compileStrategy,
  type Delegation,
  prepareSignatures,
  rootAuthority,
  type SignatureParties,
  strategySalt,
  type Target,
  toCageTerms,
} from '@bardo/core'
import { compileBounds } from '@bardo/wallets'
import { type Address, type Hash, isAddressEqual, zeroHash } from 'viem'
import type { Summons } from './summons.ts'

/**
 * The delegation for the owner to sign, for a Golem's first key, from `now` on. Reads from the chain what no
 * enforcer can
 * check: the decimals of tokens and price feeds, and each vault's current rate. Throws if the plan cannot be
 * granted.
 */
export async function prepareRoot(
  summons: Summons,
  golem: Hash,
  firstKey: Address,
  now: bigint,
): Promise<Delegation> {
  const { client, owner } = summons
  const { assets, vaults } = contractsOf(planTerms(summons, golem, now))
  const [decimals, floors] = await Promise.all([readDecimals(client, assets), readFloors(client, vaults)])
  const facts = { decimals, identity: { owner, firstKey, salt: zeroHash } }
  return rootFor(summons, { golem, delegate: firstKey, now, floors, facts })
}

/** Throws if a strategy cannot be granted, before a key or an id exists. */
export function requireGrantable(summons: Summons, now: bigint): void {
  rootFor(summons, { golem: zeroHash, delegate: summons.deployment.contracts.golemVitals, now })
}

type Signing = Pick<SignatureParties, 'delegate' | 'now' | 'facts'> & {
  readonly golem: Hash
  readonly floors?: CageTerms['floors']
}

function rootFor(summons: Summons, { golem, delegate, now, floors, facts }: Signing): Delegation {
  const { strategy, account, deployment, book, graceSeconds, custody } = summons
  const salt = strategySalt(strategy, now)
  if (custody?.type !== 'localKey')
    return prepareSignatures(strategy, {
      chainId: deployment.chainId,
      now,
      book,
      subject: { golem, account, graceSeconds, floors },
      cageEnforcer: deployment.contracts.cageEnforcer,
      delegate,
      salt,
      runway: { to: account },
      facts,
    }).root
  const { plan, mandate } = planTerms(summons, golem, now)
  const { slippageBps, spreadBps } = plan
  const caveats = compileBounds(
    custody.bounds,
    { golem, account, now, assets: mandate.assets, known: mandate.targets, slippageBps, spreadBps },
    deployment,
  )
  requireAllowed(mandate.targets, custody.bounds.allowedTargets)
  return { delegate, delegator: account, authority: rootAuthority, caveats, salt, signature: '0x' }
}

function planTerms({ strategy, account, book, graceSeconds }: Summons, golem: Hash, now: bigint) {
  const { plan } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  const { mandate } = toCageTerms(plan, book, { golem, account, graceSeconds })
  return { plan, mandate }
}

function contractsOf(terms: Pick<CageTerms, 'mandate'>) {
  return { assets: terms.mandate.assets, vaults: vaultsIn(terms) }
}

/** A strategy that needs a contract outside the owner's limits would always be refused. */
function requireAllowed(needed: readonly Target[], allowed: readonly Address[]): void {
  const missing = needed.filter(({ address }) => !allowed.some((one) => isAddressEqual(one, address)))
  if (missing.length === 0) return
  throw new BardoError('The strategy needs contracts that the local key’s limits do not allow.', {
    code: 'CONFIG_INVALID',
    details: missing.map(({ address }) => address),
    remedy: 'Add them to allowed_targets, or change the strategy.',
    docsPath: 'golem.md#wallets',
  })
}
