import * as version1 from '@bardo/contracts/earlier/version1'
import { deploymentCall } from '@bardo/deploy'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import { type Abi, createWalletClient, encodeDeployData, type Hex, http, stringToHex } from 'viem'

/** Deploys the enforcers of version 1 at the addresses of a 0.1 devnet. A new devnet has only version 2. */
export async function deployEarlier({ addresses, chain, url }: Devnet): Promise<void> {
  const wallet = createWalletClient({ account: devnetAccount('operator'), chain, transport: http(url) })
  const argumentByName: Readonly<Record<string, Hex>> = {
    vitals_: addresses.golemVitals,
    policyCage_: addresses.policyCage,
  }
  for (const { abi, bytecode } of Object.values<{ abi: Abi; bytecode: Hex }>(version1)) {
    const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
    const args = inputs.map(({ name = '' }) => argumentByName[name])
    const initCode = inputs.length === 0 ? bytecode : encodeDeployData({ abi, bytecode, args })
    const { status } = await wallet.sendTransactionSync(
      deploymentCall({ salt: stringToHex('Bardo', { size: 32 }), initCode }),
    )
    if (status !== 'success') throw new Error('a deployment reverted')
  }
}
