import { expect, it } from 'vitest'
import { limit, measureBundle } from './measureBundle.ts'

it('lets a page hash, decode, describe and compare delegations within the limit', async () => {
  const { gzip, parts } = await measureBundle('all')
  expect(gzip).toBeLessThanOrEqual(limit)
  // These once made it three times as large.
  const names = parts.map(([name]) => name)
  for (const heavy of ['lodash', '@metamask/utils', 'zod', '@noble/curves', 'abitype'])
    expect(names).not.toContain(heavy)
})
