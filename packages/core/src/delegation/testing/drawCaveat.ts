import { encodeDelegations } from '@metamask/delegation-core'
import { type Address, concatHex, getContractAddress, type Hex, numberToHex } from 'viem'
import type { BoundKind } from '../../caveats/boundKind.ts'
import { encodePicked, logicalOrWrapper } from '../../caveats/stock/logicalOrWrapper.ts'
import { type Call, type Cast, termsFor } from '../../caveats/stock/testing/cases.ts'
import type { Random } from '../../caveats/stock/testing/random.ts'
import type { Mandate } from '../../caveats/terms/mandate.ts'
import { type Dice, damaged } from '../../caveats/testing/cases.ts'
import { keys } from '../../caveats/testing/drawArgs.ts'
import { type DrawnKind, drawTerms } from '../../caveats/testing/drawTerms.ts'
import { players } from '../../caveats/testing/stage.ts'
import { rootAuthority } from '../delegation.ts'
import { signature } from './delegations.ts'

/** An enforcer that caveats can be drawn for. */
export type Enforcer = {
  readonly name: string
  readonly address: Address
  readonly kind: BoundKind<unknown>
  readonly bardo: DrawnKind | undefined
}

/** What all caveats of a case are about. */
export type Subject = {
  readonly enforcers: readonly Enforcer[]
  readonly mandate: Mandate
  readonly constitution: Hex
  readonly cast: Cast
  readonly calls: readonly Call[]
  readonly isBatch: boolean
  /** The enforcer that the execution was made for, if it was made for one. */
  readonly lead: string | undefined
  readonly redeemer: Address
  /** Whether a caveat would let the execution through, as far as one can tell before it is signed. */
  passes(enforcer: Enforcer, terms: Hex, args: Hex): boolean
}

/** A caveat as drawn; who carries inner ones says so. */
export type DrawnCaveat = {
  readonly enforcer: Enforcer
  readonly terms: Hex
  readonly args: Hex
  /** The caveats of the group that the redeemer picked. */
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

/** Dice as the stock cases want them. */
export function randomOf(dice: Dice): Random {
  return {
    below: (limit) => dice.below(limit),
    pick: <T>(items: readonly T[]) => items[dice.below(items.length)] as T,
    chance: (share) => dice.below(100) < share * 100,
  }
}

/** A caveat that often lets the execution through, and else is near to that. */
export function drawCaveat(dice: Dice, subject: Subject, depth = 0): DrawnCaveat {
  const isKind = !dice.once(9)
  let drawn = drawAny(dice, subject, depth)
  for (let tries = 0; isKind && tries < 7; tries++) {
    if (subject.passes(drawn.enforcer, drawn.terms, drawn.args)) break
    // Some enforcers cannot let this execution through at all.
    drawn = tries % 3 === 2 ? drawAny(dice, subject, depth) : drawFor(drawn.enforcer, dice, subject, depth)
  }
  return drawn
}

function drawAny(dice: Dice, subject: Subject, depth: number): DrawnCaveat {
  const fitting = subject.enforcers.filter(
    ({ name }) => !(subject.isBatch ? onlySingle : onlyBatch).has(name),
  )
  const enforcers = dice.once(12) ? subject.enforcers : fitting
  const lead = dice.once(3) ? subject.enforcers.find(({ name }) => name === subject.lead) : undefined
  const enforcer = lead ?? enforcers[dice.below(enforcers.length)]
  if (!enforcer) throw new Error('no enforcers')
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
  if (enforcer.bardo) return plain(drawTerms[enforcer.bardo](dice, mandate, { constitution, keys }))
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
      const [call = { target: players.stranger, value: 0n, callData: '0x' as Hex }] = calls
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

/** Delegations that pay: none, without the caveat that they need, or with it. */
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

/** One or two groups, and which of them the redeemer picks. */
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
