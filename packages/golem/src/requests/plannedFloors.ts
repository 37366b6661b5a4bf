import { readFloors } from '@bardo/chain'
import type { VaultFloor } from '@bardo/core'
import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { beyond } from './requireBounded.ts'

/** A vault's rate may rise between a plan and its signature. */
const lowestPercent = 98n

/**
 * The planned floors of vaults. A plan may come from a stored row, and a lower floor would let more leave: throws for a
 * floor that is missing or lower than the vault's rate allows.
 */
export async function plannedFloors(
  client: PublicClient,
  vaults: readonly Address[],
  planned: readonly VaultFloor[],
  floorBps?: number,
): Promise<readonly VaultFloor[]> {
  const floors = planned.filter(({ vault }) => vaults.some((one) => isAddressEqual(one, vault)))
  for (const { vault, floor } of await readFloors(client, vaults, floorBps)) {
    const given = floors.find((one) => isAddressEqual(one.vault, vault))
    if (!given || given.floor * 100n < floor * lowestPercent)
      throw beyond([
        `the floor of vault ${vault} is ${given?.floor ?? 'missing'}`,
        `its rate allows ${floor}`,
      ])
  }
  return floors
}
