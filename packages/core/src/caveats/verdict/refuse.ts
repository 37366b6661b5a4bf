import { encodeAbiParameters, type Hex, keccak256, toBytes } from 'viem'
import type { Read, Refusal } from '../caveatKind.ts'
import { type RefusalName, refusalTypes } from './refusalTypes.ts'

/** Thrown inside an evaluation where the contract would revert; it never leaves this folder's `judge`. */
export class Refused {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** Thrown inside an evaluation where nobody looked at what has to be known. */
export class Missing {
  readonly what: readonly Read[] | 'sender'
  constructor(what: readonly Read[] | 'sender') {
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

/** A contract that was asked reverted, and its bytes are handed on as they are. */
export function refuseAs(data: Hex): never {
  throw new Refused({ name: nameOf(data), args: [], data })
}

const errorSelectors = new Map<RefusalName, Hex>()

function selectorFor(name: RefusalName): Hex {
  const known = errorSelectors.get(name)
  if (known) return known
  const selector = keccak256(toBytes(`${name}(${refusalTypes[name].join(',')})`)).slice(0, 10) as Hex
  errorSelectors.set(name, selector)
  return selector
}

/** The bytes of a custom error. */
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
