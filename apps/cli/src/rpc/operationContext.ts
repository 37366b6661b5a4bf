import { devnetAccount } from '@bardo/devnet'
import type { OperationContext } from '@bardo/operations'
import { type Address, erc20Abi, parseUnits } from 'viem'
import type { ChainConnection } from '../context/findChain.ts'
import type { Context } from '../context/openContext.ts'
import { localGas } from '../context/ownerWallet.ts'

/** One person uses a data folder. */
const localUser = 'local'
/** The starting balance of an owner on the local chain. */
const firstDollars = parseUnits('10000', 6)

/** The context of an owner's operations. On the local chain, the operator pays for deployments and registrations. */
export function operationContext(
  context: Context,
  note?: (text: string) => void,
): Omit<OperationContext, 'owner'> {
  const { chain, store, clock, secret, open, partsOf } = context
  const { client, deployment, book, submitter, world } = chain
  const { finality } = submitter
  return {
    user: localUser,
    client,
    deployment,
    book,
    store,
    clock,
    secret,
    submitter,
    env: context.settings.env,
    runtime: { open, partsOf },
    ...(typeof finality === 'number' && { confirmations: finality }),
    ...(world && {
      sponsor: context.submitterOf(devnetAccount('operator')),
      leastGas: localGas,
      onAccount: (account) => giveMoney(chain, account),
    }),
    ...(note && { note }),
  }
}

/** On the local chain, gives an empty account test money: without any it could not trade. */
async function giveMoney({ world, client }: ChainConnection, account: Address): Promise<void> {
  if (!world) return
  const balance = await client.readContract({
    address: world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
  if (balance === 0n) await world.fund(account, { USDC: firstDollars })
}
