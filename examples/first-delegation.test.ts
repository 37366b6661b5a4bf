import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('prints the lifecycle of a permission: sign, use, exceed, revoke', async () => {
  const script = new URL('./first-delegation.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/pair USDC→WETH {2}← Swap USDC into WETH\./)
  expect(stdout).toMatch(/\$30 swapped in 0x\w{64}/)
  expect(stdout).toMatch(/Cage refuses the redemption: SpendLimitExceeded\(.*link 0 .*caveat 0: Cage/s)
  expect(stdout).toContain('The manager refuses the redemption: CannotUseADisabledDelegation()')
})
