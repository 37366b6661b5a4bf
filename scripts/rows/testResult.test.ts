import { expect, it } from 'vitest'
import { testResult } from './testResult.ts'

const report = (...assertionResults: { title: string; status: string }[]) => ({
  testResults: [{ name: '/repository/a/b.test.ts', assertionResults }],
})
const result = (title: string, ...cases: [string, string][]) =>
  testResult([report(...cases.map(([of, status]) => ({ title: of, status })))], {
    file: 'a/b.test.ts',
    title,
  })

it('finds a test by its file and its whole title', () => {
  expect(result('does this', ['does this', 'passed'])).toBe('passed')
  expect(result('does this', ['does this', 'failed'])).toBe('failed')
  expect(result('does this', ['does this and that', 'passed'])).toBe('not run')
  expect(testResult([report({ title: 'x', status: 'passed' })], { file: 'b/b.test.ts', title: 'x' })).toBe(
    'not run',
  )
})

it('counts every case of a title with placeholders, and no skipped one', () => {
  expect(result('%s ends (%i)', ['time ends (1)', 'passed'], ['money ends (2)', 'passed'])).toBe('passed')
  expect(result('%s ends (%i)', ['time ends (1)', 'passed'], ['money ends (2)', 'failed'])).toBe('failed')
  expect(result('ends: $moments', ['ends: 1, 2', 'skipped'])).toBe('failed')
})
