import { policyCage } from '@bardo/contracts'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { players } from './harness.ts'

/** Enacts the constitution of every case: two assets, tight limits. */
export async function enactConstitution(world: Devnet): Promise<Hex> {
  const content = {
    assets: players.tokens.slice(0, 2).map((asset, place) => ({ asset, maxShareBps: 6_000 + 2_000 * place })),
    limits: {
      perTxCents: 9_000n,
      perSessionCents: 9_000n,
      perDayCents: 12_000n,
      sessionSeconds: 1_000,
      maxDrawdownBps: 5_000,
    },
    document: zeroHash,
  }
  const enact = { abi: policyCage.abi, functionName: 'enact', args: [content] } as const
  const { result } = await world.client.simulateContract({ address: world.addresses.policyCage, ...enact })
  const from = devnetAccount('operator').address
  await world.client.impersonateAccount({ address: from })
  const hash = await world.client.sendTransaction({
    account: from,
    to: world.addresses.policyCage,
    data: encodeFunctionData(enact),
  })
  await world.client.waitForTransactionReceipt({ hash })
  return result
}
