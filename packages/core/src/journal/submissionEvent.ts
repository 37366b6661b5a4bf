import type { Address, Hash } from 'viem'

/**
 * What a submitter reports about a key's nonces. It returns everything else to its caller or writes it to the
 * journal.
 */
export type SubmissionEvent =
  /**
   * A reorganisation removed the block of an intent that had settled. The intent is open again: a success is
   * sent again, and a self-transfer uses up the nonce of a reverted one.
   */
  | {
      readonly name: 'submission.landingUndone'
      readonly from: Address
      readonly nonce: number
      readonly intent: string
      readonly transaction: Hash
    }
  /** An intent whose landing was undone landed again. This status replaces the one reported before. */
  | {
      readonly name: 'submission.landedAgain'
      readonly from: Address
      readonly nonce: number
      readonly intent: string
      readonly transaction: Hash
      readonly status: 'success' | 'reverted'
    }
  /**
   * The chain waited for a nonce below the lowest open one: a stored transaction or a self-transfer uses it
   * up. `intent` is set if the nonce belonged to an intent, which therefore no longer lands.
   */
  | {
      readonly name: 'submission.gapClosed'
      readonly from: Address
      readonly nonce: number
      readonly by: 'storedTransaction' | 'selfTransfer'
      readonly intent?: string
    }
  /**
   * The node reports a higher nonce than the journal, and shows nothing that used it. Until then no nonce is
   * claimed.
   */
  | {
      readonly name: 'submission.nonceDoubted'
      readonly from: Address
      readonly answered: number
      readonly expected: number
    }
