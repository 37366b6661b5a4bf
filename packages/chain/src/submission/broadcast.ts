import { BaseError, type Hex, type PublicClient } from 'viem'

/**
 * A node's response to a signed transaction. `silent` means no response, or an unknown one: the transaction
 * may be pending.
 */
export type Reception =
  | { readonly kind: 'taken' }
  | { readonly kind: 'nonce-used' }
  | { readonly kind: 'underpriced' }
  | { readonly kind: 'unfunded'; readonly cause: unknown }
  | { readonly kind: 'silent'; readonly cause: unknown }

// Error texts of geth, reth, erigon, nethermind, besu and anvil. JSON-RPC has no codes for these.
const nodeErrorPatterns: readonly (readonly [RegExp, Exclude<Reception['kind'], 'silent' | 'unfunded'>])[] = [
  [/already known|already imported|known transaction|already in (the )?(pool|mempool)/i, 'taken'],
  [/nonce (is )?too low|nonce.*lower than|already been (used|mined)|old ?nonce/i, 'nonce-used'],
  [/underpriced|less than (the )?block base fee|fee ?too ?low|gas price.*too low/i, 'underpriced'],
]

/** Broadcasts a signed transaction. Never throws: after any failure, the node may still have accepted it. */
export async function broadcast(client: PublicClient, raw: Hex): Promise<Reception> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return { kind: 'taken' }
  } catch (cause) {
    const message = errorTextOf(cause)
    if (/insufficient funds/i.test(message)) return { kind: 'unfunded', cause }
    const match = nodeErrorPatterns.find(([pattern]) => pattern.test(message))
    return match ? { kind: match[1] } : { kind: 'silent', cause }
  }
}

/** The node's own error text, without the request: viem's messages repeat what was sent. */
export function errorTextOf(error: unknown): string {
  const words: string[] = []
  let current = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    words.push(current instanceof BaseError ? `${current.shortMessage} ${current.details}` : current.message)
    current = current.cause
  }
  return words.join('\n')
}
