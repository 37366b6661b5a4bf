import { type Delegation, encodeRedemption, hashDelegation } from '@bardo/core'
import { encodeFunctionData, erc20Abi, isAddressEqual } from 'viem'
import { count, type Ledger } from './ledger.ts'
import type { BooksWorld } from './openBooksWorld.ts'
import type { Facts } from './readFacts.ts'

/**
 * The chain must accept at most one root of a living Golem, the current one, and none of a Golem that the owner ended. No
 * accepted root may name a key that the owner suspected.
 */
export async function checkRoots(
  here: BooksWorld,
  ledger: Ledger,
  all: readonly Facts[],
): Promise<readonly string[]> {
  const problems = await Promise.all(all.map((facts) => rootsOf(here, ledger, facts)))
  return problems.flat()
}

async function rootsOf(here: BooksWorld, ledger: Ledger, facts: Facts): Promise<readonly string[]> {
  const { subject, links, roots, status } = facts
  const current = links.at(-1)
  const currentHash = current && hashDelegation(current)
  const isEnded = subject.isKilled || subject.isRevoked
  const problems: string[] = []
  for (const { root, hash, isDisabled } of roots) {
    const isSuspected = [...subject.suspected].some((key) => isAddressEqual(key, root.delegate))
    const mayStand = hash === currentHash && !isEnded && !isSuspected
    if (mayStand) {
      // Proves that the check below can succeed: the current root is redeemable.
      if (status === 'alive' && (await isRedeemable(here, root))) count(ledger, 'current root, redeemable')
      continue
    }
    const label = `the root ${hash.slice(0, 10)} of ${subject.name}, for ${root.delegate}`
    if (!isDisabled && (isEnded || isSuspected || status !== 'dead')) problems.push(`${label} is active`)
    if (await isRedeemable(here, root)) problems.push(`${label} can be redeemed`)
  }
  return problems
}

/** Whether the chain would let the delegate redeem a root now. */
async function isRedeemable({ world, context }: BooksWorld, root: Delegation): Promise<boolean> {
  const { usdc, swapRouter02 } = world.addresses
  const args = [swapRouter02, 0n] as const
  const data = encodeRedemption([
    {
      links: [root],
      calls: [{ to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) }],
    },
  ])
  const to = context.chain.deployment.framework.DelegationManager
  return world.client.call({ account: root.delegate, to, data }).then(
    () => true,
    () => false,
  )
}
