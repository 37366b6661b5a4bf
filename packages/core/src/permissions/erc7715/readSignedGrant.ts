import { type Address, getAddress, type Hex, maxUint256 } from 'viem'
import { allowedCalldata } from '../../caveats/metamask/allowedCalldata.ts'
import { allowedTargets } from '../../caveats/metamask/allowedTargets.ts'
import { erc20PeriodTransfer } from '../../caveats/metamask/erc20PeriodTransfer.ts'
import { erc20Streaming } from '../../caveats/metamask/erc20Streaming.ts'
import { exactCalldata } from '../../caveats/metamask/exactCalldata.ts'
import { nativeTokenPeriodTransfer } from '../../caveats/metamask/nativeTokenPeriodTransfer.ts'
import { nativeTokenStreaming } from '../../caveats/metamask/nativeTokenStreaming.ts'
import { redeemer } from '../../caveats/metamask/redeemer.ts'
import { timestamp } from '../../caveats/metamask/timestamp.ts'
import { valueLte } from '../../caveats/metamask/valueLte.ts'
import { decodeContext } from '../../delegation/context.ts'
import type { Caveat, Delegation } from '../../delegation/delegation.ts'
import { BardoError } from '../../errors/BardoError.ts'
import type { ReadPermission } from './readGrant.ts'

/** The content of a grant's signed bytes. The wallet's JSON is not used. */
export type SignedGrant = {
  /** Leaf first; a wallet's grant has one link. */
  readonly links: readonly Delegation[]
  /**
   * Without the chain id, which is only in the signature. The type is `none` if no caveat limits an amount.
   */
  readonly permission: Omit<ReadPermission, 'chainId'>
  /** Maximum native currency beside a token transfer; undefined if unlimited. */
  readonly maxValue: bigint | undefined
  /** The only allowed calldata beside native currency; undefined if any is allowed. */
  readonly calldata: Hex | undefined
  /** Whether incrementing the account's nonce ends it. */
  readonly hasNonce: boolean
  /** Caveats that no ERC-7715 permission needs. */
  readonly others: readonly OtherCaveat[]
}

/** An additional caveat beside the permission. */
export type OtherCaveat = {
  /** Undefined for an enforcer that is not one of the framework's. */
  readonly name: string | undefined
  readonly caveat: Caveat
}

type Amount = Pick<ReadPermission, 'type' | 'data'>

/** The parts read so far, each at most once. */
type GrantParts = {
  amount?: Amount
  expiry?: number
  redeemers?: readonly Address[]
  payees?: readonly Address[]
  maxValue?: bigint
  calldata?: Hex
  nonce?: true
}

/**
 * Reads what a grant's permission context really allows.
 *
 * @param caveatEnforcers - the framework's, keyed by the kit's names, from the deployment and never from the
 * grant
 *
 * @example
 * const signed = readSignedGrant(grant.context, environment.caveatEnforcers)
 */
export function readSignedGrant(
  context: Hex,
  caveatEnforcers: Readonly<Record<string, Address>>,
): SignedGrant {
  const names = new Map(
    Object.entries(caveatEnforcers).map(([name, address]) => [
      address.toLowerCase(),
      name.replace(/Enforcer$/, ''),
    ]),
  )
  const links = decodeContext(context)
  const caveats = links.flatMap((link) =>
    link.caveats.map((caveat) => ({ name: names.get(caveat.enforcer.toLowerCase()), caveat })),
  )
  const amount = caveats.find(({ name }) => name !== undefined && amounts.includes(name))
  const besides = beside[amount?.name?.startsWith('ERC20') ? 'token' : 'native']
  const parts: GrantParts = {}
  const others: OtherCaveat[] = []
  for (const other of caveats) {
    const { name, caveat } = other
    const part = name !== undefined && besides.includes(name) ? undefined : partOf(name, caveat.terms)
    // All caveats apply together, so a second one of the same kind can only narrow.
    if (!part || Object.keys(part).some((key) => key in parts)) others.push(other)
    else Object.assign(parts, part)
  }
  const { maxValue, calldata, nonce } = parts
  return {
    links,
    permission: permissionOf(parts, links),
    maxValue,
    calldata,
    hasNonce: nonce === true,
    others,
  }
}

