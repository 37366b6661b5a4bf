import { compileStrategy, type Delegation, prepareSignatures, rootAuthority, toCageTerms } from '@bardo/core'
import { compileBounds } from '@bardo/wallets'
import { type Address, type Hash, hexToBigInt, keccak256, stringToHex } from 'viem'
import { boundPlan } from './boundPlan.ts'
import type { Summons } from './summons.ts'

/** What the owner is asked to sign, for a key that acts for a Golem from `now` on. A plan that cannot be granted throws. */
export function prepareRoot(summons: Summons, golem: Hash, delegate: Address, now: bigint): Delegation {
  const { strategy, account, deployment, book, graceSeconds, custody } = summons
  const subject = { golem, account, graceSeconds }
  if (custody?.is !== 'localKey')
    return prepareSignatures(strategy, {
      chainId: deployment.chainId,
      now,
      book,
      subject,
      cageEnforcer: deployment.contracts.cageEnforcer,
      delegate,
      salt: now,
      runway: { to: account },
    }).root
  const { plan } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  const { mandate } = toCageTerms(plan, book, subject)
  const caveats = compileBounds(
    custody.bounds,
    { golem, account, now, assets: mandate.assets, known: mandate.targets },
    deployment,
  )
  const { allowedTargets, expiresAt, maxDailySpendCents, maxTotalCalls } = custody.bounds
  boundPlan(plan, book, {
    targets: allowedTargets,
    end: expiresAt,
    dayCents: maxDailySpendCents,
    calls: maxTotalCalls,
  })
  const salt = strategySalt(strategy)
  return { delegate, delegator: account, authority: rootAuthority, caveats, salt, signature: '0x' }
}

/** Four bounds say nothing of a strategy; the salt does, and is signed with them. */
export function strategySalt(strategy: string): bigint {
  return hexToBigInt(keccak256(stringToHex(strategy)))
}
