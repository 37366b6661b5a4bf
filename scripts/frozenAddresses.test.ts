import { expect, it } from 'vitest'
import { decisionLine, undecided } from './frozenAddresses.ts'

const row = (name: string, digit: string) => `| ${name} | \`0x${digit.repeat(40)}\` | all |`
const page = (...rows: string[]) =>
  `# Deployment\n\n| contract | address | chains |\n| --- | --- | --- |\n${rows.join('\n')}\n\nText.\n`
const before = page(row('CageEnforcer', '1'), row('GolemVitals', '2'))
const decisions = [{ name: '0002-why.md', text: `# Why\n\n${decisionLine(before)}\n` }]

it('accepts addresses that a decision page states', () => {
  expect(undecided(before, decisions)).toBeUndefined()
  expect(decisionLine(before)).toContain('2 rows')
})

it('ignores the order of the rows and the text around them', () => {
  const moved = `Another introduction.\n\n${page(row('GolemVitals', '2'), row('CageEnforcer', '1'))}`
  expect(undecided(moved, decisions)).toBeUndefined()
})

it.each([
  ['an address', page(row('CageEnforcer', '3'), row('GolemVitals', '2'))],
  ['a name', page(row('OtherEnforcer', '1'), row('GolemVitals', '2'))],
  ['the chains', before.replace('all', 'base')],
  ['a removed row', page(row('GolemVitals', '2'))],
  ['an added row', page(row('CageEnforcer', '1'), row('GolemVitals', '2'), row('PolicyCage', '4'))],
])('refuses a change of %s without a page, and prints the line to write', (_, changed) => {
  expect(undecided(changed, decisions)).toContain(decisionLine(changed))
  expect(undecided(changed, [{ name: '0003-why.md', text: decisionLine(changed) }])).toBeUndefined()
})

it('refuses addresses without any decision page', () => {
  expect(undecided(before, [])).toContain('docs/decisions')
})
