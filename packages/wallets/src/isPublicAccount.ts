import { type Address, getAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The default mnemonic of anvil and hardhat. */
const publicMnemonic = 'test test test test test test test test test test test junk'
const publicAccounts = 20

let publicAddresses: ReadonlySet<Address> | undefined

/** Whether an account's key is one of anvil's default keys, which everyone knows. */
export function isPublicAccount(address: Address): boolean {
  // Deriving keys from a mnemonic is slow by design: it happens once, and only if needed.
  publicAddresses ??= new Set(
    Array.from(
      { length: publicAccounts },
      (_, addressIndex) => mnemonicToAccount(publicMnemonic, { addressIndex }).address,
    ),
  )
  return publicAddresses.has(getAddress(address))
}
