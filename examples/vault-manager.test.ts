import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('deposits, trades and withdraws, and is refused beyond its day', async () => {
  const script = new URL('./vault-manager.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toEqual([
    'deposit $600: done',
    'swap $300: done',
    'withdraw $200: done',
    'swap $200: SPEND_LIMIT_EXCEEDED',
  ])
})
