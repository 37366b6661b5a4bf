import { type BalanceSheet, balanceSheet, type Holder } from '../balanceSheet.ts'
import type { Stage } from '../openStage.ts'
import { sheetToText } from '../sheetToText.ts'
import type { Story } from '../story.ts'
import type { ReplicantLife } from './replicant.ts'
import type { Rotated } from './rotation.ts'

/** The final balance sheet. */
export type FinalBalances = {
  readonly balanceSheet: BalanceSheet
  /** Base units of all assets that are left in session accounts. */
  readonly leftBehind: bigint
}

/** Shows where all the money is, and where it went. */
export async function reckoning(
  stage: Stage,
  story: Story,
  {
    first,
    rotated,
    child,
  }: { readonly first: bigint; readonly rotated: Rotated; readonly child: ReplicantLife },
): Promise<FinalBalances> {
  const { owner, world } = stage
  story.chapter(
    'The balance sheet',
    'Read from the chain: the balances at the start and at the end, and in between every transfer log, every transaction value and the gas of every receipt. Six decimals are shown; the sums use all of them.',
  )
  const keys = [
    { name: 'first key', address: rotated.oldKey },
    { name: 'second key', address: rotated.newKey },
    { name: 'Replicant', address: child.key },
  ]
  const holders = [
    { name: 'owner', address: owner.address },
    { name: 'account', address: owner.account.address },
    ...keys,
  ]
  const { usdcWethPool, usdcVault } = world.addresses
  const outsiders = [
    { name: 'Uniswap', address: usdcWethPool },
    { name: 'the vault', address: usdcVault },
    { name: 'the operator', address: world.accounts.operator },
  ]
  const sheet = await balanceSheet(stage, holders, outsiders, first)
  story.aside(`${sheetToText(sheet, await world.price('WETH/USDC'))}\n`)
  story.promise(sheet.addsUp, 'Every balance is explained to the last unit of USDC, WETH and ETH.')
  const leftBehind = await leftIn(stage, sheet, keys)
  story.promise(leftBehind === 0n, `Left behind in the session accounts: ${leftBehind}.`)
  return { balanceSheet: sheet, leftBehind }
}

/** The sum of all assets that these keys still hold. */
async function leftIn(
  { balanceOf, world }: Stage,
  { lines }: BalanceSheet,
  keys: readonly Holder[],
): Promise<bigint> {
  const shares = await Promise.all(keys.map(({ address }) => balanceOf(world.addresses.usdcVault, address)))
  const tokens = lines.filter(({ address }) => keys.some((key) => key.address === address))
  return [...shares, ...tokens.map(({ closing }) => closing)].reduce((total, units) => total + units, 0n)
}
