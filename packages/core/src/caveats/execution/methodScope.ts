import { targetKinds } from '../terms/mandate.ts'
import { type ActionClass, classBits } from './actionClass.ts'
import type { Method } from './methods.ts'

type Kind = keyof typeof targetKinds
type Scope = { readonly classes: readonly ActionClass[]; readonly kinds: readonly Kind[] }

const swap: Scope = { classes: ['swap', 'unwind'], kinds: ['swapRouter02'] }
const open: Scope = { classes: ['addLiquidity'], kinds: ['positionManager', 'pool'] }
const close: Scope = { classes: ['removeLiquidity'], kinds: ['positionManager', 'pool'] }
const fill: Scope = { classes: ['deposit'], kinds: ['vault'] }
const empty: Scope = { classes: ['withdraw'], kinds: ['vault'] }
const pay: Scope = { classes: ['payment'], kinds: [] }

/** What each method is used for, and at which kinds of contracts. */
const scopes: Readonly<Record<Method, Scope>> = {
  transfer: pay,
  approve: { classes: ['approve', 'disapprove'], kinds: [] },
  native: pay,
  permit2Approve: { classes: ['approve', 'disapprove'], kinds: ['permit2', 'universalRouter'] },
  exactInputSingle: swap,
  exactInput: swap,
  exactOutputSingle: swap,
  exactOutput: swap,
  execute: { classes: swap.classes, kinds: ['universalRouter', 'permit2'] },
  mintPosition: open,
  increaseLiquidity: open,
  decreaseLiquidity: close,
  collect: close,
  burnPosition: close,
  deposit: fill,
  mintShares: fill,
  withdraw: empty,
  redeem: empty,
  signed: { classes: ['spawn', 'publish', 'sale'], kinds: ['spawn', 'publish', 'sale'] },
}

/** The bits of the classes that these methods can be of, and the kinds of contracts that they are called at. */
export function scopeOf(methods: readonly Method[]): {
  readonly classes: number
  readonly kinds: ReadonlySet<number>
} {
  const used = methods.map((method) => scopes[method])
  return {
    classes: used.flatMap(({ classes }) => classes).reduce((bits, name) => bits | classBits[name], 0),
    kinds: new Set(used.flatMap(({ kinds }) => kinds).map((kind) => targetKinds[kind])),
  }
}
