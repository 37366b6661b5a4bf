import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparePlans } from '../comparePlans.ts'
import { compileStrategy } from './compileStrategy.ts'
import { strategies } from './exampleStrategies.fixture.ts'

const now = 1_800_000_000n
const plan = (text: string) => compileStrategy(text, { now }).plan
const widened = (before: string, after: string) =>
  comparePlans(plan(before), plan(after)).filter(({ direction }) => direction !== 'narrower')

const asset = fc.constantFrom('USDC', 'WETH', 'WBTC', 'DAI', 'ETH')
const amount = fc.constantFrom('', '$20 of ', '$1,000 of ', '50 USDC of ')
const often = fc.constantFrom('', ' every week', ' daily', ' every 6 hours', ' when it is cheap')
/** Sentences that request something. */
const ask = fc.oneof(
  fc.tuple(amount, asset, asset, often).map(([money, a, b, when]) => `Swap ${money}${a} to ${b}${when}.`),
  fc.tuple(asset, asset, often).map(([a, b, when]) => `Buy ${a} with ${b}${when}.`),
  fc.tuple(asset, often).map(([a, when]) => `Deposit ${a} into the vault${when}.`),
  fc.tuple(asset, asset).map(([a, b]) => `Provide liquidity to ${a}/${b}.`),
  fc.tuple(asset, asset).map(([a, b]) => `Trade ${a}/${b}.`),
  fc.constantFrom(
    'Spawn replicants.',
    'Bridge USDC.',
    'Place limit orders.',
    'Withdraw USDC from the vault.',
  ),
)
const verb = fc.constantFrom(
  'swap',
  'trade',
  'buy WETH',
  'sell WETH for USDC',
  'swap USDC to WETH',
  'bridge',
  'provide liquidity to USDC/WETH',
  'deposit USDC into the vault',
  'spawn replicants',
  'place limit orders',
  'LP',
  'swap $5,000 of USDC to WETH daily',
)
/** Sentences that forbid something. */
const prohibition = fc
  .tuple(
    fc.constantFrom(
      'Never',
      'Do not',
      'Don’t',
      'Avoid any attempt to',
      'The Golem must not',
      'Under no circumstances',
      'Please never ever',
      'It is forbidden to',
    ),
    verb,
    fc.constantFrom(
      '',
      ' unless I say so',
      ' when gas is high',
      ', bridge, or trade',
      ', whatever happens',
      ' with $9,000/day',
    ),
  )
  .map(([never, what, how]) => `${never} ${what}${how}.`)
/** Sentences about something else. */
const small = fc.oneof(
  fc.constantFrom(
    'The market was calm.',
    'We like WETH and USDC.',
    'WETH costs $4,000.',
    'Write a report every week.',
    'It costs $50/day.',
    'The Golem is brave, but careful.',
    'Gas is above 30 gwei.',
    'Last year was good: 40% up.',
    'assets are risky.',
  ),
  fc
    .array(
      fc.constantFrom(
        'the',
        'WETH',
        'USDC',
        '$900',
        '/day',
        'market',
        'report',
        'weekly',
        ',',
        'and',
        'to',
        'is',
        '3%',
        'good',
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((words) => `${words.join(' ')}.`),
)
const strategy = fc.oneof(
  fc.array(fc.oneof(ask, ask, small), { minLength: 1, maxLength: 5 }),
  fc.constantFrom(...strategies.map(({ text }) => [text])),
)
const paragraphs = (sentences: readonly string[]) => sentences.join('\n\n')

test('compiling never throws, and grants nothing without a reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()),
      (text) => {
        const { classes, reasons } = plan(text)
        for (const name of classes)
          expect(reasons.some(({ permission }) => permission === `class ${name}`)).toBe(true)
      },
    ),
  )
})

test('never throws for arbitrary text around a strategy’s words', () => {
  const piece = fc.oneof(
    ask,
    prohibition,
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('```', '<!--', '-->', '> ', '# ', '- ', '|', '`', '\n', '**'),
  )
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => void plan(pieces.join(' '))))
})

test('a prohibition never widens a plan, wherever it is', () => {
  fc.assert(
    fc.property(strategy, prohibition, fc.nat(6), (sentences, no, at) => {
      const place = Math.min(at, sentences.length)
      const after = [...sentences.slice(0, place), no, ...sentences.slice(place)]
      expect(widened(paragraphs(sentences), paragraphs(after))).toEqual([])
    }),
  )
})

test('a prohibition without condition or asset removes its capability', () => {
  const never = fc.constantFrom('Never', 'Do not', 'Don’t', 'The Golem must not', 'Under no circumstances')
  fc.assert(
    fc.property(fc.array(fc.oneof(ask, small), { maxLength: 5 }), never, fc.nat(5), (sentences, no, at) => {
      const after = [
        ...sentences.slice(0, at),
        `${no} swap, bridge, deposit, or provide liquidity.`,
        ...sentences.slice(at),
      ]
      expect(plan(paragraphs(after)).classes.filter((name) => name !== 'spawn')).toEqual([])
    }),
  )
})

test('a sentence that requests nothing never widens a plan', () => {
  fc.assert(
    fc.property(strategy, small, fc.boolean(), (sentences, more, first) => {
      const after = first ? [more, ...sentences] : [...sentences, more]
      expect(widened(paragraphs(sentences), paragraphs(after))).toEqual([])
    }),
  )
})

test('a request without numbers does not change the numbers of the others', () => {
  // The numbers of one request apply to all, so a request without numbers takes theirs.
  const bare = ask.filter((text) => !/\$|50|every|daily/.test(text))
  const sentence = fc.oneof(ask, ask, small)
  fc.assert(
    fc.property(
      fc.array(sentence, { maxLength: 3 }),
      bare,
      fc.array(sentence, { maxLength: 3 }),
      (before, asked, after) => {
        const rest = paragraphs([...before, ...after])
        expect(widened(paragraphs([...before, asked, ...after]), rest)).toEqual([])
      },
    ),
  )
})

test('an additional request never loosens a size, an interval or a count that another states', () => {
  const stated = fc
    .tuple(
      fc.constantFrom('$20 of ', '$70 of '),
      fc.constantFrom(' daily', ' every week', ' once', ' every 6 hours'),
    )
    .map(([money, when]) => `Swap ${money}USDC to WETH${when}.`)
  const loosened = /^(sizeCents\[0\]|cadenceSeconds|calls)$/
  fc.assert(
    fc.property(
      stated,
      fc.array(fc.oneof(ask, small), { maxLength: 3 }),
      fc.boolean(),
      (first, more, before) => {
        const all = paragraphs(before ? [...more, first] : [first, ...more])
        expect(widened(first, all).filter(({ field }) => loosened.test(field))).toEqual([])
      },
    ),
  )
})

test('these properties can fail: requests do widen, and most strategies request something', () => {
  const asks = fc.sample(ask, 200)
  expect(asks.filter((text) => plan(text).classes.length > 0).length).toBeGreaterThan(80)
  expect(widened('Swap USDC to WETH.', 'Swap USDC to WETH. Swap USDC to WBTC.')).not.toEqual([])
  expect(widened('Swap USDC to WETH.', 'Swap USDC to WETH.\nbudget: $5,000/day')).not.toEqual([])
})
