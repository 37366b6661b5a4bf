import { type CageTerms, leastOf, targetKinds } from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, type Hex, sha256, stringToHex } from 'viem'
import { z } from 'zod'
import { canonicalJson } from '../capability/canonicalJson.ts'
import type { CapabilityPolicy } from '../capability/policy.ts'

/** The policies that need no words. Origin: spec 004. */
export const policyTemplates = ['vault-participant', 'vault-manager', 'defi-trading', 'read-only'] as const

/** The name of a template. */
export type PolicyTemplate = (typeof policyTemplates)[number]

/** What a Golem's wallet lets through beside what the owner signed. It can widen nothing. */
export type WalletPolicy = {
  readonly template: PolicyTemplate | 'custom'
  readonly targets: readonly Address[]
  readonly tokens: readonly Address[]
  /** Selectors; null for any. */
  readonly methods: readonly Hex[] | null
  readonly maxValueCents: bigint
  readonly mostPerHour: number
}

const hex = z.templateLiteral(['0x', z.string()])

/** A policy as it is stored. */
export const walletPolicySchema: z.ZodType<WalletPolicy> = z.strictObject({
  template: z.enum([...policyTemplates, 'custom']),
  targets: z.array(hex),
  tokens: z.array(hex),
  methods: z.array(hex).nullable(),
  maxValueCents: z.bigint(),
  mostPerHour: z.number(),
})

/** Where a Golem's policy is written. */
export const policyKey = 'wallet.policy'

/** As many as the heartbeat itself allows in an hour. */
const everyAction = 60

/** A template for what was signed: a part of it, never more. */
export function policyFrom(template: PolicyTemplate, { mandate, dollarsByPhase }: CageTerms): WalletPolicy {
  const cents = BigInt(dollarsByPhase[0]) * 100n
  const addresses = (targets: CageTerms['mandate']['targets']) => targets.map(({ address }) => address)
  const tokens = mandate.assets.map(({ token }) => token)
  const vaults = addresses(mandate.targets.filter(({ kind }) => kind === targetKinds.vault))
  const every = { template, tokens, methods: null, maxValueCents: cents, mostPerHour: everyAction }
  switch (template) {
    case 'defi-trading':
      return { ...every, targets: addresses(mandate.targets) }
    case 'vault-manager':
      return { ...every, targets: vaults }
    case 'vault-participant':
      return { ...every, targets: vaults, maxValueCents: cents / 2n }
    case 'read-only':
      return { ...every, targets: [], tokens: [], maxValueCents: 0n, mostPerHour: 0 }
  }
}

/** The policy that was chosen for a Golem; undefined for all that was signed. */
export async function readWalletPolicy(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<WalletPolicy | undefined> {
  const entry = await store.grimoire.get(golem, policyKey)
  return entry && walletPolicySchema.parse(entry.body)
}

/** What both let through. */
export function narrowPolicy(signed: CapabilityPolicy, chosen: WalletPolicy | undefined): CapabilityPolicy {
  if (!chosen) return signed
  const { rate, maxValueCents } = signed
  return {
    ...signed,
    targets: signed.targets.filter((one) => has(chosen.targets, one)),
    tokens: signed.tokens.filter((one) => has(chosen.tokens, one)),
    ...(chosen.methods && { methods: chosen.methods }),
    maxValueCents: leastOf(maxValueCents, chosen.maxValueCents),
    rate: { ...rate, most: Math.min(rate.most, chosen.mostPerHour) },
  }
}

/** In what one policy lets more through than another; empty where it is within it. */
export function widerIn(before: WalletPolicy, after: WalletPolicy): readonly string[] {
  const beyond = (what: string, was: readonly Hex[], is: readonly Hex[]) =>
    is.filter((one) => !has(was, one)).map((one) => `${what} ${one} is new`)
  const methods =
    before.methods === null
      ? []
      : after.methods === null
        ? ['any method, where only some were allowed']
        : beyond('method', before.methods, after.methods)
  return [
    ...beyond('contract', before.targets, after.targets),
    ...beyond('token', before.tokens, after.tokens),
    ...methods,
    ...(after.maxValueCents > before.maxValueCents
      ? [`${after.maxValueCents} cents an action, where ${before.maxValueCents} were allowed`]
      : []),
    ...(after.mostPerHour > before.mostPerHour
      ? [`${after.mostPerHour} actions an hour, where ${before.mostPerHour} were allowed`]
      : []),
  ]
}

/** What a policy is known by. The order of its lists and how addresses are written do not matter. */
export function walletPolicyHash(policy: WalletPolicy): Hash {
  const plain = (list: readonly Hex[]) => [...new Set(list.map((one) => one.toLowerCase()))].toSorted()
  const { targets, tokens, methods } = policy
  const normal = {
    ...policy,
    targets: plain(targets),
    tokens: plain(tokens),
    methods: methods && plain(methods),
  }
  return sha256(stringToHex(canonicalJson(normal)))
}

/** A policy in a sentence. */
export function policySentence({
  template,
  targets,
  methods,
  maxValueCents,
  mostPerHour,
}: WalletPolicy): string {
  const named = methods === null ? 'any signed method' : `${methods.length} methods`
  return `${template}: ${targets.length} contracts, ${named}, at most $${(Number(maxValueCents) / 100).toFixed(2)} an action and ${mostPerHour} actions an hour.`
}

const has = (list: readonly Hex[], one: Hex) =>
  list.some((known) => known.toLowerCase() === one.toLowerCase())
