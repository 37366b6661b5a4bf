import { describe, expect, test } from 'vitest'
import { compileStrategy } from './compileStrategy.ts'
import { strategies } from './exampleStrategies.fixture.ts'

const now = 1_800_000_000n
// Liquidity and spawning are compiled, though the runtime cannot use them yet.
const supported = new Set(['Swap', 'VaultManagement', 'ProvideLiquidity', 'SpawnReplicants'] as const)
const compile = (text: string) => compileStrategy(text, { now, supported })
const granted = (text: string) => compile(text).plan.classes
const pairs = (text: string) => compile(text).plan.pairs.map(({ from, to }) => `${from}>${to}`)
const swap = 'Swap USDC to WETH.'

describe('a realistic strategy', () => {
  test.for(strategies)('$name', ({ text, expected }) => {
    const { plan, capabilities, ambiguities } = compile(text)
    expect({
      classes: plan.classes.filter((name) => name !== 'approve' && name !== 'disapprove'),
      pairs: plan.pairs.map(({ from, to }) => `${from}>${to}`),
      dayCents: plan.dayCents,
      cadence: plan.cadenceSeconds,
      notGranted: capabilities
        .filter(({ status }) => status !== 'granted')
        .map((found) => `${found.capability} ${found.status}`),
      unclear: ambiguities.some(({ outcome }) => outcome === 'notGranted' || outcome === 'narrowed'),
    }).toEqual(expected)
  })
})

describe('a negation', () => {
  test.for([
    'Never swap.',
    'Do not swap.',
    'Don’t swap.',
    'Dont swap!',
    'No swaps.',
    'Swapping is not allowed.',
    'Swapping is forbidden.',
    'Swaps: never.',
    'Under no circumstances swap.',
    'The Golem must not swap or bridge.',
    'Avoid swapping unless I say so.',
    'Never ever, even if it looks cheap, swap.',
    'Never\nswap.',
    'Never bridge, lend, or swap.',
    'Do anything but swap.',
    'Ne\u200bver swap.',
    'ＮＥＶＥＲ swap.',
    '**Never** swap.',
    '<b>Never</b> swap.',
    '[Never](https://x.y) swap.',
    'Do not use e.g. swaps.',
    '## Never\n\n- swap',
    '## Out-of-scope\n\nSwap',
    'Never:\n\n- bridge\n- swap',
    '| swap | no |',
    'Nunca swap.',
    'Niemals swap.',
    'Swapping, in our opinion, is not allowed.',
    'Refrain from swapping.',
    'Keep away from swaps.',
    'Never <!-- really\nnever --> swap.',
    'Never\n\nswap',
    'Do not\nin any case: swap',
    'Never:\n\n- Trading:\n  - swap',
  ])('%j forbids swapping', (negation) => {
    expect(granted(swap)).toContain('swap')
    expect(granted(`${swap}\n\n${negation}`)).toEqual([])
    expect(granted(`${negation}\n\n# Plan\n\n${swap}`)).toEqual([])
  })

  test.for([
    ['Never sell WETH.', ['USDC>WETH']],
    ['Never buy WETH.', ['WETH>USDC']],
    ['Never swap WETH to USDC.', ['USDC>WETH']],
    ['Never touch WETH.', []],
    ['Do not trade when gas is high.', ['USDC>WETH', 'WETH>USDC']],
    ['Never swap more than $50 at a time.', ['USDC>WETH', 'WETH>USDC']],
    ['Trade daily unless gas is high.', ['USDC>WETH', 'WETH>USDC']],
    ['Never bridge.', ['USDC>WETH', 'WETH>USDC']],
  ] as const)('%j leaves %j', ([negation, left]) => {
    expect(pairs(`Trade WETH/USDC. ${negation}`)).toEqual(left)
  })

  test('that contradicts a request is reported, with both lines', () => {
    const { ambiguities } = compile(`${swap}\n\nNever swap.`)
    expect(ambiguities).toEqual([
      {
        line: 1,
        sentence: 'Swap USDC to WETH.',
        question: expect.stringContaining('Line 3 forbids this: "Never swap."'),
        outcome: 'notGranted',
      },
    ])
  })
})

