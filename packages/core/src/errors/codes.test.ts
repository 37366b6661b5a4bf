import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorCodes } from './codes.ts'

it('docs/errors.md contains the current table', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (-\d+) \| (\d+) \| (yes|no) \|$/gm)].map(
    ([, code, http, mcp, exit, retry]) => [code, +(http ?? 0), +(mcp ?? 0), +(exit ?? 0), retry === 'yes'],
  )
  expect(documented).toEqual(
    Object.entries(errorCodes).map(([code, { http, mcp, exit, retryable }]) => [
      code,
      http,
      mcp,
      exit,
      retryable,
    ]),
  )
})
