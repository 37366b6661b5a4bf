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

/** The action class of each method, and the target kinds that it can be called on. */
const scopes: Readonly<Record<Method, Scope>> = {
  transfer: pay,
  approve: { classes: ['approve', 'disapprove'], kinds: [] },
  native: { classes: ['payment', 'gas'], kinds: [] },
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

/** The class bits of these methods, and the target kinds that they can be called on. */
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
