import { compileStrategy } from '@bardo/core'

/** A sentence of a strategy. */
export type SignedSentence = { readonly line: number; readonly sentence: string }

/** By the code of a refusal: the limits that can have caused it, as the strategy compiler names them. */
const limitsOf: Readonly<Record<string, RegExp>> = {
  SPEND_LIMIT_EXCEEDED: /^(dayCents|sizeCents|sizeShares|totals\[.*|vaultNav|floor)$/,
  TOO_SOON: /^cadenceSeconds$/,
  PRICE_MOVED: /^slippageBps$/,
  ACTION_NOT_ALLOWED: /^(pair .*|class .*)$/,
  REDEMPTION_REFUSED: /^(pair .*|class .*)$/,
  DELEGATION_EXPIRED: /^window$/,
  MOOD_OUT_OF_BOUNDS: /^mood$/,
  TOO_FEW_SIGNATURES: /^coSigners$/,
}

/** The sentences of a signed strategy that a refusal with this code is about; empty for a default and for another code. */
export function signedSentences(strategy: string, code: string): readonly SignedSentence[] {
  const limit = Object.hasOwn(limitsOf, code) ? limitsOf[code] : undefined
  if (!limit) return []
  // The time only sets the signed window.
  const { reasons } = compileStrategy(strategy, { now: 0n }).plan
  const all = reasons
    .filter(({ permission }) => limit.test(permission))
    .flatMap(({ because }) => because.map(({ line, sentence }) => ({ line, sentence })))
  return all.filter(({ line }, at) => all.findIndex((other) => other.line === line) === at)
}
