import { describe, expect, it } from 'vitest'
import type { Cell } from '../../apps/cli/src/testing/pseudoTerminal.ts'
import { screenSvg } from './screenSvg.ts'
import { createSteadyText } from './steadyText.ts'

const cells = (text: string, style: Partial<Cell> = {}): readonly Cell[] =>
  [...text].map((letter) => ({
    text: letter,
    colour: undefined,
    isBold: false,
    isDim: false,
    isInverse: false,
    ...style,
  }))

describe('a picture of a screen', () => {
  it('has its texts in their colours, escaped', () => {
    const svg = screenSvg([[...cells('a <b>&'), ...cells('red', { colour: 1, isBold: true })]], 'x < y')
    expect(svg).toContain('>a &lt;b&gt;&amp;</text>')
    expect(svg).toMatch(/fill="#f0717e" font-weight="bold">red</)
    expect(svg).toContain('<title>x &lt; y</title>')
  })

  it('draws adjacent bars as one, and adjacent lines separately', () => {
    const bars = screenSvg([cells('████░░')], '')
    expect(bars.match(/<rect x=/g)).toHaveLength(2)
    const lines = screenSvg([cells('││')], '')
    expect(new Set(lines.match(/M[\d.]+ /g))).toHaveProperty('size', 2)
  })
})

describe('stable text', () => {
  it('replaces whole, shortened and wrapped addresses, and shifts times together', () => {
    const one = createSteadyText()(
      `0x${'ab'.repeat(20)} 0xabababab…abab\n0x1111111111\n2222 2026-11-16T09:52:38Z to 2026-12-16T09:52:40Z`,
    )
    const two = createSteadyText()(
      `0x${'cd'.repeat(20)} 0xcdcdcdcd…cdcd\n0x3333333333\n4444 2027-01-01T00:00:01Z to 2027-01-31T00:00:02Z`,
    )
    expect(one).toBe(two)
    for (const gas of ['231,932', '232,004'])
      expect(createSteadyText()(`2.3 s, ${gas} gas`)).toBe('0.1 s, 232,000 gas')
    expect(one).toContain('2026-01-02T03:04:00Z to 2026-02-01T03:04:00Z')
    expect(one).toHaveLength(
      `0x${'ab'.repeat(20)} 0xabababab…abab\n0x1111111111\n2222 2026-11-16T09:52:38Z to 2026-12-16T09:52:40Z`
        .length,
    )
  })
})
