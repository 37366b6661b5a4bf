import type { OwnerRequest } from '@bardo/store'
import type { Address } from 'viem'
import type { Less } from './lessOf.ts'
import type { OwnerAnswer } from './ownerRequest.ts'

/** An owner who answers when asked. */
export type OwnerSeat = {
  readonly address: Address
  /** Undefined leaves a request waiting. */
  answer(request: OwnerRequest, less?: Less): Promise<OwnerAnswer | undefined>
}
