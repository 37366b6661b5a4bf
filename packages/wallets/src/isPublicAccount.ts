import { type Address, getAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The words that anvil and hardhat start with. */
const publicMnemonic = 'test test test test test test test test test test test junk'
const publicAccounts = 20

let known: ReadonlySet<Address> | undefined

/** Whether an account's key is printed by every anvil in the world. */
export function isPublicAccount(address: Address): boolean {
  // Turning words into keys is slow by design: it is done once, and only where it is asked.
  known ??= new Set(
    Array.from(
      { length: publicAccounts },
      (_, addressIndex) => mnemonicToAccount(publicMnemonic, { addressIndex }).address,
    ),
  )
  return known.has(getAddress(address))
}
