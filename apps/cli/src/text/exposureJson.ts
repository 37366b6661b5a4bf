import type { Exposure, Sum, Uncounted } from '@bardo/core'

/** A sum as JSON: cents as text, or null with the reasons if there is no limit. */
export type SumJson = { readonly cents: string | null; readonly unboundedBecause: readonly string[] }

/** What can leave, until when, and what a thief of the keys can take. */
export type ExposureJson = {
  readonly nextDay: SumJson
  readonly untilTheEnd: SumJson
  /** Unix seconds; null if a permission has no end, or if there is none. */
  readonly endsAt: number | null
  /** In the next 24 hours. */
  readonly ifStolen: SumJson & {
    readonly causes: readonly {
      readonly type: string
      readonly bps?: number
      readonly cents?: string
    }[]
    readonly assumes: readonly string[]
    /** If what is assumed is wrong. */
    readonly otherwise: SumJson
  }
  /** What the sums leave out, one sentence each. */
  readonly notIncluded: readonly string[]
}

/** An exposure as plain JSON. */
export function exposureJson({ day, end, endsAt, haul, uncounted }: Exposure): ExposureJson {
  return {
    nextDay: sumJson(day),
    untilTheEnd: sumJson(end),
    endsAt: endsAt === undefined ? null : Number(endsAt),
    ifStolen: {
      ...sumJson(haul.loss),
      causes: haul.causes.map((cause) => ('cents' in cause ? { ...cause, cents: `${cause.cents}` } : cause)),
      assumes: haul.assumes,
      otherwise: sumJson(haul.worst),
    },
    notIncluded: [...new Set(uncounted.map(uncountedText))],
  }
}

function sumJson(sum: Sum): SumJson {
  return sum.type === 'bounded'
    ? { cents: `${sum.cents}`, unboundedBecause: [] }
    : { cents: null, unboundedBecause: sum.because }
}

function uncountedText(part: Uncounted): string {
  switch (part.type) {
    case 'usage':
      return `what is already used of ${part.caveat}: it counts as unused`
    case 'price':
      return `${part.amount ?? 'an unlimited amount of'} base units of ${part.token}, which has no price`
    case 'shares':
      return part.hasFloor
        ? `shares in the vault ${part.vault} that the account holds, between their rate and the signed floor`
        : `shares in the vault ${part.vault} that the account holds: no floor is signed`
    case 'method':
      return `tokens outside the list that the signed method ${part.selector} of ${part.target} can move`
  }
}
