import type { Answer, Read } from '@bardo/core'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { type Answers, readKey } from './answers.ts'

const [vitals, policyCage] = [toFunctionSelector('vitals()'), toFunctionSelector('policyCage()')]
const isNonceUsed = toFunctionSelector('isNonceUsed(address,address,bytes32,uint256)')

/**
 * What needs no asking: an enforcer's oracles are in its code, and its address follows from its code. They save the
 * round trip after which the next questions would be known.
 */
export function fixedAnswers({ contracts }: Deployment): Answers {
  const answers = new Map<string, Answer>()
  for (const [name, enforcer] of Object.entries(contracts)) {
    if (!name.endsWith('Enforcer')) continue
    answers.set(readKey({ to: enforcer, data: vitals }), addressAnswer(contracts.golemVitals))
    answers.set(readKey({ to: enforcer, data: policyCage }), addressAnswer(contracts.policyCage))
  }
  return answers
}

function addressAnswer(address: Address): Answer {
  return { ok: true, data: pad(address).toLowerCase() as Hex }
}

/** Where the Cage keeps the co-signers' used nonces; a test holds it against the contract. */
const cageNonces = 4n

/** The Cage's storage slot that answers a question about a nonce: it has no function for that. Else undefined. */
export function cageNonceSlot({ contracts }: Deployment, { to, data }: Read): Hex | undefined {
  if (to.toLowerCase() !== contracts.cageEnforcer.toLowerCase()) return undefined
  if (!data.startsWith(isNonceUsed) || data.length !== 10 + 4 * 64) return undefined
  // The row's key hashes the same three words that begin the question.
  const row = keccak256(`0x${data.slice(10, 10 + 3 * 64)}`)
  const nonce: Hex = `0x${data.slice(10 + 3 * 64)}`
  const slot = (key: Hex, mapping: Hex) =>
    keccak256(encodeAbiParameters(parseAbiParameters('bytes32, bytes32'), [key, mapping]))
  return slot(nonce, slot(row, pad(`0x${cageNonces.toString(16).padStart(2, '0')}`)))
}
