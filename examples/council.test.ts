import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('trades with two members in both ways, and not with one, nor beyond a member’s limit or the signed one', async () => {
  const script = new URL('./council.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  const [two, one, member, thief, cage, ...multiSig] = stdout.trimEnd().split('\n')
  expect(two).toBe('traded')
  expect(one).toContain('valid signatures: 1 of 2')
  expect(member).toMatch(/exceeds what this member agrees to.* 150000000 requested, at most 100000000/)
  expect(thief).toMatch(/Cage refuses the redemption: RecipientNotAccount/)
  expect(cage).toMatch(/Cage refuses the redemption: SizeExceeded\(50100, 50000, 0\)/)
  const [decided, alone, value, target] = multiSig
  expect(decided).toBe('traded')
  expect(alone).toMatch(/refuse|signature/i)
  expect(value).toMatch(/Cage refuses the redemption: SizeExceeded\(30100, 30000, 0\)/)
  expect(target).toMatch(/Cage refuses the redemption: \w+/)
})
