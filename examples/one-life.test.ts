import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('lives one life and keeps every promise', async () => {
  const script = new URL('./one-life.ts', import.meta.url).pathname
  // A broken promise ends the process with 1, and this rejects.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  expect(stdout).not.toContain('BROKEN')
  expect(stdout.match(/✓/g)).toHaveLength(14)
  expect(stdout).toMatch(/a dollar to a stranger: Cage refuses the redemption: PayeeNotAllowed/)
  expect(stdout).toMatch(/gas returned +0\.\d+ ETH/)
}, 60_000)
