import { describe, expect, it } from 'vitest'
import { secret } from '../config/secret.ts'
import { cleanText, longestText } from './cleanText.ts'
import { eventToJson } from './eventToJson.ts'

const key = 'sk-Canary_0123456789+/abcdef'
secret(key)
const header = `Bearer ${key}`
const escaped = (text: string, one: (code: string) => string) =>
  [...text].map((letter) => one(letter.charCodeAt(0).toString(16).padStart(2, '0'))).join('')

describe('cleanText', () => {
  it.each([
    ['as it is', header],
    ['in capitals', header.toUpperCase()],
    ['backwards', [...header].reverse().join('')],
    ['with spaces between', [...header].join(' ')],
    ['with an escape sequence inside', header.replace('Canary', 'Can\u001b[0mary')],
    ['with an invisible character inside', header.replace('Canary', 'Can\u200bary')],
    ['in wide letters', header.replace('Canary', '\uff23anary')],
    ['URL-encoded', encodeURIComponent(header)],
    ['URL-encoded letter by letter', escaped(header, (code) => `%${code}`)],
    ['in hexadecimal digits', Buffer.from(header).toString('hex')],
    ['in separated hexadecimal bytes', escaped(header, (code) => `${code}:`)],
    ['in JavaScript escapes', escaped(header, (code) => `\\u00${code}`)],
    ['in C escapes', escaped(header, (code) => `\\x${code}`)],
    ['in HTML escapes', escaped(header, (code) => `&#x${code};`)],
    ...[0, 1, 2, 3, 4, 5].flatMap((blanks) =>
      (['base64', 'base64url'] as const).map((alphabet): [string, string] => [
        `in ${alphabet} after ${blanks} more bytes`,
        Buffer.from(`${' '.repeat(blanks)}${header} and more`).toString(alphabet),
      ]),
    ),
  ])('redacts a text that contains a secret %s', (_, text) => {
    expect(cleanText(`the gateway says: ${text}!`)).toBe('[redacted: it contained a secret]')
  })

  it('redacts every text of an event, at any depth', () => {
    const json = eventToJson({
      name: 'tool:end',
      tool: 't',
      call: '1',
      output: { note: `got ${header}`, amount: 5n },
    })
    expect(JSON.stringify(json)).not.toContain('Canary')
    expect(json).toMatchObject({ output: { amount: '5' } })
  })

  it('removes control, escape, invisible and direction characters', () => {
    const text =
      'calm \u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u009b2K\u0000\u202eevil\u2066\u{e0041}\nnext'
    expect(cleanText(text)).toBe('calm red link evil next')
    expect(cleanText('\u001b')).toBe('')
  })

  it('limits the length, and keeps other text unchanged', () => {
    expect(cleanText('x'.repeat(10_000))).toHaveLength(longestText)
    for (const text of ['Ämter, 日本語 and 👍: 1 < 2', '0x00112233', 'two models disagree: 0.31'])
      expect(cleanText(text)).toBe(text)
  })
})
