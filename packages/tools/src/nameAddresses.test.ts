import { BardoError } from '@bardo/core'
import { namesOf } from '@bardo/golem/requests'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { nameAddresses } from './nameAddresses.ts'
import { previewActionTool } from './previewActionTool.ts'
import { openToolWorld, type ToolWorld } from './testing/toolWorld.ts'

let here: ToolWorld
beforeAll(async () => {
  here = await openToolWorld()
})
afterAll(() => here?.stop())

it('replaces the addresses of known tokens, pools, vaults and feeds, and no other hex text', async () => {
  const { context } = await here.summon()
  const names = namesOf(context.book)
  const { usdc, usdcVault } = here.world.addresses
  const pool = context.book.pools.get('USDC/WETH')
  expect(nameAddresses(`Add ${usdc.toLowerCase()} to ${pool} or ${usdcVault}.`, names)).toBe(
    'Add USDC to the USDC/WETH pool or the USDC vault.',
  )
  const others = `0x${'12'.repeat(20)} and 0x${'34'.repeat(32)}`
  expect(nameAddresses(others, names)).toBe(others)
})

it('puts the names into the remedy of a refusal, and changes nothing else', async () => {
  const { context } = await here.summon()
  const { weth, wethFeed } = here.world.addresses
  const refusal = new BardoError('Cage refuses the redemption: FeedStale.', {
    code: 'PRICE_UNUSABLE',
    details: [`feed ${wethFeed}`],
    remedy: `Have the owner add ${weth}, and wait until the feed ${wethFeed} posts a new price.`,
    docsPath: 'explain.md',
    retryAfter: '2026-11-16T00:00:00Z',
    cause: 'the chain',
  })
  const refusing = { ...previewActionTool, run: () => Promise.reject(refusal) }
  const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: '10' }
  await expect(callTool(context, refusing, { wish })).rejects.toMatchObject({
    ...refusal.toJSON(),
    message: expect.stringContaining('Have the owner add WETH'),
    remedy: 'Have the owner add WETH, and wait until the feed WETH/USD posts a new price.',
    details: refusal.details,
    cause: 'the chain',
  })
})
