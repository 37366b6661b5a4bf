import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('lets another owner’s Golem spend its part, and nothing after the end', async () => {
  const script = new URL('./cross-golem.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  const [spent, over, ended] = stdout.trimEnd().split('\n')
  expect(spent).toBe("beta spent 1000 cents of alpha's owner")
  expect(over).toMatch(/ReplicantBudget refuses/)
  expect(ended).toMatch(/^DELEGATION_DISABLED/)
})
