import type { Address, Hex } from 'viem'
import type { Answer, ChainState, Read, Traces } from '../caveatKind.ts'
import { addressInWord, type Digits, lengthOf, loadWord, selectorOf, wordOf } from '../execution/digits.ts'
import { Missing, refuse, refuseAs } from './refuse.ts'
import { rememberReads } from './rememberReads.ts'

/** A read of a contract: a selector followed by words. */
export function question(signature: string): (to: Address, ...words: readonly Digits[]) => Read {
  const selector = selectorOf(signature)
  const readOf = rememberReads((to, words) => ({ to, data: `${selector}${words.join('')}` as Hex }))
  return (to, ...words) => readOf(to, words)
}

/** The answer; stops the evaluation if the read was not made. */
export function answerTo(chain: ChainState, read: Read): Answer {
  const answer = chain.answer(read)
  if (!answer) throw new Missing([read])
  return answer
}

/**
 * Reads as StaticRead.sol does: a contract that reverts, has no code or returns too little counts as no
 * answer.
 */
export function askWords(chain: ChainState, read: Read, words: number): readonly bigint[] | undefined {
  const answer = answerTo(chain, read)
  const answerWords = wordsOf(answer)
  return answer.ok && answerWords.length >= words ? answerWords : undefined
}

const parsed = new WeakMap<Answer, readonly bigint[]>()

/** The whole words of an answer, cached: parsing numbers is slow, and one answer is read many times. */
function wordsOf(answer: Answer): readonly bigint[] {
  const cached = parsed.get(answer)
  if (cached) return cached
  const digits = answer.data.slice(2)
  const words = Array.from({ length: Math.floor(lengthOf(digits) / 32) }, (_, index) =>
    loadWord(digits, 32 * index),
  )
  parsed.set(answer, words)
  return words
}

const addresses = new WeakMap<readonly bigint[], Map<number, Address>>()

/** The address in one word of an answer, cached as the words are: every caveat compares a few of them. */
export function addressAt(words: readonly bigint[], index: number): Address {
  let cached = addresses.get(words)
  if (!cached) {
    cached = new Map()
    addresses.set(words, cached)
  }
  let address = cached.get(index)
  if (address === undefined) {
    address = addressInWord(words[index] ?? 0n)
    cached.set(index, address)
  }
  return address
}

export function askWord(chain: ChainState, read: Read): bigint {
  const [word] = askWords(chain, read, 1) ?? []
  return word ?? refuse('NoAnswer', read.to, read.data.slice(0, 10))
}

export function askAddress(chain: ChainState, read: Read): Address {
  return addressInWord(askWord(chain, read))
}

/**
 * Reads as Solidity's own calls do: a revert is passed on, and an answer that cannot be decoded reverts
 * without data.
 */
export function callWords(chain: ChainState, read: Read, words: number): readonly bigint[] {
  const answer = answerTo(chain, read)
  if (!answer.ok) refuseAs(answer.data)
  const answerWords = wordsOf(answer)
  return answerWords.length < words ? refuseAs('0x') : answerWords
}

export function callAddress(chain: ChainState, read: Read): Address {
  const [word = 0n] = callWords(chain, read, 1)
  if (word >> 160n !== 0n) refuseAs('0x')
  return addressInWord(word)
}

/**
 * Reads the enforcer's own state; an enforcer that does not answer is not Bardo's, and the result is unknown.
 */
export function askOwn(chain: ChainState, read: Read, words: number): readonly bigint[] {
  const answerWords = askWords(chain, read, words)
  if (!answerWords) throw new Missing([read])
  return answerWords
}

/** The same for an address that the enforcer was deployed with. */
export function askOwnAddress(chain: ChainState, read: Read): Address {
  return addressAt(askOwn(chain, read, 1), 0)
}

/** Returns these words for one read from now on. */
export function rewriting(written: Read, ...words: readonly bigint[]): NonNullable<Traces['rewrite']> {
  const rewritten: Answer = { ok: true, data: `0x${words.map(wordOf).join('')}` }
  return (read, answer) => (isSame(read, written) ? rewritten : answer)
}

function isSame(one: Read, other: Read): boolean {
  return (
    one.data.toLowerCase() === other.data.toLowerCase() && one.to.toLowerCase() === other.to.toLowerCase()
  )
}
