import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('trades within its permission and ends once that is revoked', async () => {
  const script = new URL('./bounded-agent.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/action\.landed .*"spentCents":"1000","transaction":"0x\w{64}"/)
  expect(stdout.trimEnd()).toMatch(/\ndying$/)
})
