import { type CageTerms, canonicalJson, formatDollars, leastOf, targetKinds } from '@bardo/core'
import type { Store } from '@bardo/store'
import {
  type Address,
  erc20Abi,
  getAbiItem,
  type Hash,
  type Hex,
  sha256,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { z } from 'zod'
import type { CapabilityPolicy } from './policy.ts'

/** The names of the ready-made policies. */
export const policyTemplates = ['vault-participant', 'vault-manager', 'defi-trading', 'read-only'] as const

/** The name of a template. */
export type PolicyTemplate = (typeof policyTemplates)[number]

/** A wallet policy narrows what the owner signed for a Golem. It can never widen it. */
export type WalletPolicy = {
  readonly template: PolicyTemplate | 'custom'
  readonly targets: readonly Address[]
  readonly tokens: readonly Address[]
  /** Selectors. Null allows any. */
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

/** The grimoire key of a Golem's wallet policy: the one in force. */
export const policyKey = 'wallet.policy'
/** Every policy that was ever in force has an entry below this prefix, in order of time. */
const historyPrefix = 'wallet.policyHistory.'

const approve = toFunctionSelector(getAbiItem({ abi: erc20Abi, name: 'approve' }))

/** The heartbeat's own limit of actions in an hour. */
const everyAction = 60

/** Builds a template's policy from the signed terms: a part of them, never more. */
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

/** The wallet policy of a Golem; undefined if it may use everything that was signed. */
export async function readWalletPolicy(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<WalletPolicy | undefined> {
  const entry = await store.grimoire.get(golem, policyKey)
  return entry && walletPolicySchema.parse(entry.body)
}

/**
 * Puts a policy into force, and adds it to the history. Call it in a transaction: the two entries belong
 * together.
 *
 * @param at - in Unix milliseconds
 */
export async function keepWalletPolicy(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  policy: WalletPolicy,
  at: number,
): Promise<void> {
  const now = await readWalletPolicy({ grimoire }, golem)
  if (now && walletPolicyHash(now) === walletPolicyHash(policy)) return
  const body = { ...policy }
  const key = `${historyPrefix}${`${at}`.padStart(15, '0')}.${walletPolicyHash(policy).slice(2, 10)}`
  await grimoire.put({ golem, key, kind: 'policy', body })
  await grimoire.put({ golem, key: policyKey, kind: 'policy', body })
}

/** Every policy that was put into force, the oldest first, with its time in Unix milliseconds. */
export async function readPolicyHistory(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly { readonly at: number; readonly policy: WalletPolicy }[]> {
  const history = []
  for (let after = ''; ; ) {
    const page = await grimoire.list({ golem, prefix: historyPrefix, after })
    for (const { key, body } of page)
      history.push({
        at: Number(key.slice(historyPrefix.length).split('.')[0]),
        policy: walletPolicySchema.parse(body),
      })
    const last = page.at(-1)
    if (!last) return history
    after = last.key
  }
}

/** The intersection of the signed policy and the wallet policy. */
export function narrowPolicy(signed: CapabilityPolicy, chosen: WalletPolicy | undefined): CapabilityPolicy {
  if (!chosen) return signed
  const { rate, maxValueCents } = signed
  return {
    ...signed,
    targets: signed.targets.filter((one) => has(chosen.targets, one)),
    tokens: signed.tokens.filter((one) => has(chosen.tokens, one)),
    ...(chosen.methods && { methods: withApproval(chosen.methods) }),
    maxValueCents: leastOf(maxValueCents, chosen.maxValueCents),
    rate: { ...rate, most: Math.min(rate.most, chosen.mostPerHour) },
  }
}

/**
 * Adds `approve` to a list of methods: a deposit or a swap is sent with the approval that it uses up. The
 * chain refuses an action that leaves an approval behind.
 */
function withApproval(methods: readonly Hex[]): readonly Hex[] {
  return methods.length === 0 || has(methods, approve) ? methods : [...methods, approve]
}

/** Describes where the new policy allows more than the old one. Empty if it allows nothing more. */
export function widerIn(before: WalletPolicy, after: WalletPolicy): readonly string[] {
  const beyond = (what: string, was: readonly Hex[], is: readonly Hex[]) =>
    is.filter((one) => !has(was, one)).map((one) => `new: ${what} ${one}`)
  const methods =
    before.methods === null
      ? []
      : after.methods === null
        ? ['any method instead of a list of methods']
        : beyond('method', before.methods, after.methods)
  return [
    ...beyond('contract', before.targets, after.targets),
    ...beyond('token', before.tokens, after.tokens),
    ...methods,
    ...(after.maxValueCents > before.maxValueCents
      ? [`${after.maxValueCents} instead of ${before.maxValueCents} cents per action`]
      : []),
    ...(after.mostPerHour > before.mostPerHour
      ? [`${after.mostPerHour} instead of ${before.mostPerHour} actions per hour`]
      : []),
  ]
}

/** The identity of a policy. The order of its lists and the letter case of its addresses do not matter. */
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

/** Describes a policy in one sentence. */
export function policySentence({
  template,
  targets,
  methods,
  maxValueCents,
  mostPerHour,
}: WalletPolicy): string {
  const named = methods === null ? 'any signed method' : `${methods.length} methods`
  return `${template}: ${targets.length} contracts, ${named}, at most ${formatDollars(maxValueCents)} per action and ${mostPerHour} actions per hour.`
}

const has = (list: readonly Hex[], one: Hex) =>
  list.some((member) => member.toLowerCase() === one.toLowerCase())
