import { encodeAbiParameters, type Hex } from 'viem'
import type { Read, Refusal } from '../caveatKind.ts'
import { selectorOf } from '../execution/digits.ts'
import { type RefusalName, refusalTypes } from './refusalTypes.ts'

/** Thrown inside an evaluation when the contract would revert; `judge` catches it. */
export class Refused {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** Thrown inside an evaluation when a required read was not made. */
export class Missing {
  readonly what: readonly Read[] | 'sender' | 'simulation'
  constructor(what: readonly Read[] | 'sender' | 'simulation') {
    this.what = what
  }
}

/** Reverts with one of the contracts' custom errors. */
export function refuse(name: RefusalName, ...args: readonly unknown[]): never {
  throw new Refused({ name, args, data: encodedError(name, args) })
}

/** Reverts as Solidity's own arithmetic does. */
export function overflow(): never {
  throw new Refused({ name: 'Panic', args: [0x11n], data: encodedError('Panic', [0x11n]) })
}

/** A called contract reverted; its revert data is passed on unchanged. */
export function refuseAs(data: Hex): never {
  throw new Refused({ name: nameOf(data), args: [], data })
}

const errorSelectors = new Map<RefusalName, Hex>()

function selectorFor(name: RefusalName): Hex {
  const cached = errorSelectors.get(name)
  if (cached) return cached
  const selector = selectorOf(`${name}(${refusalTypes[name].join(',')})`)
  errorSelectors.set(name, selector)
  return selector
}

/** The revert data of a custom error. */
export function encodedError(name: RefusalName, args: readonly unknown[]): Hex {
  const types = refusalTypes[name].map((type) => ({ type }))
  return `${selectorFor(name)}${encodeAbiParameters(types, args).slice(2)}`
}

function nameOf(data: Hex): string {
  const selector = data.slice(0, 10)
  if (selector === '0x08c379a0') return 'Error'
  for (const name of Object.keys(refusalTypes) as RefusalName[])
    if (selectorFor(name) === selector) return name
  return 'Reverted'
}
