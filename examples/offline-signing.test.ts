import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('summons a Golem by a signed file, and refuses a changed one', async () => {
  const script = new URL('./offline-signing.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  const [steps, changed, born] = stdout.trimEnd().split('\n')
  expect(steps).toBe('to do: signature, transaction, transaction, transaction')
  expect(changed).toMatch(/^SIGNATURE_MALFORMED: The signature is not the owner’s/)
  expect(born).toBe('alpha is alive')
})
