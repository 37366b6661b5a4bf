import { type Answer, cage, type Deployment, enforcerVersion, type Read } from '@bardo/core'
import { type Address, concat, type Hex, keccak256, pad, toFunctionSelector } from 'viem'
import { type Answers, readKey } from './answers.ts'

/** Getters by which enforcers report the contracts that they were built for. */
const selectors = {
  vitals: toFunctionSelector('vitals()'),
  policyCage: toFunctionSelector('policyCage()'),
  delegationManager: toFunctionSelector('delegationManager()'),
  dependencies: toFunctionSelector('dependencies()'),
}

/**
 * Answers that need no read: an enforcer's oracles are in its code, and its address follows from its code.
 * This saves the round trip before the reads that depend on them.
 */
export function fixedAnswers({ contracts, earlier, framework }: Deployment): Answers {
  const { golemVitals: vitals, policyCage, dreamModeEnforcer } = contracts
  const manager = framework.DelegationManager
  const answers = new Map<string, Answer>()
  const add = (to: Address, question: keyof typeof selectors, ...addresses: readonly Address[]) =>
    answers.set(readKey({ to, data: selectors[question] }), addressAnswer(addresses))
  add(dreamModeEnforcer, 'vitals', vitals)
  for (const name of Object.keys(earlier) as (keyof typeof earlier)[]) {
    if (name === 'cadenceEnforcer' || name === 'thresholdEnforcer') {
      add(contracts[name], 'delegationManager', manager)
      continue
    }
    add(earlier[name], 'vitals', vitals)
    add(earlier[name], 'policyCage', policyCage)
    add(contracts[name], 'dependencies', vitals, policyCage, manager)
  }
  return answers
}

function addressAnswer(addresses: readonly Address[]): Answer {
  return { ok: true, data: concat(addresses.map((address) => pad(address))).toLowerCase() as Hex }
}

/**
 * For each version of the Cage: the selector of the nonce read, how many of its words form the row's key, and
 * the storage slot of the nonces. A test compares them with the contracts.
 */
const cageNonces = {
  1: {
    question: toFunctionSelector('isNonceUsed(address,address,bytes32,uint256)'),
    keyWords: 3,
    slot: '0x04',
  },
  2: { question: toFunctionSelector('isNonceUsed(address,bytes32,uint256)'), keyWords: 2, slot: '0x06' },
} as const

/**
 * The Cage's storage slot for a nonce read, for which the Cage has no function. Undefined for other reads.
 */
export function cageNonceSlot(deployment: Deployment, { to, data }: Read): Hex | undefined {
  const version = ([1, 2] as const).find((each) => data.startsWith(cageNonces[each].question))
  if (!version || enforcerVersion(deployment, cage, to) !== version) return undefined
  const { keyWords, slot: mapping } = cageNonces[version]
  const keyEnd = 10 + 64 * keyWords
  if (data.length !== keyEnd + 64) return undefined
  // The row's key is the hash of the first words of the read.
  const row = keccak256(`0x${data.slice(10, keyEnd)}`)
  const nonce: Hex = `0x${data.slice(keyEnd)}`
  const slot = (key: Hex, base: Hex) => keccak256(concat([key, base]))
  return slot(nonce, slot(row, pad(mapping)))
}
