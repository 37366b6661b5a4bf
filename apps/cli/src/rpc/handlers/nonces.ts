import type { Address } from 'viem'
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
    for (const { id, name, owner } of golems) {
      for (const { address, status } of await store.sessionKeys.list(id))
        if (status === 'active') keys.set(address, `${printable(name)}’s key`)
      keys.set(owner, keys.get(owner) ?? `the owner of ${printable(name)}`)
    }
    return Promise.all(
      [...keys].map(async ([address, of]) => {
        const sender = { chainId: deployment.chainId, from: address }
        const [expected, [open], highest] = await Promise.all([
          client.getTransactionCount({ address }),
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
  },
})
