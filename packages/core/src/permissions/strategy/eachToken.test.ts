import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachToken } from './eachToken.ts'
import { strategies } from './exampleStrategies.fixture.ts'

// The rule alone, without the fast path for plain words.
const rule =
  /\n|[\ue000\ue001]|(?:[$€£] ?)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[kKmM](?![\p{L}\p{N}]))?%?|[\p{L}\p{N}][\p{L}\p{N}'-]*|->|=>|→|[.!?]+|[,;:|/()–—]/gu

function tokens(text: string) {
  const found: [string, number][] = []
  eachToken(text, (raw, start) => found.push([raw, start]))
  return found
}

const plainly = (text: string) => [...text.matchAll(rule)].map((match) => [match[0], match.index])

it('gives the tokens of its rule for any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'swap',
      'né',
      'ver',
      '-',
      "'",
      '$1,000.50k',
      '9%',
      ' ',
      '\n',
      '→',
      '->',
      '…',
      'ﬁ',
      'е',
      '😀',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      expect(tokens(text)).toEqual(plainly(text))
    }),
    { numRuns: 300 },
  )
  for (const { text } of strategies) expect(tokens(text)).toEqual(plainly(text))
})
