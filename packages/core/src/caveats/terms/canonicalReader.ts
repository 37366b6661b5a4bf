import type { Address, Hex } from 'viem'

/** The error for malformed bytes. */
export type Malformed = (message: string, details: readonly string[]) => Error

/**
 * Reads ABI-encoded bytes from front to back and accepts only the canonical layout.
 *
 * Offsets that jump could make a small input expand without limit; here each must point to the current
 * position.
 */
export function createCanonicalReader(bytes: Hex, what: string, malformed: Malformed) {
  const total = (bytes.length - 2) / 2
  let at = 0

  function word(): string {
    if (at + 32 > total) throw malformed(`The ${what} is too short.`, [`${total} bytes`])
    const digits = bytes.slice(2 + at * 2, 66 + at * 2)
    at += 32
    return digits
  }

  function number(items: string, most: number): number {
    const value = BigInt(`0x${word()}`)
    if (value > BigInt(most)) throw malformed(`Too many ${items}.`, [`${value}, at most ${most}`])
    return Number(value)
  }

  return {
    word: (): Hex => `0x${word()}`,
    uint: (): bigint => BigInt(`0x${word()}`),
    number,

    address(): Address {
      const digits = word()
      if (!digits.startsWith('0'.repeat(24)))
        throw malformed('An address has more than 20 bytes.', [`0x${digits}`])
      return `0x${digits.slice(24)}`
    },

    /** The current position. */
    position: () => at,

    /** Checks that an offset that was read before points to the current position. */
    arrive(base: number, offset: bigint): void {
      if (BigInt(at - base) === offset) return
      throw malformed(`The ${what} is not laid out canonically.`, [`offset ${offset} at byte ${at}`])
    },

    bytes(): Hex {
      const length = number('bytes', total)
      const padded = Math.ceil(length / 32) * 32
      if (at + padded > total) throw malformed(`The ${what} is too short.`, [`${total} bytes`])
      const digits = bytes.slice(2 + at * 2, 2 + (at + length) * 2)
      const padding = bytes.slice(2 + (at + length) * 2, 2 + (at + padded) * 2)
      if (/[^0]/.test(padding)) throw malformed(`The ${what} is not laid out canonically.`, ['dirty padding'])
      at += padded
      return `0x${digits}`
    },

    end(): void {
      if (at !== total) throw malformed(`The ${what} has trailing bytes.`, [`${total - at} bytes too many`])
    },
  }
}

export type CanonicalReader = ReturnType<typeof createCanonicalReader>
