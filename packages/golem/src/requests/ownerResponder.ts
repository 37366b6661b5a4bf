import type { OwnerRequest } from '@bardo/store'
import type { Address } from 'viem'
import type { NarrowedRequest } from './narrowRequest.ts'
import type { OwnerAnswer } from './ownerRequest.ts'

/** Answers requests for an owner without a person. */
export type OwnerResponder = {
  readonly address: Address
  /** Undefined leaves the request pending. */
  answer(request: OwnerRequest, less?: NarrowedRequest): Promise<OwnerAnswer | undefined>
}
