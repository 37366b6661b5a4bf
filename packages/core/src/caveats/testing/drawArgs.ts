import { type Address, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import type { Answer, HookContext, Read } from '../caveatKind.ts'
import { digitsOf } from '../execution/digits.ts'
import { coSigningDigest, signatureRead } from '../measure/coSigners.ts'
import { type Dice, damaged } from './cases.ts'
import { players } from './harness.ts'

const privateKeys = [numberToHex(0xa11ce, { size: 32 }), numberToHex(0xb0b, { size: 32 })]
const keyOf = new Map(privateKeys.map((key) => [privateKeyToAccount(key).address.toLowerCase(), key]))

/** The co-signers of every case: two keys and a contract. */
export const keys = [...keyOf.keys(), players.contractKey].sort() as Address[]

/** Signatures of some keys over the right digest, or nearly. */
export async function drawArgs(dice: Dice, context: Omit<HookContext, 'before' | 'after'>) {
  const nonce = dice.once(5) ? 6n : 5n
  const signedNonce = dice.once(15) ? nonce + 1n : nonce
  // Sometimes every key signs the first key's digest: in version 1 one digest was enough for all.
  const isForFirst = dice.once(15)
  const bits = dice.below(9)
  const signing = keys.filter((_, index) => (bits >> index) & 1)
  const answers: [Read, Answer][] = []
  const signatures: Hex[] = []
  for (const key of signing) {
    const privateKey = keyOf.get(key)
    const digest = coSigningDigest(context, signedNonce, isForFirst ? (keys[0] ?? key) : key)
    const signature = privateKey ? await sign({ hash: digest, privateKey, to: 'hex' }) : '0xabcdef'
    const given = dice.once(20) ? damaged(dice, signature) : signature
    signatures.push(given)
    if (!privateKey) {
      const magic = dice.once(6) ? '0xffffffff' : '0x1626ba7e'
      answers.push([
        signatureRead(key, coSigningDigest(context, nonce, key), digitsOf(given)),
        { ok: !dice.once(9), data: `${magic}${'00'.repeat(28)}` },
      ])
    }
  }
  if (dice.once(15)) signatures.pop()
  const args = encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes[]'), [
    nonce,
    BigInt(bits),
    signatures,
  ])
  return { args: dice.once(20) ? damaged(dice, args) : args, answers }
}
