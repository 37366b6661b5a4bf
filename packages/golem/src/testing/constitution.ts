import { policyCage } from '@bardo/contracts'
import { cage, type Delegation } from '@bardo/core'
import { type DevnetConnection, devnetAccount } from '@bardo/devnet'
import { encodeFunctionData, type Hash, zeroHash } from 'viem'

/** A constitution for tests: the maximum shares of WETH and USDC, and its limits. */
export type TestConstitution = {
  /** In basis points; undefined if the asset is not approved. */
  readonly usdcBps?: number | undefined
  readonly wethBps?: number | undefined
  readonly perTxCents?: bigint
  readonly perSessionCents?: bigint
  readonly perDayCents?: bigint
  readonly maxDrawdownBps?: number
}

const wide = {
  usdcBps: 10_000,
  wethBps: 10_000,
  perTxCents: 1_000_000n,
  perSessionCents: 1_000_000n,
  perDayCents: 1_000_000n,
  maxDrawdownBps: 10_000,
}

/** Enacts a constitution that allows everything except the given changes. Returns its hash. */
export async function enact(world: DevnetConnection, change: TestConstitution): Promise<Hash> {
  const { usdcBps, wethBps, ...limits } = { ...wide, ...change }
  const shares = [
    { asset: world.addresses.usdc, maxShareBps: usdcBps },
    { asset: world.addresses.weth, maxShareBps: wethBps },
  ]
  const assets = shares
    .flatMap(({ asset, maxShareBps }) => (maxShareBps === undefined ? [] : [{ asset, maxShareBps }]))
    .toSorted((a, b) => (BigInt(a.asset) < BigInt(b.asset) ? -1 : 1))
  const content = { assets, limits: { ...limits, sessionSeconds: 3_600 }, document: zeroHash }
  const call = { abi: policyCage.abi, functionName: 'enact', args: [content] } as const
  const address = world.addresses.policyCage
  const { result } = await world.client.simulateContract({ address, ...call })
  await send(world, encodeFunctionData(call))
  return result
}

/** Changes a root so that its Cage has a constitution. */
export function underConstitution(constitution: Hash) {
  return (root: Delegation): Delegation => ({
    ...root,
    caveats: root.caveats.map((caveat) => ({
      ...caveat,
      terms: cage.encode({ ...cage.decode(caveat.terms), constitution }),
    })),
  })
}

/** The owner's transaction that adopts a constitution. */
export function adoption(world: DevnetConnection, hash: Hash) {
  const data = encodeFunctionData({ abi: policyCage.abi, functionName: 'adopt', args: [hash] })
  return { id: `adopt-${hash}`, to: world.addresses.policyCage, data }
}

async function send({ client, addresses }: DevnetConnection, data: `0x${string}`): Promise<void> {
  const account = devnetAccount('operator').address
  await client.impersonateAccount({ address: account })
  const hash = await client.sendTransaction({ account, to: addresses.policyCage, data })
  await client.waitForTransactionReceipt({ hash })
}
