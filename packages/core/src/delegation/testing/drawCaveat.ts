import { encodeDelegations } from '@metamask/delegation-core'
import { type Address, concatHex, getContractAddress, type Hex, numberToHex } from 'viem'
import type { BoundKind } from '../../caveats/boundKind.ts'
import type { RulesVersion } from '../../caveats/caveatKind.ts'
import { encodePicked, logicalOrWrapper } from '../../caveats/metamask/logicalOrWrapper.ts'
import { type Cast, termsFor } from '../../caveats/metamask/testing/cases.ts'
import type { Random } from '../../caveats/metamask/testing/random.ts'
import type { Mandate } from '../../caveats/terms/mandate.ts'
import { type Dice, damaged } from '../../caveats/testing/cases.ts'
import { keys } from '../../caveats/testing/drawArgs.ts'
import { type DrawnKind, drawTerms } from '../../caveats/testing/drawTerms.ts'
import { players } from '../../caveats/testing/harness.ts'
import type { Call } from '../../redemption/encodeExecution.ts'
import { rootAuthority } from '../delegation.ts'
import { signature } from './delegations.ts'

/** An enforcer for which caveats can be drawn. */
export type Enforcer = {
  readonly name: string
  readonly address: Address
  readonly kind: BoundKind<unknown>
  readonly bardo: DrawnKind | undefined
  /** For Bardo's enforcers: the version of the rules. Default: 2. */
  readonly rules?: RulesVersion | undefined
}

/** The inputs that all caveats of a case share. */
export type Subject = {
  readonly enforcers: readonly Enforcer[]
  readonly mandate: Mandate
  readonly constitution: Hex
  readonly cast: Cast
  readonly calls: readonly Required<Call>[]
  readonly isBatch: boolean
  /** The enforcer that the execution was made for, if any. */
  readonly lead: string | undefined
  readonly redeemer: Address
  /** Whether a caveat would allow the execution, as far as this is known before signing. */
  passes(enforcer: Enforcer, terms: Hex, args: Hex): boolean
}

/** A drawn caveat; a wrapper lists its inner ones. */
export type DrawnCaveat = {
  readonly enforcer: Enforcer
  readonly terms: Hex
  readonly args: Hex
  /** The caveats of the group that the redeemer selected. */
  readonly inner: readonly DrawnCaveat[]
}

const onlySingle = new Set([
  'AllowedTargets',
  'AllowedMethods',
  'AllowedCalldata',
  'ApprovalRevocation',
  'ValueLte',
  'ExactCalldata',
  'ExactExecution',
  'ERC20TransferAmount',
  'ERC20PeriodTransfer',
  'ERC20Streaming',
  'NativeTokenTransferAmount',
  'NativeTokenPeriodTransfer',
  'NativeTokenStreaming',
  'MultiTokenPeriod',
  'ERC721Transfer',
  'OwnershipTransfer',
])
const onlyBatch = new Set(['ExactExecutionBatch', 'ExactCalldataBatch', 'SpecificActionERC20TransferBatch'])

/** Dice in the form that the stock cases expect. */
export function randomOf(dice: Dice): Random {
  return {
    below: (limit) => dice.below(limit),
    pick: <T>(items: readonly T[]) => items[dice.below(items.length)] as T,
    chance: (share) => dice.below(100) < share * 100,
  }
}

/** A caveat that often allows the execution, or almost does. */
export function drawCaveat(dice: Dice, subject: Subject, depth = 0): DrawnCaveat {
  const isKind = !dice.once(9)
  let drawn = drawAny(dice, subject, depth)
  for (let tries = 0; isKind && tries < 7; tries++) {
    if (subject.passes(drawn.enforcer, drawn.terms, drawn.args)) break
    // Some enforcers cannot allow this execution at all.
    drawn = tries % 3 === 2 ? drawAny(dice, subject, depth) : drawFor(drawn.enforcer, dice, subject, depth)
  }
  return drawn
}

