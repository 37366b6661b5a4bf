import type { Devnet } from '@bardo/devnet'
import {
  type Address,
  concatHex,
  domainSeparator,
  type Hex,
  keccak256,
  numberToHex,
  type PrivateKeyAccount,
  zeroHash,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { bardoCaveats } from '../../caveats/bardoCaveats.ts'
import type { BoundKind, Registry } from '../../caveats/boundKind.ts'
import type { Answer, Execution, Read, SenderKind } from '../../caveats/caveatKind.ts'
import { digitsOf, wordOf } from '../../caveats/execution/digits.ts'
import { batched, type Cast, packed, randomCall } from '../../caveats/metamask/testing/cases.ts'
import type { Mandate } from '../../caveats/terms/mandate.ts'
import {
  type Dice,
  damaged,
  drawExecution,
  drawMandate,
  drawScenery,
  drawSigns,
  now,
} from '../../caveats/testing/cases.ts'
import { earlierKinds } from '../../caveats/testing/deployEnforcers.ts'
import { drawArgs } from '../../caveats/testing/drawArgs.ts'
import { type DrawnKind, golem } from '../../caveats/testing/drawTerms.ts'
import { permit2, players } from '../../caveats/testing/harness.ts'
import { chainOf, sceneryOf, tellingCalls } from '../../caveats/testing/stubContracts.ts'
import { underRules } from '../../caveats/underRules.ts'
import type { Call } from '../../redemption/encodeExecution.ts'
import { anyDelegate, type Delegation, rootAuthority } from '../delegation.ts'
import { hashDelegation } from '../hashDelegation.ts'
import { signature } from './delegations.ts'
import { type DrawnCaveat, drawCaveat, type Enforcer, paymentArgs, randomOf } from './drawCaveat.ts'
import { drawRows } from './drawRows.ts'
import type { Overrides, Redemption } from './redemptionNode.ts'
import { stubAccount } from './stubAccount.ts'

/** The world in which cases are drawn. */
export type RedemptionHarness = {
  readonly world: Devnet
  readonly manager: Address
  readonly enforcers: readonly Enforcer[]
  readonly registry: Registry
  readonly constitution: Hex
  /** The chain's answers about the constitution and about enforcers, the same in every case. */
  readonly constants: readonly (readonly [Read, Answer])[]
  /** A deployed Hybrid account of the owner. */
  readonly hybrid: Address
  readonly owner: PrivateKeyAccount
  /** The manager's slots for the pause and the disabled delegations. */
  readonly pauseSlot: readonly [Hex, Hex]
  readonly disabledSlot: (hash: Hex) => Hex
}

/** A redemption with its complete world. */
export type DrawnRedemption = Redemption & {
  readonly sender: SenderKind
  /** The reads that the stubs can answer. */
  readonly reads: readonly Read[]
  /** The enforcers’ names, leaf first. */
  readonly names: readonly string[]
  readonly isReal: boolean
}

const cast = (index: number) => numberToHex(0xbbf0 + index, { size: 20 })
const forwarder = cast(1)
const payer = cast(2)
const stubs = [cast(3), cast(4), cast(5)]
const signers = [1n, 2n, 3n].map((n) => privateKeyToAccount(numberToHex(0xdeed0n + n, { size: 32 })))
const keyOf = new Map(
  [1n, 2n, 3n].map((n, i) => [signers[i]?.address.toLowerCase(), numberToHex(0xdeed0n + n, { size: 32 })]),
)
const upgradedKey = numberToHex(0xdeedfn, { size: 32 })
const upgraded = privateKeyToAccount(upgradedKey)
const blockNumber = 100_000n

/** Forwards every call to the manager, and returns its result. */
const forwarderCode = (manager: Address): Hex =>
  `0x365f5f37${'5f5f365f5f73'}${digitsOf(manager)}5af13d5f5f3e602a573d5ffd5b3d5ff3`

/** Every kind of caveat, with its address. */
export function allEnforcers(
  world: Devnet,
  metamask: Readonly<Record<string, Address>>,
  registry: (enforcer: Address) => BoundKind<unknown> | undefined,
  earlier: Readonly<Record<DrawnKind, Address>>,
): readonly Enforcer[] {
  const bardo = (Object.keys(bardoCaveats) as DrawnKind[]).map((key): Enforcer => {
    const kind: BoundKind<unknown> = bardoCaveats[key]
    return { name: kind.name, address: lower(world.addresses[`${key}Enforcer`]), kind, bardo: key, rules: 2 }
  })
  const before = earlierKinds.map((key): Enforcer => {
    const kind: BoundKind<unknown> = underRules(bardoCaveats[key] as BoundKind<unknown>, 1)
    return { name: `${kind.name} of version 1`, address: lower(earlier[key]), kind, bardo: key, rules: 1 }
  })
  const others = Object.entries(metamask).flatMap(([name, address]): Enforcer[] => {
    const kind = registry(address)
    return kind
      ? [{ name: name.replace(/Enforcer$/, ''), address: lower(address), kind, bardo: undefined }]
      : []
  })
  return [...bardo, ...before, ...others]
}

/** Choices that are not random. */
type Forced = {
  readonly mandate?: Mandate
  readonly what?: What
  readonly sender?: SenderKind
  /** Leaf first. */
  readonly caveats?: readonly (readonly DrawnCaveat[])[]
  /** A single caveat of this enforcer. */
  readonly only?: Enforcer | undefined
}

/** One chain, one execution, one world near the limits of the signed terms. */
export async function drawRedemption(
  dice: Dice,
  harness: RedemptionHarness,
  forced: Forced = {},
): Promise<DrawnRedemption> {
  const { world, manager, constitution } = harness
  const isReal = dice.once(6)
  const recast = recasting(harness, isReal && dice.once(2) ? upgraded.address : harness.hybrid, isReal)
  const mandate = forced.mandate ?? drawMandate(dice)
  const { execution, calls, isBatch, lead } = forced.what ?? drawWhat(dice, mandate, forced.only?.name)
  const vitals = lower(world.addresses.golemVitals)
  const signs = drawSigns(dice)
  const before = [...drawScenery(dice, mandate, vitals, signs), ...drawCollection(dice)]
  const after = [...drawScenery(dice, mandate, vitals, signs), ...drawCollection(dice)]
  const sender = forced.sender ?? dice.pick<SenderKind>('key', 'key', 'key', 'contract', 'upgraded key')
  const redeemer = sender === 'contract' ? forwarder : players.redeemer
  const [first] = calls
  const amount = first ? (first.value > 0n ? first.value : amountIn(first.data)) : 0n
  const metamaskCast: Cast = {
    ...metamaskStage,
    accounts: [players.account, players.payee],
    amounts: around(amount),
  }
  const looksAfter = !dice.once(4)
  const known = sceneryOf(harness.constants)
  const sceneries = [sceneryOf(before), sceneryOf(after)] as const
  const otherwise = ({ to, data }: Read): Answer | undefined =>
    harness.enforcers.some(({ address }) => address === to) && data.length > 10
      ? { ok: true, data: `0x${'00'.repeat(256)}` }
      : undefined
  const subject = {
    enforcers: forced.only ? [forced.only] : harness.enforcers,
    mandate,
    constitution: dice.once(15) ? zeroHash : constitution,
    cast: metamaskCast,
    calls,
    isBatch,
    lead,
    redeemer,
    passes: ({ kind, address, bardo }: Enforcer, terms: Hex, args: Hex) =>
      // Nothing is signed yet.
      bardo === 'threshold' ||
      kind.evaluate(terms, {
        chainId: world.chainId,
        manager,
        enforcer: address,
        execution,
        delegationHash: zeroHash,
        delegator: players.stranger,
        redeemer,
        args,
        before: { ...chainOf(now, otherwise, known, sceneries[0]), blockNumber },
        // Sometimes no read is made, so that several caveats refuse at the end.
        after: looksAfter ? { ...chainOf(now, otherwise, known, ...sceneries), blockNumber } : undefined,
      }).type !== 'refuse',
  }
  const drawn =
    forced.caveats ??
    (forced.only && [[drawCaveat(dice, subject)]]) ??
    Array.from({ length: dice.pick(1, 1, 1, 2, 2, 3, 4) }, () =>
      Array.from({ length: dice.pick(1, 1, 1, 2, 2, 3, 4, 5, 6, 0) }, () => drawCaveat(dice, subject)),
    )
  const script = tellingCalls(sceneries[1])
  const paid = { to: players.stranger, value: BigInt(dice.pick(0, 0, 1, 10)), data: '0x' as Hex }
  const overrides: Record<Address, { balance?: Hex; code?: Hex; stateDiff?: Record<Hex, Hex> }> = {
    [players.account]: { balance: numberToHex(10_000n), code: stubAccount([...script, paid]) },
    [forwarder]: { code: forwarderCode(manager) },
    [payer]: { code: stubAccount([]) },
    ...Object.fromEntries(stubs.map((address) => [address, { code: stubAccount([]) }])),
    [players.redeemer]: sender === 'upgraded key' ? { code: `0xef0100${digitsOf(players.vault)}` } : {},
    [lower(upgraded.address)]: {
      balance: numberToHex(10_000n),
      code: `0xef0100${digitsOf(world.framework.implementations['EIP7702StatelessDeleGatorImpl'] ?? '0x')}`,
    },
  }
  const put = (address: Address, slot: Hex, value: Hex) => {
    overrides[address] = {
      ...overrides[address],
      stateDiff: { ...overrides[address]?.stateDiff, [slot]: value },
    }
  }
  const tell = (read: Read, answer: Answer) => {
    for (const { to, data = '0x' } of tellingCalls(sceneryOf([[read, answer]]))) {
      const digits = data.slice(10)
      const slot = BigInt(`0x${digits.slice(0, 64)}`)
      for (let i = 64; i < digits.length; i += 64) {
        put(
          to,
          numberToHex(BigInt.asUintN(256, slot + BigInt(i / 64 - 1)), { size: 32 }),
          `0x${digits.slice(i, i + 64)}`,
        )
      }
    }
  }
  const reads = before.map(([read]) => read)
  for (const [read, answer] of before) tell(read, answer)

  // From the root down: a link contains the hash of its parent.
  const links: Delegation[] = []
  let authority: Hex = rootAuthority
  const root = recast(players.account)
  let delegator: Address = root
  const chained = drawn.toReversed()
  for (const [depth, caveats] of chained.entries()) {
    const isLeaf = depth === chained.length - 1
    const next =
      isReal || dice.once(4)
        ? lower((signers[dice.below(signers.length)] ?? upgraded).address)
        : dice.pick(...stubs)
    const delegate = isLeaf ? (dice.once(9) ? anyDelegate : redeemer) : dice.once(12) ? anyDelegate : next
    const unsigned: Delegation = {
      delegate: dice.once(80) ? players.stranger : delegate,
      delegator,
      authority: dice.once(80) ? zeroHash : authority,
      caveats: caveats.map(({ enforcer, terms }) => ({
        enforcer: enforcer.address,
        terms: recast(terms),
        args: '0x',
      })),
      salt: BigInt(dice.below(3)),
      signature: '0x',
    }
    const hash = hashDelegation(unsigned)
    const withArgs = []
    for (const [i, caveat] of caveats.entries()) {
      const plain = unsigned.caveats[i]
      if (!plain) continue
      const owner = {
        manager,
        delegator,
        delegationHash: hash,
        terms: plain.terms,
        amount,
        golem,
        constitution,
      }
      for (const [slot, value] of drawRows(caveat.enforcer.name, dice, owner))
        put(plain.enforcer, slot, numberToHex(BigInt.asUintN(256, value), { size: 32 }))
      for (const inner of caveat.inner) {
        const within = { ...owner, manager: plain.enforcer, terms: recast(inner.terms) }
        for (const [slot, value] of drawRows(inner.enforcer.name, dice, within))
          put(inner.enforcer.address, slot, numberToHex(BigInt.asUintN(256, value), { size: 32 }))
      }
      const args = await argsFor(dice, harness, caveat, {
        ...owner,
        redeemer,
        execution: { mode: execution.mode, calldata: recast(execution.calldata) },
        chainId: world.chainId,
        enforcer: plain.enforcer,
        args: '0x' as Hex,
      })
      for (const [read, answer] of args.answers) tell(read, answer)
      withArgs.push({ ...plain, args: recast(args.args) })
    }
    links.unshift({ ...unsigned, caveats: withArgs, signature: await signed(harness, delegator, hash) })
    if (dice.once(60)) put(lower(manager), harness.disabledSlot(hash), numberToHex(1, { size: 32 }))
    authority = hash
    delegator = lower(delegate === anyDelegate ? next : delegate)
  }
  if (dice.once(150)) put(lower(manager), ...harness.pauseSlot)
  return {
    links,
    execution: { mode: execution.mode, calldata: recast(execution.calldata) },
    origin: sender === 'contract' ? players.redeemer : redeemer,
    redeemer,
    sender,
    overrides: overrides as Overrides,
    timestamp: now,
    blockNumber,
    reads: reads.map(({ to, data }) => ({ to: recast(to), data: recast(data) })),
    names: links.flatMap(({ caveats }) =>
      caveats.map(
        ({ enforcer }) => harness.enforcers.find(({ address }) => address === enforcer)?.name ?? '?',
      ),
    ),
    isReal,
  }
}

/** An execution, with its calls if they are known. */
export type What = {
  readonly execution: Execution
  readonly calls: readonly Required<Call>[]
  readonly isBatch: boolean
  readonly lead: string | undefined
}

/** An execution that Bardo's or MetaMask's caveats can allow. */
export function drawWhat(dice: Dice, mandate: Mandate, only?: string): What {
  const own = fittingCalls.find(({ lead }) => lead === only)
  if (!own && dice.once(2)) {
    const execution = drawExecution(dice, mandate)
    const isBatch = execution.mode.startsWith('0x01')
    return { execution, calls: isBatch ? [] : callsIn(execution.calldata), isBatch, lead: undefined }
  }
  const random = randomOf(dice)
  const fitting = own ?? (dice.once(2) ? fittingCalls[dice.below(fittingCalls.length)] : undefined)
  const isBatch = fitting ? fitting.calls.length > 1 : dice.once(3)
  const calls =
    fitting?.calls ??
    Array.from({ length: isBatch ? 1 + dice.below(3) : 1 }, () => randomCall(random, metamaskStage))
  const [call] = calls
  const calldata = isBatch || !call ? batched(calls) : packed(call)
  const mode: Hex = `0x0${isBatch ? 1 : 0}${dice.once(12) ? '01' : '00'}${'00'.repeat(30)}`
  return {
    execution: { mode, calldata: dice.once(20) ? damaged(dice, calldata) : calldata },
    calls,
    isBatch,
    lead: fitting?.lead,
  }
}

const [token = players.stranger, otherToken = players.stranger] = players.tokens
/** The addresses of the stock enforcers' cases. */
export const metamaskStage: Cast = {
  usdc: token,
  weth: otherToken,
  collection: players.otherPool,
  accounts: [players.payee, players.payee, players.account],
  now,
  block: blockNumber,
}
const call = (data: Hex, value = 0n): Required<Call> => ({ to: token, value, data })
const words = (...values: readonly (Hex | bigint)[]) => values.map((value) => wordOf(BigInt(value))).join('')
const transfer = call(`0xa9059cbb${words(players.payee, 1_000_000n)}`)

/** Calls that strict enforcers allow. */
const fittingCalls: readonly { readonly lead: string; readonly calls: readonly Required<Call>[] }[] = [
  { lead: 'ERC20TransferAmount', calls: [transfer] },
  { lead: 'ERC20PeriodTransfer', calls: [transfer] },
  { lead: 'ERC20Streaming', calls: [transfer] },
  { lead: 'MultiTokenPeriod', calls: [transfer] },
  { lead: 'AllowedMethods', calls: [transfer] },
  { lead: 'NativeTokenStreaming', calls: [{ to: players.payee, value: 10n, data: '0x' }] },
  { lead: 'NativeTokenPeriodTransfer', calls: [{ to: players.payee, value: 10n, data: '0x' }] },
  { lead: 'ApprovalRevocation', calls: [call(`0x095ea7b3${words(players.router, 0n)}`)] },
  { lead: 'ApprovalRevocation', calls: [{ ...call('0xcc53287f'), to: permit2 }] },
  { lead: 'ERC721Transfer', calls: [call(`0x23b872dd${words(players.account, players.payee, 7n)}`)] },
  { lead: 'OwnershipTransfer', calls: [call(`0xf2fde38b${words(players.payee)}`)] },
  { lead: 'ERC1155BalanceChange', calls: [transfer] },
  { lead: 'SpecificActionERC20TransferBatch', calls: [call('0x12345678'), transfer] },
  { lead: 'ExactExecutionBatch', calls: [transfer, transfer] },
]

/** The call of a single execution, if there is one. */
function callsIn(calldata: Hex): readonly Required<Call>[] {
  if (calldata.length < 106) return []
  const [to, value, data] = [calldata.slice(2, 42), calldata.slice(42, 106), calldata.slice(106)]
  return [{ to: `0x${to}`, value: BigInt(`0x${value}`), data: `0x${data}` }]
}

/** The ERC-1155 collection's answers: a balance of token 1. */
export function drawCollection(dice: Dice): [Read, Answer][] {
  return [players.account, players.payee].map((holder) => [
    { to: players.otherPool, data: `0x00fdd58e${words(holder, 1n)}` },
    { ok: true, data: `0x${words(BigInt(dice.pick(2_000_000, 2_000_001, 3_000_000, 1_000_000)))}` },
  ])
}

/** Numbers that limit an amount exactly, almost, or not at all. */
export function around(amount: bigint): readonly bigint[] {
  const max = (1n << 256n) - 1n
  return [0n, amount - 1n, amount, amount + 1n, 2n * amount, max].filter((n) => n >= 0n && n <= max)
}

/** What a transfer moves. */
export function amountIn(data: Hex): bigint {
  return data.length === 138 ? BigInt(`0x${data.slice(74)}`) : 0n
}

/** What the redeemer adds: signatures, a payment, a choice. */
async function argsFor(
  dice: Dice,
  { enforcers }: RedemptionHarness,
  { enforcer, terms, args }: DrawnCaveat,
  context: Parameters<typeof drawArgs>[1],
): Promise<{ args: Hex; answers: readonly (readonly [Read, Answer])[] }> {
  const { bardo, rules } = enforcer
  const [extras, bit] = rules === 1 ? [terms.slice(4, 6), 32] : [terms.slice(4, 8), 256]
  const isCoSigned = bardo === 'cage' && (Number(`0x${extras}`) & bit) !== 0
  if (bardo === 'threshold' || isCoSigned) return drawArgs(dice, { ...context, rules })
  if (enforcer.name === 'NativeTokenPayment') {
    const check = enforcers.find(({ name }) => name === 'ArgsEqualityCheck')?.address ?? players.stranger
    const paid = [context.delegationHash, context.redeemer] as const
    return { args: paymentArgs(dice, enforcer.address, check, payer, paid), answers: [] }
  }
  return { args, answers: [] }
}

async function signed(harness: RedemptionHarness, delegator: Address, hash: Hex): Promise<Hex> {
  const separator = domainSeparator({
    domain: {
      name: 'DelegationManager',
      version: '1',
      chainId: harness.world.chainId,
      verifyingContract: harness.manager,
    },
  })
  const digest = keccak256(concatHex(['0x1901', separator, hash]))
  if (delegator === lower(harness.hybrid)) return harness.owner.sign({ hash: digest })
  const privateKey = delegator === lower(upgraded.address) ? upgradedKey : keyOf.get(delegator)
  return privateKey ? sign({ hash: digest, privateKey, to: 'hex' }) : signature
}

/** Inserts real addresses: always the manager, and in real cases the account and its tokens. */
function recasting({ manager, world }: RedemptionHarness, account: Address, isReal: boolean) {
  const parts: (readonly [Address, Address])[] = [[players.manager, manager]]
  if (isReal) {
    parts.push([players.account, account])
    const [usdc, weth] = players.tokens
    if (usdc && weth) parts.push([usdc, world.addresses.usdc], [weth, world.addresses.weth])
  }
  return <Bytes extends Hex>(bytes: Bytes): Bytes =>
    parts.reduce(
      (text, [from, to]) => text.replaceAll(digitsOf(from), digitsOf(to)),
      bytes.toLowerCase(),
    ) as Bytes
}

function lower<Bytes extends Hex>(bytes: Bytes): Bytes {
  return bytes.toLowerCase() as Bytes
}