describe('text that is not an instruction requests nothing', () => {
  test.for([
    '# Swap USDC to WETH',
    'Swap USDC to WETH\n===',
    '```\nSwap USDC to WETH.\n```',
    '~~~md\nSwap USDC to WETH.\n~~~',
    '```\nSwap USDC to WETH.',
    '> Swap USDC to WETH.',
    '`swap` USDC to WETH',
    'See [swap USDC to WETH](https://example.org).',
    'They said "swap USDC to WETH".',
    '~~Swap USDC to WETH.~~',
    '<!-- Swap USDC to WETH. -->',
    '<!--\nSwap USDC to WETH.\n-->',
    'Should we swap USDC to WETH?',
    'Maybe swap USDC to WETH.',
    'We might swap USDC to WETH later.',
    '## Ideas\n\nSwap USDC to WETH.',
    'Maybe later:\n\n- swap USDC to WETH',
    'The swap of USDC to WETH was logged.',
    'We swapped USDC to WETH.',
    'Swap USDC to WETH каждый день.',
    'Swap USDC to PEPE.',
    'Swap USDC and WETH.',
    'Swap.',
    'Earn yield on idle USDC.',
    '把 USDC 换成 WETH',
    'Tausche jede Woche USDC in WETH.',
    '',
    '   \n\n',
  ])('%j', (text) => {
    const { plan, runway } = compile(text)
    expect(plan.classes).toEqual([])
    expect([plan.dayCents, plan.pairs, plan.targets, runway]).toEqual([0n, [], [], undefined])
    expect(compile(text).ambiguities.length).toBeGreaterThan(0)
  })
})

describe('money', () => {
  test.for<[string, bigint]>([
    [swap, 10_000n],
    ['Deposit USDC into the vault.', 100_000n],
    ['Provide liquidity to USDC/WETH.', 50_000n],
    [`${swap} Bridge USDC to Arbitrum.`, 10_000n],
    [`${swap}\n\nbudget: $2,500/day`, 250_000n],
    [`Deposit USDC into the vault.\n\n- **Budget:** $25.50/day`, 2_550n],
    [`${swap}\n\nbudget: $5k/day\n\nbudget: $10/day`, 1_000n],
    [`${swap}\n\nSpend at most $30 per day.`, 3_000n],
    [`${swap}\n\nThe budget is not $5,000/day.`, 10_000n],
    [`${swap}\n\n\`\`\`\nbudget: $5000/day\n\`\`\``, 10_000n],
    [`${swap}\n\nbudget: $99999999999999999999/day`, (1n << 28n) - 1n],
    ['Swap up to $50 of USDC into WETH a day.', 5_000n],
    ['Swap at most $50 of USDC into WETH per day.', 5_000n],
    ['Swap at most $50 of USDC into WETH / day.', 5_000n],
    // "Once a day" is an interval: two actions can fall into the window in which a day is counted.
    ['Swap $20 of USDC into WETH once a day.', 4_000n],
    ['DCA $20 of USDC into WETH every week.', 2_000n],
    ['DCA $20 of USDC into WETH every day.', 4_000n],
    ['DCA $500 of USDC into WETH every week.', 10_000n],
    ['DCA USDC into WETH every week.\n\nbudget: $100/week', 10_000n],
    [`${swap}\n\nbudget: $70/week`, 7_000n],
    ['Withdraw USDC from the vault when it pays too little.', 0n],
  ])('%j comes to %s cents a day', ([text, cents]) => {
    expect(compile(text).plan.dayCents).toBe(cents)
  })

  test('a runway exists only if an action is granted, and stays within its guard', () => {
    expect(compile(`${swap}\n\nlifespan: 200 days\n\nrunway: $500/day`).runway).toMatchObject({
      usdcCentsPerDay: 10_000n,
      gasWeiPerDay: 5n * 10n ** 16n,
      expiry: now + 90n * 86_400n,
    })
  })
})

test('every permission names the sentence that requested it', () => {
  const { plan } = compile(
    '# Plan\n\nWe wait.\nSwap USDC to WETH\nevery week.\n\nDeposit USDC into the vault.',
  )
  const because = (permission: string) =>
    plan.reasons.find((reason) => reason.permission === permission)?.because
  expect(because('pair USDC→WETH')).toEqual([{ line: 4, sentence: 'Swap USDC to WETH every week.' }])
  expect(because('class deposit')).toEqual([{ line: 7, sentence: 'Deposit USDC into the vault.' }])
  expect(because('method approve')).toHaveLength(2)
  for (const name of plan.classes) expect(because(`class ${name}`)).not.toEqual([])
})

