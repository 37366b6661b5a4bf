import type { Address } from 'viem'
import type { SmartAccount } from '../accounts/smartAccount.ts'
import type { Deployment } from '../deployments/deployment.ts'

/** An owner's account and the key that signs for it. */
export type OwnedAccount = {
  readonly deployment: Deployment
  readonly account: SmartAccount
  /** The owner's key. For an upgraded EOA it is the account itself. */
  readonly key: Address
}
