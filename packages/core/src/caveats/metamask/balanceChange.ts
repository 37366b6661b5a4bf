import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Coverage, Names, Read } from '../caveatKind.ts'
import { add, addressAt, demand, same, size, slice, subtract, word } from './bytes.ts'
import { answered, type Hook, metamaskKind, type Written } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, named, wider } from './words.ts'

/** How a balance may change: decrease by at most, or increase by at least, an amount. */
type Change = { readonly change: 'decrease' | 'increase'; readonly amount: bigint }

/** The balance that is compared: at least whose it is. */
type Subject = { readonly account: Address }

/** One account's balance of one token or collection. */
export type TokenSubject = Subject & { readonly token: Address }

type BalanceChange<S extends Subject> = {
  readonly name: string
  /** Length of the terms. The first byte is the direction, the last 32 are the amount. */
  readonly bytes: number
  readonly encode: (terms: Change & S, changeType: 0 | 1) => Hex
  readonly decode: (terms: Hex) => { subject: S; amount: bigint; changeType: number }
  /** Reads the subject as the enforcer does. */
  readonly subjectIn: (terms: Hex) => S
  readonly balanceOf: (subject: S) => Read
  /** What the enforcer hashes between the manager and the delegation to tell one lock from another. */
  readonly keyOf: (subject: S) => readonly Hex[]
  /** Why the child measures another balance than the parent; undefined if it is the same one. */
  readonly otherBalance: (parent: S, child: S) => string | undefined
  readonly amountText: (terms: Change & S, names: Names) => string
}

const isLocked = view('isLocked(bytes32)')

/** The kit's number for a direction. */
const changeTypes = { increase: 0, decrease: 1 } as const

/** A caveat under which an account loses at most, or gains at least, an amount of one balance. */
export function balanceChangeKind<S extends Subject>(balance: BalanceChange<S>) {
  const { name, bytes, subjectIn, balanceOf, keyOf } = balance
  const enforcer = `${name}Enforcer`

  function parse(terms: Hex): Change & S {
    demand(size(terms) === bytes, `${enforcer}:invalid-terms-length`, `Sign terms of ${bytes} bytes.`)
    const change = changeOf(Number(slice(terms, 0, 1)))
    return { ...subjectIn(terms), change, amount: word(terms, bytes - 32) }
  }

  function lockKey(subject: S, { manager, delegationHash }: Pick<Hook, 'manager' | 'delegationHash'>): Hex {
    return hashKey(manager, ...keyOf(subject), delegationHash)
  }

  return metamaskKind<Change & S>({
    name,
    locks: true,
    encode: (terms) => balance.encode(terms, changeTypes[terms.change]),
    decode(terms) {
      const { subject, amount, changeType } = balance.decode(terms)
      return { ...subject, amount, change: changeOf(changeType) }
    },
    covers(parent, child) {
      const other = balance.otherBalance(parent, child)
      return other === undefined ? coversChange(parent, child) : wider(other)
    },
    describe(terms, names) {
      const verb = terms.change === 'decrease' ? 'loses at most' : 'gains at least'
      return `${named(terms.account, names)} ${verb} ${balance.amountText(terms, names)} per execution`
    },
    reads(terms, context) {
      const parsed = parse(terms)
      return [isLocked(context.enforcer, lockKey(parsed, context)), balanceOf(parsed)]
    },
    before(terms, hook) {
      const parsed = parse(terms)
      return rememberBalance(enforcer, hook, lockKey(parsed, hook), balanceOf(parsed))
    },
    after(terms, hook) {
      const parsed = parse(terms)
      demandBalance(enforcer, hook, balanceOf(parsed), parsed)
    },
  })
}

/** Reads token and account as the enforcers for tokens do. */
export function tokenIn(terms: Hex): TokenSubject {
  return { token: addressAt(terms, 1), account: addressAt(terms, 21) }
}

/** Why the child measures another token or account than the parent; undefined if both are the same. */
export function otherToken(parent: TokenSubject, child: TokenSubject, sameId = true): string | undefined {
  return sameId && same(parent.token, child.token) && same(parent.account, child.account)
    ? undefined
    : `the child measures ${child.token} of ${child.account}; the parent measures another balance`
}

/** The row's key: the hash of words in `abi.encode` layout. */
export function hashKey(...words: readonly Hex[]): Hex {
  return keccak256(
    encodeAbiParameters(
      words.map(() => ({ type: 'bytes32' as const })),
      words.map((value): Hex => `0x${value.slice(2).padStart(64, '0')}`),
    ),
  )
}

/** The first hook: takes the lock and reads the balance. */
function rememberBalance(name: string, hook: Hook, key: Hex, balance: Read): Written {
  const lock = isLocked(hook.enforcer, key)
  demand(
    answered(hook.read(lock)) === 0n,
    `${name}:enforcer-is-locked`,
    'Do not nest executions: one with this caveat is still in progress.',
  )
  answered(hook.read(balance))
  return { read: lock, words: [1n] }
}

/** The last hook: compares with the recorded balance. */
function demandBalance(name: string, hook: Hook, balance: Read, { change, amount }: Change): void {
  const now = answered(hook.read(balance))
  const then = answered(hook.remembered(balance))
  if (change === 'decrease') {
    // An allowed loss above the whole balance underflows and refuses everything.
    const least = subtract(
      then,
      amount,
      `The account must hold at least ${amount} before the execution; it holds ${then}.`,
    )
    demand(
      now >= least,
      `${name}:exceeded-balance-decrease`,
      `The balance may fall by at most ${amount}; it went from ${then} to ${now}.`,
    )
    return
  }
  demand(
    now >= add(then, amount),
    `${name}:insufficient-balance-increase`,
    `The balance must rise by at least ${amount}; it went from ${then} to ${now}.`,
  )
}

/** Whether the child's change is within the parent's; both concern the same balance. */
function coversChange(parent: Change, child: Change): Coverage {
  if (parent.change !== child.change)
    return wider(`the child limits the ${child.change}; the parent limits the ${parent.change}`)
  if (child.change === 'increase') {
    return coveredIf(
      child.amount >= parent.amount,
      `at least ${child.amount}; the parent requires ${parent.amount}`,
    )
  }
  // A smaller loss is not enough: if the balance is below the parent's number, the parent refuses everything.
  return coveredIf(
    child.amount === parent.amount,
    `a loss of ${child.amount}; the parent allows ${parent.amount}, and only the same number always passes both`,
  )
}

/** The direction of a first byte: the enforcers read every byte except zero as decrease. */
function changeOf(changeType: number): Change['change'] {
  return changeType === 0 ? 'increase' : 'decrease'
}