test('a symbol of the owner’s address book can be forbidden in any spelling', () => {
  const symbols = ['USDC', 'Foo']
  const pairsOf = (text: string) => compileStrategy(text, { now, symbols }).plan.pairs.length
  expect([pairsOf('Swap USDC to Foo.'), pairsOf('Swap USDC to Foo. Never touch Foo.')]).toEqual([1, 0])
})

test('liquidity is not rebalanced by swaps', () => {
  expect(granted('Rebalance the position in USDC/WETH.')).toEqual([])
  expect(granted('Rebalance between USDC and WETH.')).toContain('swap')
})

test('grants only the exit if only the exit is requested', () => {
  expect(granted('Withdraw USDC from the vault.')).toEqual(['withdraw'])
  expect(granted('Close the USDC/WETH position.')).toEqual(['removeLiquidity'])
})

describe('a disguised or foreign text only narrows', () => {
  test.for([
    'Never ѕwap.',
    'Never swаp USDC to WETH.',
    'Nеver swap.',
    'Νever swap.',
    'ɴever swap.',
    'Do nøt swap.',
    'Ｎｅｖｅｒ swap.',
    'Ne\u200bver swap.',
    '𝕹𝖊𝖛𝖊𝖗 swap.',
    'Never touch WЕTH.',
    'Never touch WETΗ.',
    '永远不要 swap.',
    'Никогда не swap.',
    'لا swap.',
    'Tauschen Sie niemals USDC in WETH.',
    'budget: $١/day',
    'budget: fivescore dollars a day',
    'budget: €5/day',
  ])('%j', (sentence) => {
    const text = `Swap USDC to WETH.\n\n${sentence}`
    const { plan } = compile(text)
    expect(plan.classes.length === 0 || plan.dayCents === 0n).toBe(true)
  })

  test.for(['Swаp USDC to WETH.', 'Swap UЅDC to WETH.', 'Swap USDC to WETΗ.', 'Échangez USDC contre WETH.'])(
    '%j requests nothing',
    (text) => {
      expect(compile(text).plan.classes).toEqual([])
    },
  )

  test('a symbol in lookalike letters is forbidden, not declared', () => {
    expect(compile('assets: USDC, WЕTH\n\nSwap USDC to WETH.').plan.classes).toEqual([])
  })
})

describe('a text of 1 MB', () => {
  const repeat = (text: string) => text.repeat(Math.ceil(1_048_576 / text.length))
  const cpu = (text: string) => {
    const start = process.cpuUsage()
    compile(text)
    const { user } = process.cpuUsage(start)
    return user / 1_000
  }

  test('is read within a second', () => {
    const page = strategies.map(({ text }) => text).join('\n\n')
    const talk = 'The market was calm last week and nothing of note happened on any venue. '.repeat(30)
    const text = repeat(`${page}\n\n${talk}\n\n`)
    // CPU time of this process, the best of three: other work on the machine does not count.
    expect(Math.min(cpu(text), cpu(text), cpu(text))).toBeLessThan(1_000)
  })

  test.for([
    'never ',
    '`',
    '[',
    '(',
    '“',
    '"',
    '<!--',
    '```\n',
    '- x\n',
    '|',
    '*',
    'a-',
    '9',
    '$',
    'a? ',
    'A. ',
    'not, ',
    '~~',
    '<b ',
  ])('of only %j is read in linear time', (piece) => {
    const text = repeat(piece)
    cpu(text.slice(0, 100_000))
    // A quadratic reader would take minutes.
    expect(cpu(text)).toBeLessThan(5_000)
  })

  test('that expands to eighteen times its length is not read', () => {
    expect(compile(repeat('ﷺ')).ambiguities[0]?.question).toMatch(/longer than/)
  })

  test('is not read above four', () => {
    const { plan, ambiguities } = compile(repeat('Swap USDC to WETH. ').repeat(5))
    expect(plan.classes).toEqual([])
    expect(ambiguities[0]?.question).toMatch(/longer than/)
  })
})

test('does not throw if an untyped caller omits the options: the window has passed', () => {
  const { plan } = Reflect.apply(compileStrategy, undefined, [
    'Swap $10 of USDC into WETH.\nlifespan: 2 days',
  ])
  expect(plan.window).toEqual({ start: 0n, end: 172_800n })
})
