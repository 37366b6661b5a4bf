import { readDecimals } from '@bardo/chain'
import {
  BardoError,
  type BoundKind,
  compileStrategy,
  type Delegation,
  dailySpendLimit,
  type Mandate,
  maxSlippage,
  metamaskKinds,
  mortalityTimeWindow,
  readTerms,
  requireNoIdentityTarget,
  requireScales,
  rootAuthority,
  toCageTerms,
} from '@bardo/core'
import { compileBounds } from '@bardo/wallets'
import { type Address, isAddressEqual } from 'viem'
import { requireNoCoSigners } from '../council/requireNoCoSigners.ts'
import type { GolemParts } from '../permission/golemParts.ts'

type Context = Pick<GolemParts, 'id' | 'client' | 'deployment' | 'book'>

/** The slippage and the spread of a root of release 0.1, which has no such caveat: the compiler's defaults. */
const defaults = { slippageBps: 100, spreadBps: 100 }

/**
 * The next root of a local key: the limits of the signed one, for another period of the same length from now
 * on. Another strategy may use other tokens, but no contract that the owner did not allow. The number of calls
 * starts again, because MetaMask's enforcer counts by delegation: the old root is disabled first.
 */
export async function localKeyRoot(
  { id, client, deployment, book }: Context,
  old: Delegation,
  {
    delegate,
    salt,
    now,
    strategy,
  }: {
    readonly delegate: Address
    readonly salt: bigint
    readonly now: bigint
    /** The new strategy; undefined to renew what was signed. */
    readonly strategy: string | undefined
  },
): Promise<Delegation> {
  const termsOf = <Terms>(kind: BoundKind<Terms>): Terms | undefined =>
    old.caveats.flatMap((caveat) => readTerms(deployment, kind, caveat) ?? [])[0]
  const limit = termsOf(dailySpendLimit)
  const window = termsOf(mortalityTimeWindow)
  const calls = termsOf(metamaskKinds.LimitedCalls)
  if (!limit || !window || !calls)
    throw new BardoError('The root of the local key does not have its four limits.', {
      code: 'STORE_CORRUPT',
    })
  const mandate = strategy === undefined ? limit.mandate : mandateOf(strategy, limit.mandate)
  const { assets, targets: known } = mandate
  requireNoIdentityTarget(mandate, deployment.chainId)
  requireScales(mandate, await readDecimals(client, assets))
  const { slippageBps, spreadBps } = termsOf(maxSlippage) ?? defaults
  const bounds = {
    maxDailySpendCents: limit.limitCents,
    maxTotalCalls: Number(calls.limit),
    expiresAt: now + BigInt(window.end - window.start),
    allowedTargets: known.map(({ address }) => address),
  }
  const { account } = limit.mandate
  const subject = { golem: id, account, now, assets, known, slippageBps, spreadBps }
  const caveats = compileBounds(bounds, subject, deployment)
  return { delegate, delegator: old.delegator, authority: rootAuthority, caveats, salt, signature: '0x' }

  function mandateOf(text: string, { account: of, targets: allowed }: Mandate): Mandate {
    const { plan, ambiguities } = compileStrategy(text, { now, symbols: [...book.assets.keys()] })
    if (plan.classes.length === 0)
      throw new BardoError('The strategy contains nothing that can be granted.', {
        code: 'INVALID_INPUT',
        details: ambiguities.slice(0, 5).map(({ line, question }) => `line ${line}: ${question}`),
        docsPath: 'permissions.md#the-strategy',
      })
    requireNoCoSigners(plan)
    const next = toCageTerms(plan, book, { golem: id, account: of, graceSeconds: 0 }).mandate
    const beyond = next.targets.filter(
      ({ address }) => !allowed.some((target) => isAddressEqual(target.address, address)),
    )
    if (beyond.length === 0) return next
    throw new BardoError('The strategy needs contracts that the local key’s limits do not allow.', {
      code: 'ACTION_NOT_ALLOWED',
      details: beyond.map(({ address }) => address),
      remedy: 'Change the strategy, or summon another Golem with these contracts in allowed_targets.',
      docsPath: 'golem.md#wallets',
    })
  }
}
