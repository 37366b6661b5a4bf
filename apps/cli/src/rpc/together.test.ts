import { hybridAccount, walletSigner } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hex,
  http,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClockWorld, openClockWorld } from '../testing/openClockWorld.ts'

const strategy = (from: string, dollars: number) =>
  `Swap ${from}.\nbudget: $${dollars}/day\nlifespan: 30 days\n`
const buys = strategy('USDC into WETH', 40)
let here: ClockWorld
beforeAll(async () => {
  here = await openClockWorld()
})
afterAll(() => here?.[Symbol.asyncDispose]())

const sums = (shown: { nextDay: { cents: string | null }; ifStolen: { cents: string | null } } | null) =>
  shown && [shown.nextDay.cents, shown.ifStolen.cents]

it('shows before the yes what the tree shows after it: all permissions of the owner together', async () => {
  const { office } = here
  const alone = await office.ask('compile', { strategy: buys })
  expect(sums(alone.together)).toEqual(sums(alone.exposure))
  const { golem } = await office.ask('summon', { name: 'alpha', strategy: buys })
  const sells = strategy('WETH to USDC', 10)
  const second = await office.ask('compile', { strategy: sells })
  expect(second.exposure?.nextDay.cents).toBe('1000')
  expect(second.together?.nextDay.cents).toBe('5000')
  await office.ask('summon', { name: 'beta', strategy: sells })
  const { family } = await office.ask('tree', { golem })
  expect(sums(family.exposure)).toEqual(sums(second.together))
})

it('counts the new root of an adjustment instead of the old one', async () => {
  const { office } = here
  const less = strategy('USDC into WETH', 25)
  const compiled = await office.ask('compile', { strategy: less, golem: 'alpha' })
  expect(compiled.exposure?.nextDay.cents).toBe('2500')
  expect(compiled.together?.nextDay.cents).toBe('3500')
  await office.ask('regrant', { golem: 'alpha', strategy: less, closeFirst: false })
  const { family } = await office.ask('tree', { golem: 'alpha' })
  expect(sums(family.exposure)).toEqual(sums(compiled.together))
})

it('shows the limits of a local key, also for an adjustment', async () => {
  const { office, world } = here
  const { swapRouter02 } = world.addresses
  const { timestamp } = await world.client.getBlock()
  const config = [
    'chain = 31337',
    '[custody]',
    'mode = "localKey"',
    '[custody.bounds]',
    'max_daily_spend_usd = 15',
    'max_total_calls = 100',
    `expires_at = ${timestamp + 864_000n}`,
    `allowed_targets = ["${swapRouter02}"]`,
  ].join('\n')
  const strict = strategy('USDC into WETH', 5)
  const first = await office.ask('compile', { strategy: strict, config })
  expect([first.exposure?.nextDay.cents, first.together?.nextDay.cents]).toEqual(['1500', '5000'])
  await office.ask('summon', { name: 'gamma', strategy: strict, config })
  const next = strategy('USDC into WETH', 6)
  const compiled = await office.ask('compile', { strategy: next, golem: 'gamma' })
  expect(compiled.exposure).toMatchObject({
    nextDay: { cents: '1500' },
    ifStolen: { cents: '15', causes: [{ type: 'slippage', bps: 100 }] },
  })
  expect(compiled.together?.nextDay.cents).toBe('5000')
  await office.ask('regrant', { golem: 'gamma', strategy: next, closeFirst: false })
  const { family } = await office.ask('tree', { golem: 'gamma' })
  expect(sums(family.exposure)).toEqual(sums(compiled.together))
})

it('counts the shares that the account holds in a vault, down to the floor that would be signed', async () => {
  const { office, world, context } = here
  const { usdc, usdcVault } = world.addresses
  const key = devnetAccount('owner')
  const { deployment } = context.chain
  const account = hybridAccount(deployment, {
    began: { owner: key.address },
    signer: walletSigner(key),
  }).address
  const wallet = createWalletClient({ account: key, chain: world.chain, transport: http(world.url) })
  const send = async (to: Address, data: Hex) => {
    const { status } = await wallet.sendTransactionSync({ to, data })
    expect(status).toBe('success')
  }
  const amount = 500_000_000n
  await world.fund(key.address, { USDC: amount, ETH: 10n ** 18n })
  await send(usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [usdcVault, amount] }))
  await send(
    usdcVault,
    encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] }),
  )
  const keeps = 'Deposit USDC in the vault, and withdraw from it.\nbudget: $20/day\nlifespan: 30 days\n'
  const compiled = await office.ask('compile', { strategy: keeps })
  // The limit of a day, and one percent of $500.
  expect(compiled.exposure?.ifStolen).toMatchObject({
    cents: '2501',
    causes: [{ type: 'vaultRate' }, { type: 'gas' }, { type: 'shares', cents: '501' }],
  })
  expect(compiled.exposure?.notIncluded.filter((part) => part.includes('shares'))).toEqual([])
  await office.ask('summon', { name: 'delta', strategy: keeps })
  const { family } = await office.ask('tree', { golem: 'delta' })
  expect(sums(family.exposure)).toEqual(sums(compiled.together))
})