const amounts = ['ERC20PeriodTransfer', 'NativeTokenPeriodTransfer', 'ERC20Streaming', 'NativeTokenStreaming']
/** A caveat on payee or calldata belongs to one type of permission, and is additional in the other type. */
const beside = { token: ['AllowedTargets', 'ExactCalldata'], native: ['AllowedCalldata', 'ValueLte'] }

function permissionOf(parts: GrantParts, links: readonly Delegation[]): SignedGrant['permission'] {
  const { amount, expiry, redeemers, payees } = parts
  const [leaf, root] = [links[0], links.at(-1)]
  if (!leaf || !root)
    throw new BardoError('The permission context contains no delegation.', { code: 'DELEGATION_MALFORMED' })
  return {
    from: getAddress(root.delegator),
    to: getAddress(leaf.delegate),
    type: amount?.type ?? 'none',
    data: amount?.data ?? {},
    expiry,
    payees,
    redeemers,
    otherRules: [],
  }
}

/** The part of a permission that a caveat expresses; undefined for other caveats and unreadable terms. */
function partOf(name: string | undefined, terms: Hex): GrantParts | undefined {
  try {
    return readPart(name, terms)
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}

function readPart(name: string | undefined, terms: Hex): GrantParts | undefined {
  switch (name) {
    case 'ERC20PeriodTransfer': {
      const { token, ...period } = erc20PeriodTransfer.decode(terms)
      return { amount: periodic('erc20-token', period, { tokenAddress: getAddress(token) }) }
    }
    case 'NativeTokenPeriodTransfer':
      return { amount: periodic('native-token', nativeTokenPeriodTransfer.decode(terms)) }
    case 'ERC20Streaming': {
      const { token, ...stream } = erc20Streaming.decode(terms)
      return { amount: streaming('erc20-token', stream, { tokenAddress: getAddress(token) }) }
    }
    case 'NativeTokenStreaming':
      return { amount: streaming('native-token', nativeTokenStreaming.decode(terms)) }
    case 'Timestamp': {
      const { afterThreshold, beforeThreshold } = timestamp.decode(terms)
      return afterThreshold === 0 && beforeThreshold > 0 ? { expiry: beforeThreshold } : undefined
    }
    case 'Redeemer':
      return { redeemers: redeemer.decode(terms).redeemers.map((address) => getAddress(address)) }
    case 'AllowedTargets':
      return { payees: allowedTargets.decode(terms).targets.map((address) => getAddress(address)) }
    case 'AllowedCalldata': {
      const recipient = recipientIn(allowedCalldata.decode(terms))
      return recipient && { payees: [recipient] }
    }
    case 'ValueLte':
      return { maxValue: valueLte.decode(terms).maxValue }
    case 'ExactCalldata':
      return { calldata: exactCalldata.decode(terms).calldata }
    case 'Nonce':
      return { nonce: true }
    default:
      return undefined
  }
}

type Period = { readonly amount: bigint; readonly duration: bigint; readonly start: bigint }

/** MetaMask encodes an allowance as a period that never ends. */
function periodic(
  of: string,
  { amount, duration, start }: Period,
  token: { tokenAddress?: Address } = {},
): Amount {
  const startTime = Number(start)
  return duration === maxUint256
    ? { type: `${of}-allowance`, data: { ...token, allowanceAmount: amount, startTime } }
    : {
        type: `${of}-periodic`,
        data: { ...token, periodAmount: amount, periodDuration: Number(duration), startTime },
      }
}

type Stream = {
  readonly initial: bigint
  readonly max: bigint
  readonly perSecond: bigint
  readonly start: bigint
}

function streaming(of: string, stream: Stream, token: { tokenAddress?: Address } = {}): Amount {
  const { initial, max, perSecond, start } = stream
  const data = {
    initialAmount: initial,
    maxAmount: max,
    amountPerSecond: perSecond,
    startTime: Number(start),
  }
  return { type: `${of}-stream`, data: { ...token, ...data } }
}

/** The first argument of a token's `transfer`, if exactly that is fixed. */
function recipientIn({ startIndex, value }: { startIndex: number; value: Hex }): Address | undefined {
  const word = /^0x0{24}([0-9a-f]{40})$/i.exec(value)
  return startIndex === 4 && word ? getAddress(`0x${word[1]}`) : undefined
}
