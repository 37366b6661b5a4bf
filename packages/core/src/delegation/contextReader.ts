import type { Address, Hex } from 'viem'
import { malformed } from './malformed.ts'

/**
 * Walks ABI-encoded bytes from front to back and insists on the one canonical layout.
 *
 * Offsets that jump could make a small input expand without end; here each must point at where reading has come to.
 */
export function createContextReader(bytes: Hex) {
  const total = (bytes.length - 2) / 2
  let at = 0

  function word(): string {
    if (at + 32 > total) throw malformed('The context ends too early.', [`${total} bytes`])
    const digits = bytes.slice(2 + at * 2, 66 + at * 2)
    at += 32
    return digits
  }

  function number(what: string, most: number): number {
    const value = BigInt(`0x${word()}`)
    if (value > BigInt(most)) throw malformed(`Too many ${what}.`, [`${value}, at most ${most}`])
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

    /** Where reading has come to. */
    position: () => at,

    /** An offset that was read before, which has to lead exactly here. */
    arrive(base: number, offset: bigint): void {
      if (BigInt(at - base) === offset) return
      throw malformed('The context is not laid out canonically.', [`offset ${offset} at byte ${at}`])
    },

    bytes(): Hex {
      const length = number('bytes', total)
      const padded = Math.ceil(length / 32) * 32
      if (at + padded > total) throw malformed('The context ends too early.', [`${total} bytes`])
      const digits = bytes.slice(2 + at * 2, 2 + (at + length) * 2)
      const padding = bytes.slice(2 + (at + length) * 2, 2 + (at + padded) * 2)
      if (/[^0]/.test(padding)) throw malformed('The context is not laid out canonically.', ['dirty padding'])
      at += padded
      return `0x${digits}`
    },

    end(): void {
      if (at !== total)
        throw malformed('The context goes on after its end.', [`${total - at} bytes too many`])
    },
  }
}

export type ContextReader = ReturnType<typeof createContextReader>
