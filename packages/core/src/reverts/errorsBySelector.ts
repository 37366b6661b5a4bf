import { type Hex, keccak256, stringToHex } from 'viem'
import { refusalTypes } from '../caveats/verdict/refusalTypes.ts'
import { errorSignatures } from './errorSignatures.ts'

/** An error as an item of an ABI. */
export type ErrorItem = {
  readonly type: 'error'
  readonly name: string
  readonly inputs: readonly { readonly type: string }[]
}

let items: ReadonlyMap<string, ErrorItem> | undefined

/** Every error of a redemption, by selector. They are hashed at the first call: hashing them at each revert is slow. */
export function errorsBySelector(): ReadonlyMap<string, ErrorItem> {
  items ??= new Map(
    [...refusalSignatures(), ...errorSignatures].map((signature) => [
      selectorOf(signature),
      itemOf(signature),
    ]),
  )
  return items
}

/** The errors of Bardo's enforcers, of both versions: a new caveat needs no entry in `errorSignatures`. */
function refusalSignatures(): readonly string[] {
  return Object.entries(refusalTypes).map(([name, types]) => `${name}(${types.join()})`)
}

function selectorOf(signature: string): Hex {
  return `0x${keccak256(stringToHex(signature)).slice(2, 10)}`
}

function itemOf(signature: string): ErrorItem {
  const [name = '', types = ''] = signature.slice(0, -1).split('(')
  const inputs = types === '' ? [] : types.split(',').map((type) => ({ type }))
  return { type: 'error', name, inputs }
}
