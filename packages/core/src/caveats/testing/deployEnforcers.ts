import * as current from '@bardo/contracts'
import * as version1 from '@bardo/contracts/earlier/version1'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import { type Abi, type Address, encodeDeployData, type Hex } from 'viem'
import { bardoCaveats } from '../bardoCaveats.ts'
import type { RulesVersion } from '../caveatKind.ts'

/** The kinds in the list of caveats. */
export type CaveatName = keyof typeof bardoCaveats

type Contract = { readonly abi: Abi; readonly bytecode: Hex }
type Contracts = Readonly<Partial<Record<`${CaveatName}Enforcer`, Contract>>>

/** The enforcers whose bytecode differs between versions; the others are the same contract in both. */
export const earlierKinds = (Object.keys(bardoCaveats) as CaveatName[]).filter(
  (name) => `${name}Enforcer` in version1,
)

/** Deploys the enforcers of one version for a manager, and returns their addresses. */
export async function deployEnforcers(
  world: Devnet,
  rules: RulesVersion,
  manager: Address,
): Promise<Readonly<Record<CaveatName, Address>>> {
  const contracts: Contracts = rules === 1 ? { ...current, ...version1 } : current
  const known: Readonly<Record<string, Address>> = {
    vitals_: world.addresses.golemVitals,
    policyCage_: world.addresses.policyCage,
    delegationManager_: manager,
  }
  const names = Object.keys(bardoCaveats) as CaveatName[]
  const addresses: [CaveatName, Address][] = []
  for (const name of names) {
    const contract = contracts[`${name}Enforcer`]
    if (!contract) throw new Error(`There is no contract ${name}Enforcer.`)
    addresses.push([name, await deploy(world, contract, known)])
  }
  return Object.fromEntries(addresses) as Record<CaveatName, Address>
}

async function deploy(
  { client }: Devnet,
  { abi, bytecode }: Contract,
  known: Readonly<Record<string, Address>>,
): Promise<Address> {
  const inputs = abi.find(({ type }) => type === 'constructor')
  const args = inputs && 'inputs' in inputs ? inputs.inputs.map(({ name }) => known[name ?? '']) : []
  const from = devnetAccount('operator').address
  await client.impersonateAccount({ address: from })
  const hash = await client.sendTransaction({
    account: from,
    data: args.length === 0 ? bytecode : encodeDeployData({ abi, bytecode, args }),
  })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The transaction deployed nothing.')
  return contractAddress.toLowerCase() as Address
}
