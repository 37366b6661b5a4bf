import { actsByAccount } from '@bardo/wallets'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { everyGolem } from '../everyGolem.ts'
import { defineTask } from '../task.ts'

/** The nonces of every key that sends for a living Golem: the chain's next nonce, and those in the journal. */
export const nonces = defineTask({
  input: z.strictObject({}),
  async run({ store, chain: { client, deployment } }) {
    const golems = (await everyGolem(store)).filter(({ status }) => status !== 'dead')
    const keys = new Map<Address, string>()
    const accounts = new Set<Address>()
    for (const { id, name, owner } of golems) {
      for (const key of await store.sessionKeys.list(id)) {
        if (key.status !== 'active') continue
        keys.set(key.address, `${printable(name)}’s ${actsByAccount(key) ? 'session account' : 'key'}`)
        if (actsByAccount(key)) accounts.add(key.address)
      }
      keys.set(owner, keys.get(owner) ?? `the owner of ${printable(name)}`)
    }
    return Promise.all(
      [...keys].map(async ([address, of]) => {
        const sender = { chainId: deployment.chainId, from: address }
        const [expected, [open], highest] = await Promise.all([
          accounts.has(address) ? operationNonce(address) : client.getTransactionCount({ address }),
          store.journal.open(sender),
          store.journal.highestNonce(sender),
        ])
        return {
          of,
          address,
          /** The nonce that the chain expects next. */
          expected,
          lowestOpen: open?.nonce ?? null,
          highest: highest ?? null,
        }
      }),
    )

    /** The EntryPoint counts an account's operations, under key 0. */
    async function operationNonce(account: Address): Promise<number> {
      const args = [account, 0n] as const
      const entryPoint = deployment.framework.EntryPoint
      return Number(
        await client.readContract({
          address: entryPoint,
          abi: entryPoint07Abi,
          functionName: 'getNonce',
          args,
        }),
      )
    }
  },
})
