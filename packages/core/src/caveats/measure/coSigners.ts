import { secp256k1 } from '@noble/curves/secp256k1'
import { type Address, encodeAbiParameters, type Hex, hexToBytes, keccak256, toBytes } from 'viem'
import { publicKeyToAddress } from 'viem/utils'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { bytesAt, follow, wordAt } from '../execution/abiReader.ts'
import { type Digits, digitsOf, lengthOf, loadWord, plainAddress, wordOf } from '../execution/digits.ts'
import { answerTo } from '../verdict/ask.ts'
import { refuse } from '../verdict/refuse.ts'

/** k of n named keys. */
export type CoSigners = { readonly threshold: number; readonly keys: readonly Address[] }

const maxKeys = 32
const isValidSignature = '0x1626ba7e'
const typeHash = keccak256(
  toBytes(
    'CoSignedExecution(address manager,bytes32 delegationHash,bytes32 mode,bytes32 executionHash,uint256 nonce)',
  ),
)
const domainHash = keccak256(
  toBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const nameHash = keccak256(toBytes('Bardo Threshold'))
const versionHash = keccak256(toBytes('1'))

/** The number that the signers chose; it works once. */
export function nonceIn(args: Digits): bigint {
  return wordAt(args, 0)
}

/** What the keys sign. */
export function coSigningDigest(
  { chainId, manager, enforcer, execution, delegationHash }: Omit<HookContext, 'before'>,
  nonce: bigint,
): Hex {
  const words = [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }] as const
  const domain = keccak256(
    encodeAbiParameters(
      [...words, { type: 'uint256' }, { type: 'address' }],
      [domainHash, nameHash, versionHash, BigInt(chainId), enforcer],
    ),
  )
  const struct = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'address' }, ...words, { type: 'uint256' }],
      [typeHash, manager, delegationHash, execution.mode, keccak256(execution.calldata), nonce],
    ),
  )
  return keccak256(`0x1901${domain.slice(2)}${struct.slice(2)}`)
}

/** Refuses keys and a threshold that no enforcer accepts. Their order is seen when the signatures are. */
export function requireThreshold({ threshold, keys }: CoSigners): void {
  if (keys.length > maxKeys || threshold === 0 || threshold > keys.length)
    refuse('ThresholdMalformed', BigInt(threshold), BigInt(keys.length))
}

/** Refuses keys that are not in strictly ascending order. */
export function requireAscending({ keys }: CoSigners): void {
  let last: Address = `0x${'0'.repeat(40)}`
  for (const key of keys) last = requireAbove(last, key)
}

/** Refuses `args` that do not hold the signatures of enough keys over this digest. */
export function requireSigned(chain: ChainState, coSigners: CoSigners, digest: Hex, args: Digits): void {
  const { threshold, keys } = coSigners
  requireThreshold(coSigners)
  const signers = wordAt(args, 32)
  if (signers >> BigInt(keys.length) !== 0n) refuse('SignerUnknown', signers, BigInt(keys.length))
  const table = follow(args, 0, 64)
  const signatures = wordAt(args, table)
  let signed = 0
  let last: Address = `0x${'0'.repeat(40)}`
  for (const [index, key] of keys.entries()) {
    last = requireAbove(last, key)
    if (((signers >> BigInt(index)) & 1n) === 0n) continue
    if (BigInt(signed) === signatures) refuse('SignatureCount', signatures, BigInt(signed + 1))
    const signature = bytesAt(args, table + 32, table + 32 + 32 * signed)
    if (!isSignedBy(chain, key, digest, signature)) refuse('SignatureInvalid', key, digest)
    signed += 1
  }
  if (BigInt(signed) !== signatures) refuse('SignatureCount', signatures, BigInt(signed))
  if (signed < threshold) refuse('TooFewSigners', BigInt(signed), BigInt(threshold))
}

function requireAbove(last: Address, key: Address): Address {
  return BigInt(key) <= BigInt(last) ? refuse('KeysNotAscending', last, key) : key
}

/**
 * A key with code answers for itself (ERC-1271). One that answers nothing at all has no code, and its signature is
 * recovered; a contract that takes any call and says nothing looks the same, and no `eth_call` tells them apart.
 */
function isSignedBy(chain: ChainState, key: Address, digest: Hex, signature: Digits): boolean {
  const { ok, data } = answerTo(chain, signatureRead(key, digest, signature))
  if (ok && data === '0x') return recoveredSigner(digest, signature) === key
  const words = digitsOf(data)
  return ok && lengthOf(words) >= 32 && loadWord(words, 0) === BigInt(isValidSignature) << 224n
}

/** The question whether a key's own code takes this signature. */
export function signatureRead(key: Address, digest: Hex, signature: Digits) {
  const padding = '0'.repeat((64 - (signature.length % 64)) % 64)
  const data = `${isValidSignature}${digitsOf(digest)}${wordOf(64)}${wordOf(lengthOf(signature))}${signature}${padding}`
  return { to: key, data: data as Hex }
}

/** Who signed; undefined for what `ecrecover` or OpenZeppelin's check for malleable signatures refuses. */
function recoveredSigner(digest: Hex, signature: Digits): Address | undefined {
  if (lengthOf(signature) !== 65) return undefined
  const v = Number.parseInt(signature.slice(128), 16)
  if (v !== 27 && v !== 28) return undefined
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.slice(0, 128))
    if (parsed.hasHighS()) return undefined
    const key = parsed.addRecoveryBit(v - 27).recoverPublicKey(hexToBytes(digest))
    return plainAddress(publicKeyToAddress(`0x${key.toHex(false)}`))
  } catch {
    // A point that is not on the curve: ecrecover says zero, and zero is nobody.
    return undefined
  }
}
