import { formatMinute } from '@bardo/core'
import type { OwnerRequestKind } from '@bardo/golem'

/** By the kind of a request: what happens if its owner does nothing. */
const sentences: Readonly<Record<OwnerRequestKind, string>> = {
  revoke:
    'its delegations stay valid on the chain until they expire. It has ended, but a thief who has its key could still use them.',
  redelegate: 'it stays in observe-only mode, and its signed limits narrow while it publishes nothing.',
  feed: 'its permission ends on its date, and then it closes its positions and dies.',
  permit: 'nothing is moved.',
  grant: 'it stays in observe-only mode, and its signed limits narrow while it publishes nothing.',
  runway:
    'it gets no further runway. If its funds do not last, it moves to a later phase, may do less, and dies at the end.',
  sessionKey: 'its agent gets no further key.',
  policy: 'its present policy stays.',
  fund: 'nothing is sent. A key without gas can neither act nor publish.',
  missedTicks: 'it acts again as soon as a worker ticks it.',
  cosign: 'its action is not carried out.',
}

/** Until when a request can be answered, and what happens without an answer. */
export function inactionText({
  kind,
  expiresAt,
}: {
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number | null
}): { readonly deadline: string; readonly withoutAnswer: string } {
  const known: Readonly<Record<string, string | undefined>> = sentences
  return {
    deadline:
      expiresAt === null
        ? 'Open until you answer.'
        : `Open until ${formatMinute(Math.floor(expiresAt / 1_000))} UTC; after that it counts as refused.`,
    withoutAnswer: `If you do nothing: ${(Object.hasOwn(known, kind) ? known[kind] : undefined) ?? 'nothing is signed and nothing is sent.'}`,
  }
}
