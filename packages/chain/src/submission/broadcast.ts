import { BaseError, type Hex, type PublicClient } from 'viem'

/**
 * What a node said to a signed transaction. `silent` is no answer, or one that is not understood: the transaction may
 * be on its way.
 */
export type Reception =
  | { readonly kind: 'taken' }
  | { readonly kind: 'nonce-used' }
  | { readonly kind: 'underpriced' }
  | { readonly kind: 'unfunded'; readonly cause: unknown }
  | { readonly kind: 'silent'; readonly cause: unknown }

// The words of geth, reth, erigon, nethermind, besu and anvil. JSON-RPC has no codes for these.
const sayings: readonly (readonly [RegExp, Exclude<Reception['kind'], 'silent' | 'unfunded'>])[] = [
  [/already known|already imported|known transaction|already in (the )?(pool|mempool)/i, 'taken'],
  [/nonce (is )?too low|nonce.*lower than|already been (used|mined)|old ?nonce/i, 'nonce-used'],
  [/underpriced|less than (the )?block base fee|fee ?too ?low|gas price.*too low/i, 'underpriced'],
]

/** Hands a signed transaction to the node. Never throws: whatever happens, it may have been taken. */
export async function broadcast(client: PublicClient, raw: Hex): Promise<Reception> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return { kind: 'taken' }
  } catch (cause) {
    const said = wordsOf(cause)
    if (/insufficient funds/i.test(said)) return { kind: 'unfunded', cause }
    const known = sayings.find(([pattern]) => pattern.test(said))
    return known ? { kind: known[1] } : { kind: 'silent', cause }
  }
}

/** The node's own words, without the request: viem's messages repeat what was sent. */
export function wordsOf(error: unknown): string {
  const words: string[] = []
  let current = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    words.push(current instanceof BaseError ? `${current.shortMessage} ${current.details}` : current.message)
    current = current.cause
  }
  return words.join('\n')
}
