import { cageEnforcer } from '@bardo/contracts'
import type { Devnet } from '@bardo/devnet'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256 } from 'viem'
import type { Call } from '../../redemption/encodeExecution.ts'
import type { HookContext } from '../caveatKind.ts'
import { scriptOf, stubCallerCode, stubCode } from './stubContracts.ts'

const cast = (index: number) => `0x${(0xbb00 + index).toString(16).padStart(40, '0')}` as Address

/** The addresses in the comparison with the EVM. Stubs return the answers that they are given. */
export const players = {
  account: cast(1),
  manager: cast(2),
  redeemer: cast(3),
  payee: cast(4),
  author: cast(5),
  stranger: cast(6),
  router: cast(7),
  universalRouter: cast(8),
  spawner: cast(9),
  publisher: cast(10),
  market: cast(11),
  // Stubs.
  tokens: [cast(32), cast(33), cast(34)] as readonly Address[],
  feeds: [cast(48), cast(49), cast(50)] as readonly Address[],
  vault: cast(64),
  positionManager: cast(65),
  factory: cast(66),
  pool: cast(67),
  otherPool: cast(68),
  sequencer: cast(69),
  contractKey: cast(70),
  otherVault: cast(71),
} as const

export const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** Replaces the vitals, Permit2 and all other addresses by stubs, and the manager by a script runner. */
export async function setStage({ client, addresses }: Devnet): Promise<void> {
  const { tokens, feeds, vault, otherVault, positionManager, factory, pool, otherPool } = players
  const { sequencer, contractKey } = players
  const single = [vault, otherVault, positionManager, factory, pool, otherPool, sequencer, contractKey]
  for (const address of [...tokens, ...feeds, ...single, permit2, addresses.golemVitals])
    await client.setCode({ address, bytecode: stubCode })
  await client.setCode({ address: players.manager, bytecode: stubCallerCode })
}

/** The storage of a case, by contract. */
export type Storage = Readonly<Record<Address, Readonly<Record<Hex, Hex>>>>

/** The result of a script: undefined for success, else the failed call and its revert data. */
export type Ending = { readonly failed: number; readonly data: Hex } | undefined

/** Runs a script at a block time, with the given storage; nothing is persisted. */
export async function play(
  url: string,
  calls: readonly Call[],
  timestamp: bigint,
  storage: Storage,
): Promise<Ending> {
  const overrides = Object.fromEntries(
    Object.entries(storage).map(([address, stateDiff]) => [address, { stateDiff }]),
  )
  const call = { from: players.redeemer, to: players.manager, data: scriptOf(calls), gas: '0x1c9c380' }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [call, 'latest', overrides, { time: `0x${timestamp.toString(16)}` }],
    }),
  })
  const { error } = (await response.json()) as { error?: { data?: Hex; message: string } }
  if (!error) return undefined
  const data = error.data ?? '0x'
  const place = Number.parseInt(data.slice(2, 66), 16)
  let [failed, start] = [0, 0]
  while (start < place) {
    start += 64 + ((calls[failed]?.data?.length ?? 2) - 2) / 2
    failed += 1
  }
  return data.length < 66
    ? { failed: -1, data: `0x${error.message}` }
    : { failed, data: `0x${data.slice(66)}` }
}

/** The calldata of a hook; all enforcers have the same hooks. */
export function hookData(
  functionName: 'beforeHook' | 'afterHook',
  terms: Hex,
  { args, execution, delegationHash, delegator, redeemer }: Omit<HookContext, 'before'>,
): Hex {
  const { mode, calldata } = execution
  return encodeFunctionData({
    abi: cageEnforcer.abi,
    functionName,
    args: [terms, args, mode, calldata, delegationHash, delegator, redeemer],
  })
}

/** The storage slot of a mapping entry. */
export function mappingSlot(key: Hex, slot: Hex | bigint): Hex {
  const place = typeof slot === 'bigint' ? (`0x${slot.toString(16).padStart(64, '0')}` as Hex) : slot
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [key, place]))
}
