import { holdsSecret } from '../config/holdsSecret.ts'

/** A longer text is cut. Bardo's own sentences are much shorter. */
export const longestText = 2_000

const redacted = '[redacted: it contained a secret]'
// Terminal escape sequences: CSI, OSC with its terminator, and two-character ones.
const escapes = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '(?:\\u001b\\]|\\u009d)[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'g',
)
// Other control characters, invisible characters, direction overrides and lone surrogates.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu

/**
 * Cleans a text that may come from outside (a model's reason, a token's name, an error of a provider or a
 * node) for storage
 * and display: removes control, escape and invisible characters, limits the length, and redacts the whole
 * text if it
 * contains a secret of this process in any common encoding.
 *
 * @example
 * cleanText('calm \u001b[31mred') // 'calm red'
 */
export function cleanText(text: string): string {
  const plain = text.replaceAll(escapes, '').replaceAll(invisible, ' ').trim()
  // Check before and after: an escape sequence inside a secret could hide it, or be part of it.
  if (holdsSecret(text) || holdsSecret(plain)) return redacted
  return plain.length <= longestText ? plain : `${plain.slice(0, longestText - 1)}…`
}