function drawAny(dice: Dice, subject: Subject, depth: number): DrawnCaveat {
  // Version 1 enforcers are rarer, so that every other kind is still drawn.
  const isEarlier = dice.once(4)
  const fitting = subject.enforcers.filter(
    ({ name, rules }) => !(subject.isBatch ? onlySingle : onlyBatch).has(name) && (isEarlier || rules !== 1),
  )
  const enforcers = fitting.length === 0 || dice.once(12) ? subject.enforcers : fitting
  const lead = dice.once(3) ? subject.enforcers.find(({ name }) => name === subject.lead) : undefined
  const enforcer = lead ?? enforcers[dice.below(enforcers.length)]
  if (!enforcer) throw new Error('There are no enforcers.')
  return drawFor(enforcer, dice, subject, depth)
}

function drawFor(enforcer: Enforcer, dice: Dice, subject: Subject, depth: number): DrawnCaveat {
  const { mandate, constitution, cast, calls, redeemer } = subject
  const plain = (terms: Hex, args: Hex = '0x'): DrawnCaveat => ({
    enforcer,
    terms: dice.once(25) ? damaged(dice, terms) : terms,
    args: dice.once(25) ? damaged(dice, args) : args,
    inner: [],
  })
  const { bardo, rules } = enforcer
  if (bardo) return plain(drawTerms[bardo](dice, mandate, { constitution, keys, rules }))
  switch (enforcer.name) {
    case 'Redeemer':
      return plain(concatHex(dice.pick<Hex[]>([redeemer], [players.payee, redeemer], [players.payee])))
    case 'Deployed':
      return plain(drawDeployed(enforcer.address, dice))
    case 'NativeTokenPayment':
      return plain(concatHex([players.payee, numberToHex(dice.once(4) ? 1 : 0, { size: 32 })]))
    case 'LogicalOrWrapper':
      return depth < 1 || dice.once(6) ? drawGroups(enforcer, dice, subject, depth) : plain('0x')
    default: {
      const [call = { to: players.stranger, value: 0n, data: '0x' as Hex }] = calls
      const { terms, args } = termsFor(enforcer.name, randomOf(dice), cast, call, calls)
      return plain(terms, args)
    }
  }
}

function drawDeployed(enforcer: Address, dice: Dice): Hex {
  const salt = numberToHex(dice.below(3), { size: 32 })
  const bytecode: Hex = dice.pick<Hex>('0x600160005360016000f3', '0x60006000f3')
  const there = getContractAddress({ opcode: 'CREATE2', from: enforcer, salt, bytecode })
  return concatHex([
    dice.pick(players.vault, there, there, players.stranger),
    salt,
    dice.once(9) ? '0x' : bytecode,
  ])
}

/** Paying delegations: none, one without the caveat that it needs, or one with it. */
export function paymentArgs(
  dice: Dice,
  enforcer: Address,
  check: Address,
  payer: Address,
  [hash, redeemer]: readonly [Hex, Address],
): Hex {
  const caveats = [
    { enforcer: dice.once(6) ? payer : check, terms: concatHex([hash, redeemer]), args: '0x' as Hex },
  ]
  const delegation = {
    delegate: enforcer,
    delegator: payer,
    authority: rootAuthority,
    caveats: dice.once(6) ? [] : caveats,
    salt: 0n,
    signature,
  }
  return dice.once(6) ? '0x' : encodeDelegations(dice.once(6) ? [] : [delegation])
}

/** One or two groups, and the one that the redeemer selects. */
function drawGroups(enforcer: Enforcer, dice: Dice, subject: Subject, depth: number): DrawnCaveat {
  const groups = Array.from({ length: 1 + dice.below(2) }, () =>
    Array.from({ length: dice.below(3) }, () => drawCaveat(dice, subject, depth + 1)),
  )
  const index = dice.once(9) ? groups.length : dice.below(groups.length)
  const inner = groups[index] ?? []
  const terms = logicalOrWrapper(() => undefined).encode({
    groups: groups.map((group) =>
      group.map(({ enforcer: { address }, terms }) => ({ enforcer: address, terms })),
    ),
  })
  const caveatArgs = inner.map(({ args }) => args)
  return {
    enforcer,
    terms,
    args: encodePicked(BigInt(index), dice.once(12) ? caveatArgs.slice(1) : caveatArgs),
    inner,
  }
}
