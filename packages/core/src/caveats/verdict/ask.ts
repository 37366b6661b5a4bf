import { type Address, type Hex, keccak256, toBytes } from 'viem'
import type { Answer, ChainState, Read, Traces } from '../caveatKind.ts'
import { addressInWord, type Digits, lengthOf, loadWord, wordOf } from '../execution/digits.ts'
import { Missing, refuse, refuseAs } from './refuse.ts'
import { rememberReads } from './rememberReads.ts'

/** A question that a contract is asked: a selector, and then words. */
export function question(signature: string): (to: Address, ...words: readonly Digits[]) => Read {
  const selector = keccak256(toBytes(signature)).slice(0, 10)
  const known = rememberReads((to, words) => ({ to, data: `${selector}${words.join('')}` as Hex }))
  return (to, ...words) => known(to, words)
}

/** What came back; stops the evaluation where nobody asked. */
export function answerTo(chain: ChainState, read: Read): Answer {
  const answer = chain.answer(read)
  if (!answer) throw new Missing([read])
  return answer
}

/** Asks as Ask.sol does: whoever reverts, is not there, or says too little has not answered. */
export function askWords(chain: ChainState, read: Read, words: number): readonly bigint[] | undefined {
  const answer = answerTo(chain, read)
  const found = wordsOf(answer)
  return answer.ok && found.length >= words ? found : undefined
}

const parsed = new WeakMap<Answer, readonly bigint[]>()

/** The whole words of an answer. Numbers are dear to parse, and one answer is looked at many times. */
function wordsOf(answer: Answer): readonly bigint[] {
  const known = parsed.get(answer)
  if (known) return known
  const digits = answer.data.slice(2)
  const words = Array.from({ length: Math.floor(lengthOf(digits) / 32) }, (_, index) =>
    loadWord(digits, 32 * index),
  )
  parsed.set(answer, words)
  return words
}

export function askWord(chain: ChainState, read: Read): bigint {
  const [word] = askWords(chain, read, 1) ?? []
  return word ?? refuse('NoAnswer', read.to, read.data.slice(0, 10))
}

export function askAddress(chain: ChainState, read: Read): Address {
  return addressInWord(askWord(chain, read))
}

/** Asks as Solidity's own calls do: a revert is handed on, and what cannot be decoded reverts with nothing. */
export function callWords(chain: ChainState, read: Read, words: number): readonly bigint[] {
  const answer = answerTo(chain, read)
  if (!answer.ok) refuseAs(answer.data)
  const found = wordsOf(answer)
  return found.length < words ? refuseAs('0x') : found
}

export function callAddress(chain: ChainState, read: Read): Address {
  const [word = 0n] = callWords(chain, read, 1)
  if (word >> 160n !== 0n) refuseAs('0x')
  return addressInWord(word)
}

/** Asks what the enforcer answers about itself; one that does not is none of ours, and nothing is known about it. */
export function askOwn(chain: ChainState, read: Read, words: number): readonly bigint[] {
  const found = askWords(chain, read, words)
  if (!found) throw new Missing([read])
  return found
}

/** One question is answered with these words from now on. */
export function rewriting(written: Read, ...words: readonly bigint[]): NonNullable<Traces['rewrite']> {
  const rewritten: Answer = { ok: true, data: `0x${words.map(wordOf).join('')}` }
  return (read, answer) => (isSame(read, written) ? rewritten : answer)
}

function isSame(one: Read, other: Read): boolean {
  return (
    one.data.toLowerCase() === other.data.toLowerCase() && one.to.toLowerCase() === other.to.toLowerCase()
  )
}
