import type { Hex } from 'viem'
import { BardoError } from '../errors/BardoError.ts'

/**
 * The order of secp256k1. A signature with `s` above half of it is a second encoding of the same signature.
 */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const halfOrder = order >> 1n

/** Refuses signatures that no account of the framework accepts: missing, too short or malleable. */
export function checkSignature(signature: Hex, link: number): void {
  const length = (signature.length - 2) / 2
  if (length < 65) {
    throw refused(
      link,
      length === 0 ? 'is not signed' : 'has a signature that is too short',
      `${length} bytes`,
    )
  }
  // Longer signatures are for contract accounts, which have their own formats.
  if (length > 65) return
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  if (s > halfOrder) throw refused(link, 'has a malleable signature', 'its s is in the upper half')
  const v = Number.parseInt(signature.slice(130), 16)
  if (v !== 27 && v !== 28) throw refused(link, 'has a signature with a wrong recovery byte', `${v}`)
  const r = BigInt(signature.slice(0, 66))
  if (s === 0n || r === 0n) throw refused(link, 'has an empty signature', 'r or s is 0')
  if (r >= order) throw refused(link, 'has an invalid signature', 'its r is not below the order')
}

function refused(link: number, what: string, detail: string): BardoError {
  return new BardoError(`Link ${link} ${what}.`, {
    code: 'SIGNATURE_MALFORMED',
    details: [detail],
    remedy: 'Ask the delegator of this link to sign it again.',
    docsPath: 'delegations.md#permission-contexts',
  })
}
