import type { OwnerRequest } from '@bardo/store'
import type { Address } from 'viem'
import type { OwnerAnswer } from './ownerRequest.ts'

/** An owner who answers without being waited for. */
export type OwnerSeat = {
  readonly address: Address
  /** Undefined leaves a request waiting. */
  answer(request: OwnerRequest): Promise<OwnerAnswer | undefined>
}
