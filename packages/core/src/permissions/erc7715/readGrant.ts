import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'
import { BardoError } from '../../errors/BardoError.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address')
  .transform((value): Address => getAddress(value.toLowerCase()))
const hex = z
  .string()
  .max(2 * 131_072)
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'expected whole bytes in hex')
  .transform((value): Hex => `0x${value.slice(2)}`)
// Wallets and their versions differ: hex or a whole number.
const quantity = z.union([
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/, 'expected a number in hex')
    .transform((value) => BigInt(value)),
  z
    .int()
    .nonnegative()
    .transform((value) => BigInt(value)),
])
const seconds = z.int().nonnegative()

const permission = z.object({
  type: z.string().max(100),
  isAdjustmentAllowed: z.boolean().optional(),
  data: z.looseObject({
    tokenAddress: address.nullish(),
    periodAmount: quantity.nullish(),
    periodDuration: seconds.nullish(),
    startTime: seconds.nullish(),
    allowanceAmount: quantity.nullish(),
    amountPerSecond: quantity.nullish(),
    initialAmount: quantity.nullish(),
    maxAmount: quantity.nullish(),
  }),
})

const rule = z.object({ type: z.string().max(100), data: z.looseObject({}) })
const expiryData = z.object({ timestamp: seconds })
const addressesData = z.object({ addresses: z.array(address).min(1).max(100) })

const request = z.object({
  chainId: quantity,
  from: address.nullish(),
  to: address,
  permission,
  rules: z.array(rule).max(50).nullish(),
})

const response = request.extend({
  context: hex,
  delegationManager: address,
  dependencies: z
    .array(z.object({ factory: address, factoryData: hex }))
    .max(10)
    .nullish(),
})

// Older requests and answers: the grantee is the "signer", the account is "address", the expiry is not a
// rule, and the answer has the manager under "signerMeta".
const olderShape = z.looseObject({
  address: z.unknown().optional(),
  expiry: z.unknown().optional(),
  signer: z.looseObject({ data: z.looseObject({}) }).nullish(),
  signerMeta: z.looseObject({}).nullish(),
  dependencyInfo: z.unknown().optional(),
})

/** A permission as requested or as granted, with parsed numbers. */
export type ReadPermission = {
  readonly chainId: bigint
  readonly from: Address | undefined
  readonly to: Address
  readonly type: string
  readonly data: z.output<typeof permission>['data']
  readonly expiry: number | undefined
  readonly payees: readonly Address[] | undefined
  readonly redeemers: readonly Address[] | undefined
  /** Rule types that Bardo does not know. */
  readonly otherRules: readonly string[]
}

/** A wallet's grant: the permission, and what is needed to use it. */
export type ReadGrant = ReadPermission & {
  readonly context: Hex
  readonly delegationManager: Address
  readonly dependencies: readonly { readonly factory: Address; readonly factoryData: Hex }[]
}

/**
 * Reads a request, in the current shape or an older one.
 *
 * @example
 * const { type, data, expiry } = readRequest(request)
 */
export function readRequest(value: unknown): ReadPermission {
  return normalize(parse(request, toCurrent(value), 'request'))
}

/**
 * Reads a wallet's answer: one grant, or a list of grants. MetaMask up to version 0.8 of its permission Snap
 * answers with `signer`, `signerMeta` and `dependencyInfo`; later versions answer with `to`,
 * `delegationManager` and `dependencies`.
 *
 * @example
 * const answer = await wallet.request({ method: requestMethod, params: [request] })
 * const [grant] = readGrants(answer)
 */
export function readGrants(value: unknown): readonly ReadGrant[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0 || list.length > 50) throw malformed('answer', [`${list.length} grants`])
  return list.map((entry) => {
    const parsed = parse(response, toCurrent(entry), 'answer')
    const { context, delegationManager, dependencies } = parsed
    if (context === '0x') throw malformed('answer', ['context: empty'])
    return { ...normalize(parsed), context, delegationManager, dependencies: dependencies ?? [] }
  })
}

/** Renames the fields of older shapes. A field with its current name wins. */
function toCurrent(value: unknown): unknown {
  const older = olderShape.safeParse(value)
  if (!older.success) return value
  const { address, expiry, signer, signerMeta, dependencyInfo, ...rest } = older.data
  return {
    ...rest,
    from: rest['from'] ?? address,
    to: rest['to'] ?? signer?.data['address'] ?? signer?.data['id'],
    rules: rest['rules'] ?? (expiry === undefined ? [] : [{ type: 'expiry', data: { timestamp: expiry } }]),
    delegationManager: rest['delegationManager'] ?? signerMeta?.['delegationManager'],
    dependencies: rest['dependencies'] ?? dependencyInfo,
  }
}

function normalize({ chainId, from, to, permission, rules }: z.output<typeof request>): ReadPermission {
  const limits: {
    expiry: number | undefined
    payees: readonly Address[] | undefined
    redeemers: readonly Address[] | undefined
  } = { expiry: undefined, payees: undefined, redeemers: undefined }
  const otherRules: string[] = []
  const seen = new Set<string>()
  for (const { type, data } of rules ?? []) {
    if (seen.has(type)) throw malformed('permission', [`rules: ${type} is listed twice`])
    seen.add(type)
    if (type === 'expiry') limits.expiry = parse(expiryData, data, 'expiry rule').timestamp
    else if (type === 'payee') limits.payees = parse(addressesData, data, 'payee rule').addresses
    else if (type === 'redeemer') limits.redeemers = parse(addressesData, data, 'redeemer rule').addresses
    else otherRules.push(type)
  }
  return {
    chainId,
    from: from ?? undefined,
    to,
    type: permission.type,
    data: permission.data,
    ...limits,
    otherRules,
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw malformed(
    what,
    parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  )
}

function malformed(what: string, details: readonly string[]) {
  return new BardoError(`The wallet's ${what} cannot be read.`, { code: 'GRANT_MALFORMED', details })
}
