import { type BalanceSheet, balanceSheet, type Holder } from '../balanceSheet.ts'
import type { Stage } from '../openStage.ts'
import { sheetToText } from '../sheetToText.ts'
import type { Story } from '../story.ts'
import type { ReplicantLife } from './replicant.ts'
import type { Rotated } from './rotation.ts'

/** What the books say in the end. */
export type Reckoned = {
  readonly balanceSheet: BalanceSheet
  /** Base units of anything in any session account: what somebody would have to sweep. */
  readonly leftBehind: bigint
}

/** Where all the money is, and where it went. */
export async function reckoning(
  stage: Stage,
  story: Story,
  {
    first,
    rotated,
    child,
  }: { readonly first: bigint; readonly rotated: Rotated; readonly child: ReplicantLife },
): Promise<Reckoned> {
  const { owner, world } = stage
  story.chapter(
    'The balance sheet',
    'Read from the chain: balances at both ends, and in between every transfer’s log, every transaction’s value, every receipt’s gas. Six digits are shown; the sums are made with all of them.',
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
  const strangers = [
    { name: 'Uniswap', address: usdcWethPool },
    { name: 'the vault', address: usdcVault },
    { name: 'the operator', address: world.accounts.operator },
  ]
  const sheet = await balanceSheet(stage, holders, strangers, first)
  story.aside(`${sheetToText(sheet, await world.price('WETH/USDC'))}\n`)
  story.promise(sheet.addsUp, 'Every balance is explained to the last unit of USDC, WETH and ETH.')
  const leftBehind = await leftIn(stage, sheet, keys)
  story.promise(leftBehind === 0n, `Left behind in the session accounts: ${leftBehind}.`)
  return { balanceSheet: sheet, leftBehind }
}

/** What is left with these keys, of anything. */
async function leftIn(
  { balanceOf, world }: Stage,
  { lines }: BalanceSheet,
  keys: readonly Holder[],
): Promise<bigint> {
  const shares = await Promise.all(keys.map(({ address }) => balanceOf(world.addresses.usdcVault, address)))
  const tokens = lines.filter(({ address }) => keys.some((key) => key.address === address))
  return [...shares, ...tokens.map(({ closing }) => closing)].reduce((total, units) => total + units, 0n)
}
