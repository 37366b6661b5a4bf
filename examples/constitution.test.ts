import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('buys up to the share that the constitution allows, and no more', async () => {
  const script = new URL('./constitution.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  const [assets, share, drawdown, first, refusal] = stdout.split('\n')
  expect([assets, share]).toEqual([
    'Only USDC and WETH may move.',
    'It buys WETH only up to 3 % of the portfolio.',
  ])
  expect(drawdown).toContain('more than 15 % below its highest value')
  expect(first).toContain('The first $20 are bought')
  expect(refusal).toMatch(/^The constitution refuses the action: ConcentrationExceeded\(/)
})
