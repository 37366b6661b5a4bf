import type { BoundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'

/** The kind under the rules of one version of its enforcer. */
export function underRules<Terms>(kind: BoundKind<Terms>, rules: RulesVersion): BoundKind<Terms> {
  const { leaves, usageReads, usage } = kind
  return {
    ...kind,
    encode: (terms) => kind.encode(terms, rules),
    decode: (terms) => kind.decode(terms, rules),
    reads: (terms, context) => kind.reads(terms, { ...context, rules }),
    evaluate: (terms, context) => kind.evaluate(terms, { ...context, rules }),
    ...(leaves && { leaves: (terms, context) => leaves(terms, { ...context, rules }) }),
    ...(usageReads && { usageReads: (terms, row) => usageReads(terms, { ...row, rules }) }),
    ...(usage && { usage: (terms, row, state) => usage(terms, { ...row, rules }, state) }),
  }
}
