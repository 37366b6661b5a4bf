import { expect, it } from 'vitest'
import { budgetReport } from './testBudgets.ts'

const part = { name: 'unit', budgetSeconds: 60, seconds: 41.4, passed: true }

it('shows what each part took and may take', () => {
  expect(budgetReport([part, { ...part, name: 'contracts', seconds: 5 }])).toBe(
    [
      'part         time  budget',
      'unit         0:41    1:00',
      'contracts    0:05    1:00',
      'total        0:46    2:00',
    ].join('\n'),
  )
})

it('names a part over its budget, and a part that failed', () => {
  const report = budgetReport([
    { ...part, seconds: 125 },
    { ...part, name: 'contracts', passed: false },
  ])
  expect(report).toContain('OVER BUDGET: unit took 2:05, budget 1:00.')
  expect(report).toContain('FAILED: contracts')
  expect(report).not.toContain('OVER BUDGET: contracts')
})
