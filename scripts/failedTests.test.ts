import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { failedTests } from './failedTests.ts'

const folder = mkdtempSync(join(tmpdir(), 'bardo-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(testResults: readonly object[]): string {
  const path = join(folder, 'report.json')
  writeFileSync(path, JSON.stringify({ testResults }))
  return path
}

it('names a failed test and its message, without the stack', () => {
  const path = write([
    {
      name: '/repository/a.test.ts',
      status: 'failed',
      assertionResults: [
        { fullName: ' passes', status: 'passed', failureMessages: [] },
        {
          fullName: 'a list stays sorted',
          status: 'failed',
          failureMessages: ['AssertionError: 2 before 1\n    at x.ts:1:1'],
        },
      ],
    },
  ])
  expect(failedTests(path, '/repository')).toEqual([
    'FAILED: a.test.ts: a list stays sorted\n  AssertionError: 2 before 1',
  ])
})

it('names a file that could not be loaded', () => {
  const path = write([
    { name: '/repository/b.test.ts', status: 'failed', message: 'Unexpected token', assertionResults: [] },
  ])
  expect(failedTests(path, '/repository')).toEqual([
    'FAILED: b.test.ts: cannot be loaded\n  Unexpected token',
  ])
})

it('shows at most twelve lines of a message', () => {
  const message = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
  const test = { fullName: 'long', status: 'failed', failureMessages: [message] }
  const path = write([{ name: '/repository/c.test.ts', status: 'failed', assertionResults: [test] }])
  expect(failedTests(path, '/repository')[0]?.split('\n')).toHaveLength(13)
})

it('has nothing to say about a run that passed, or that wrote no report', () => {
  const path = write([{ name: '/repository/d.test.ts', status: 'passed', assertionResults: [] }])
  expect(failedTests(path, '/repository')).toEqual([])
  expect(failedTests(join(folder, 'missing.json'), '/repository')).toEqual([])
})
