import type { PermissionResponse, PermissionTypes } from '@metamask/7715-permission-types'
import type { Delegation } from '@metamask/delegation-core'
import type { Hash, Hex } from 'viem'

/** A grant that the owner signed. */
export type Grant = {
  /** What the page received. */
  readonly response: PermissionResponse<PermissionTypes>
  readonly delegation: Delegation<Hex>
  readonly hash: Hash
}
