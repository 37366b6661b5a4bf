import { concat, type Hex } from 'viem'
import { caveatKind } from './caveatKind.ts'
import { bytesAt, follow, wordAt } from './execution/abiReader.ts'
import { openCalls } from './execution/calls.ts'
import { type Digits, digitsOf, lengthOf, packedAddressAt, smallAt, wordOf } from './execution/digits.ts'
import {
  type CoSigners,
  coSigningDigest,
  nonceIn,
  requireAscending,
  requireSigned,
  requireThreshold,
  signatureRead,
} from './measure/coSigners.ts'
import { managerReads, readable, type Unlooked } from './measure/reads.ts'
import { below, coverage, type Excess } from './terms/coverage.ts'
import { checkedTerms, decodedTerms, packed, requireLength } from './terms/packed.ts'
import { listed, nameOf } from './terms/words.ts'
import { evaluateManagedHooks, ownManager } from './verdict/evaluateHooks.ts'
import { type RowKey, rowQuestion } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'
import { askOwn, rewriting } from './verdict/staticRead.ts'

export type ThresholdTerms = CoSigners

const name = 'Threshold'
const head = 2

/** k of n named keys must sign exactly this execution. */
export const threshold = caveatKind<ThresholdTerms>({
  name,
  encode: (terms) => checkedTerms(name, encodeCoSigners(terms), readKnown),
  decode: (terms) => decodedTerms(name, terms, readKnown),
  covers: (parent, child) => coverage(fewerSigners(child, parent)),
  describe: ({ threshold: least, keys }, names) =>
    `${least} of ${listed(keys.map((key) => nameOf(key, names)))} sign every execution`,
  reads: (terms, context) => {
    const decoded = readable(terms, readKnown)
    return decoded ? [...managerReads(context), ...coSigningReads(decoded, context)] : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(
      context,
      (chain) => {
        const coSigners = read(digitsOf(terms))
        openCalls(context.execution)
        const nonce = nonceIn(digitsOf(context.args))
        requireSigned(context, chain, coSigners)
        const [used = 0n] = askOwn(chain, nonceRead(context, nonce), 1)
        if (used !== 0n) refuse('NonceUsed', context.delegationHash, nonce)
      },
      ownManager,
    ),
  leaves: (_, context) => ({
    rewrite: rewriting(nonceRead(context, nonceIn(digitsOf(context.args))), 1n),
  }),
})

export function encodeCoSigners({ threshold: least, keys }: CoSigners): Hex {
  return concat([packed([1, least], [1, keys.length]), ...keys.map((key) => packed([20, key]))])
}

/** The keys and the threshold at this position. */
export function coSignersAt(terms: Digits, start: number): CoSigners {
  const keys = Array.from({ length: smallAt(terms, start + 1, 1) }, (_, index) =>
    packedAddressAt(terms, start + head + 20 * index),
  )
  return { threshold: smallAt(terms, start, 1), keys }
}

/** Signatures refer to keys by index, so other keys need other signatures. */
export function fewerSigners(child: CoSigners, parent: CoSigners): Excess {
  const plain = ({ keys }: CoSigners) => keys.join().toLowerCase()
  return (
    (plain(child) !== plain(parent) && `keys: ${child.keys.join(', ')} are not ${parent.keys.join(', ')}`) ||
    below('signatures', child.threshold, parent.threshold)
  )
}

/**
 * Whether a nonce of co-signatures is used up, as a read of the enforcer.
 *
 * @example
 * nonceRead({ manager, enforcer, delegator, delegationHash, rules: 2 }, 1n)
 */
export function nonceRead(context: RowKey & Pick<Unlooked, 'delegationHash'>, nonce: bigint) {
  return rowQuestion(context, 'isNonceUsed', context.delegationHash, wordOf(nonce))
}

/** The reads for the signing keys, and for the nonce in the enforcer. */
export function coSigningReads({ keys }: CoSigners, context: Unlooked) {
  const reads = readable(context.args, (args) => {
    const nonce = nonceIn(args)
    const table = follow(args, 0, 64)
    const signers = wordAt(args, 32)
    const signing = keys.filter((_, index) => ((signers >> BigInt(index)) & 1n) === 1n)
    return [
      nonceRead(context, nonce),
      ...signing.map((key, place) =>
        signatureRead(
          key,
          coSigningDigest(context, nonce, key),
          bytesAt(args, table + 32, table + 32 + 32 * place),
        ),
      ),
    ]
  })
  return reads ?? []
}

function read(terms: Digits): ThresholdTerms {
  if (lengthOf(terms) < head) refuse('TermsLength', BigInt(lengthOf(terms)), BigInt(head))
  requireLength(terms, head + 20 * smallAt(terms, 1, 1))
  return coSignersAt(terms, 0)
}

function readKnown(terms: Digits): ThresholdTerms {
  const coSigners = read(terms)
  requireThreshold(coSigners)
  requireAscending(coSigners)
  return coSigners
}
