import { isDisabled } from '@bardo/chain'
import { type Delegation, decodeContext, hashDelegation, isRoot } from '@bardo/core'
import { type Address, type Hash, isHex } from 'viem'
import { z } from 'zod'
import type { ChainConnection } from '../../context/findChain.ts'

const hex = z.templateLiteral(['0x', z.string()])
const delegationSchema = z.looseObject({
  delegate: hex,
  delegator: hex,
  authority: hex,
  caveats: z.array(z.looseObject({ enforcer: hex, terms: hex })),
  salt: z.coerce.bigint(),
  signature: hex,
})

/** Every signed delegation that was ever written to the store, also if it was deleted later. */
export type SignedDelegations = {
  /** Collects delegations from a written value. */
  hear(values: readonly unknown[]): void
  /** The delegations that the chain accepts from one of these keys and that were not reported before, as text. */
  standing(chain: ChainConnection, keys: readonly Address[]): Promise<readonly string[]>
}

/** An empty collection. */
export function collectDelegations(): SignedDelegations {
  const collected = new Map<Hash, Delegation>()
  const reported = new Set<Hash>()
  const add = (one: Delegation) => {
    if (one.signature !== '0x') collected.set(hashDelegation(one), one)
  }
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 8) return
    const delegation = delegationSchema.safeParse(value)
    if (delegation.success) {
      const { delegate, delegator, authority, caveats, salt, signature } = delegation.data
      const plain = caveats.map(({ enforcer, terms }) => ({ enforcer, terms, args: '0x' as const }))
      add({ delegate, delegator, authority, salt, signature, caveats: plain })
      return
    }
    for (const [key, part] of Object.entries(value)) {
      if (key === 'context' && isHex(part)) for (const link of decodeContext(part)) add(link)
      look(part, depth + 1)
    }
  }

  /** A link with all collected links above it. */
  function chainOf(link: Delegation): readonly Delegation[] {
    const above = collected.get(link.authority)
    return above ? [link, ...chainOf(above)] : [link]
  }

  return {
    hear(values) {
      for (const value of values) look(value, 0)
    },
    async standing(chain, keys) {
      const own = new Set(keys.map((key) => key.toLowerCase()))
      const theirs = [...collected].filter(([, { delegate }]) => own.has(delegate.toLowerCase()))
      const accepted = await Promise.all(
        theirs.map(async ([hash, link]) => {
          const off = await Promise.all(chainOf(link).map((one) => isDisabled(chain, one)))
          if (off.includes(true) || reported.has(hash)) return []
          reported.add(hash)
          return [
            `${hash} for ${link.delegate} from ${link.delegator}${isRoot(link) ? '' : ', below another'}`,
          ]
        }),
      )
      return accepted.flat()
    },
  }
}
