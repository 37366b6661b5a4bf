import { BardoError } from '@bardo/core'
import { formatEther, formatGwei } from 'viem'

/** The least gas that a key needs: about four redemptions of 250,000 gas. */
const leastGas = 1_000_000n

/** The gas of one Golem's key. */
export type GasOfKey = { readonly name: string; readonly address: string; readonly wei: bigint }

/** Checks that every key can pay at the current gas price. Throws if one cannot. */
export function checkGas(keys: readonly GasOfKey[], price: bigint): string {
  const least = leastGas * price
  const at = `at ${formatGwei(price)} gwei`
  const poor = keys.filter(({ wei }) => wei < least)
  if (poor.length > 0)
    throw new BardoError(`${poor.length} of ${keys.length} keys have too little ETH for gas ${at}.`, {
      code: 'INSUFFICIENT_FUNDS',
      details: poor.map(({ name, address, wei }) => `${name} (${address}) has ${formatEther(wei)} ETH.`),
      remedy: `Send at least ${formatEther(least)} ETH to each of them.`,
    })
  if (keys.length === 0) return `no Golem is alive; gas is ${at}`
  return `enough for ${keys.length === 1 ? 'one key' : `${keys.length} keys`} ${at}`
}

/** The nonces of one key. */
export type NoncesOfKey = {
  readonly of: string
  readonly address: string
  readonly expected: number
  readonly lowestOpen: number | null
  readonly highest: number | null
}

/** Checks that no nonce is missing below the lowest open nonce of a key. Throws if there is a gap. */
export function checkNonces(keys: readonly NoncesOfKey[]): string {
  const jammed = keys.flatMap((key) => {
    const needed = key.lowestOpen ?? (key.highest === null ? 0 : key.highest + 1)
    return key.expected < needed ? [{ ...key, needed }] : []
  })
  if (jammed.length > 0)
    throw new BardoError('A key has a nonce gap: its transactions are stuck.', {
      code: 'OUTCOME_UNKNOWN',
      details: jammed.map(({ of, address, expected, needed, lowestOpen }) => {
        const next = lowestOpen === null ? 'the journal’s next nonce is' : 'its lowest open nonce is'
        return `${of} (${address}): the chain expects nonce ${expected}, ${next} ${needed}.`
      }),
      remedy:
        'The key’s next transaction closes the gap: Bardo resends the stored transactions, or sends self-transfers. If the gap stays for more than a few minutes, use another node with --rpc.',
      docsPath: 'operators.md#a-jammed-key',
    })
  const open = keys.filter(({ lowestOpen }) => lowestOpen !== null).length
  return `no gaps, ${open === 0 ? 'no key has' : open === 1 ? 'one key has' : `${open} keys have`} open transactions`
}
