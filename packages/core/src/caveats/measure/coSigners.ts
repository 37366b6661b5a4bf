import { type Address, bytesToHex, encodeAbiParameters, type Hex, hexToBytes, keccak256, toBytes } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { bytesAt, follow, wordAt } from '../execution/abiReader.ts'
import { addressWord, type Digits, digitsOf, lengthOf, loadWord, wordOf } from '../execution/digits.ts'
import { Missing, refuse } from '../verdict/refuse.ts'
import { answerTo } from '../verdict/staticRead.ts'

/** A threshold of named keys (k of n). */
export type CoSigners = { readonly threshold: number; readonly keys: readonly Address[] }

const maxKeys = 32
const isValidSignature = '0x1626ba7e'
const fields = 'address manager,bytes32 delegationHash,bytes32 mode,bytes32 executionHash,uint256 nonce'
const typeHash = keccak256(toBytes(`CoSignedExecution(${fields},address signer)`))
/** Version 1 did not include the signer, so one signature counted for a key and for its contract accounts. */
const typeHashOfVersion1 = keccak256(toBytes(`CoSignedExecution(${fields})`))
const domainHash = keccak256(
  toBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const nameHash = keccak256(toBytes('Bardo Threshold'))
const versionHashes = { 1: keccak256(toBytes('1')), 2: keccak256(toBytes('2')) }

/** A nonce that the signers chose; it can be used once. */
export function nonceIn(args: Digits): bigint {
  return wordAt(args, 0)
}

/**
 * The digest that one co-signer signs.
 *
 * @example
 * const digest = coSigningDigest({ ...context, enforcer: thresholdEnforcer }, 1n, coSigner.address)
 * const signature = await coSigner.sign({ hash: digest })
 */
export function coSigningDigest(
  { rules = 2, chainId, manager, enforcer, execution, delegationHash }: Omit<HookContext, 'before'>,
  nonce: bigint,
  signer: Address,
): Hex {
  const words = [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }] as const
  const domain = keccak256(
    encodeAbiParameters(
      [...words, { type: 'uint256' }, { type: 'address' }],
      [domainHash, nameHash, versionHashes[rules], BigInt(chainId), enforcer],
    ),
  )
  const message = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'address' }, ...words, { type: 'uint256' }],
    [
      rules === 1 ? typeHashOfVersion1 : typeHash,
      manager,
      delegationHash,
      execution.mode,
      keccak256(execution.calldata),
      nonce,
    ],
  )
  const struct = keccak256(rules === 1 ? message : `${message}${addressWord(signer)}`)
  return keccak256(`0x1901${domain.slice(2)}${struct.slice(2)}`)
}

/**
 * Refuses keys and thresholds that no enforcer accepts. Key order is checked together with the signatures.
 */
export function requireThreshold({ threshold, keys }: CoSigners): void {
  if (keys.length > maxKeys || threshold === 0 || threshold > keys.length)
    refuse('ThresholdMalformed', BigInt(threshold), BigInt(keys.length))
}

/** Refuses keys that are not in strictly ascending order. */
export function requireAscending({ keys }: CoSigners): void {
  let last: Address = `0x${'0'.repeat(40)}`
  for (const key of keys) last = requireAbove(last, key)
}

/** Refuses `args` without enough signatures over this execution. */
export function requireSigned(context: HookContext, chain: ChainState, coSigners: CoSigners): void {
  const args = digitsOf(context.args)
  const nonce = nonceIn(args)
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
    const digest = coSigningDigest(context, nonce, key)
    if (!isSignedBy(context, chain, key, digest, signature)) refuse('SignatureInvalid', key, digest)
    signed += 1
  }
  if (BigInt(signed) !== signatures) refuse('SignatureCount', signatures, BigInt(signed))
  if (signed < threshold) refuse('TooFewSigners', BigInt(signed), BigInt(threshold))
}

function requireAbove(last: Address, key: Address): Address {
  return BigInt(key) <= BigInt(last) ? refuse('KeysNotAscending', last, key) : key
}

/**
 * A key with code verifies its own signature (ERC-1271). An empty answer means no code: recover the signature
 * instead. A contract that accepts any call and returns nothing looks the same; no `eth_call` tells the two
 * apart.
 */
function isSignedBy(
  { recoverPublicKey }: HookContext,
  chain: ChainState,
  key: Address,
  digest: Hex,
  signature: Digits,
): boolean {
  const { ok, data } = answerTo(chain, signatureRead(key, digest, signature))
  if (ok && data === '0x') {
    if (!recoverPublicKey) throw new Missing('simulation')
    return recoveredSigner(recoverPublicKey, digest, signature) === key
  }
  const words = digitsOf(data)
  return ok && lengthOf(words) >= 32 && loadWord(words, 0) === BigInt(isValidSignature) << 224n
}

/** The read that asks a key's own code whether it accepts this signature. */
export function signatureRead(key: Address, digest: Hex, signature: Digits) {
  const padding = '0'.repeat((64 - (signature.length % 64)) % 64)
  const data = `${isValidSignature}${digitsOf(digest)}${wordOf(64)}${wordOf(lengthOf(signature))}${signature}${padding}`
  return { to: key, data: data as Hex }
}

/**
 * The order of secp256k1. A signature with `s` above half of it is a second encoding of the same signature.
 */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The signer; undefined if `ecrecover` or OpenZeppelin's malleability check refuses the signature. */
function recoveredSigner(
  recoverPublicKey: NonNullable<HookContext['recoverPublicKey']>,
  digest: Hex,
  signature: Digits,
): Address | undefined {
  if (lengthOf(signature) !== 65) return undefined
  const v = Number.parseInt(signature.slice(128), 16)
  if (v !== 27 && v !== 28) return undefined
  if (loadWord(signature, 32) > halfOrder) return undefined
  try {
    const key = recoverPublicKey(hexToBytes(`0x0${v - 27}${signature.slice(0, 128)}`), hexToBytes(digest))
    return `0x${keccak256(bytesToHex(key.subarray(1))).slice(26)}`
  } catch {
    // A point that is not on the curve: ecrecover returns zero, which is not a valid signer.
    return undefined
  }
}
