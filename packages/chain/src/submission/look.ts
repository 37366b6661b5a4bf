import type { JournalRecord, Mined } from '@bardo/core'
import { type Hash, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { findNonceUser } from './findNonceUser.ts'
import type { SubmitterSettings } from './settings.ts'

/**
 * What the chain shows of a record: one of its transactions in a block, which is `final` if no reorganisation is
 * expected to change it; its nonce used for good by something that is none of them; its nonce used, by what cannot be
 * said yet; or nothing.
 */
export type Sighting =
  | { readonly kind: 'mined'; readonly mined: Mined; readonly final: boolean }
  | { readonly kind: 'displaced'; readonly by: Hash | undefined }
  | { readonly kind: 'nonce-used' }
  | { readonly kind: 'nothing' }

/** Looks for every transaction that was ever signed at the record's nonce. */
export async function look(
  client: PublicClient,
  { intent, attempts, nonce = 0 }: JournalRecord,
  finality: SubmitterSettings['finality'],
): Promise<Sighting> {
  // The height first: what is found afterwards is then never taken for deeper than it is.
  const finalHeight = await readFinalHeight(client, finality)
  // Newest first: it is the likeliest.
  for (const { hash } of attempts.toReversed()) {
    const mined = await readMined(client, hash)
    if (!mined) continue
    const final = mined.blockNumber <= finalHeight && (await isCanonical(client, mined))
    return { kind: 'mined', mined, final }
  }
  if ((await client.getTransactionCount({ address: intent.from })) <= nonce) return { kind: 'nothing' }
  const isFinal =
    finalHeight >= 0n &&
    (await client.getTransactionCount({ address: intent.from, blockNumber: finalHeight })) > nonce
  if (!isFinal) return { kind: 'nonce-used' }
  const { by, block } = await findNonceUser(client, intent.from, nonce, finalHeight)
  // While a node writes a new block down, the state of its newest one can already show what that block does not have.
  if (by === undefined && finality === 1 && block === finalHeight) return { kind: 'nonce-used' }
  // One of ours did, and the node does not show its receipt.
  return attempts.some(({ hash }) => hash === by) ? { kind: 'nonce-used' } : { kind: 'displaced', by }
}

/** The highest block that counts as final; -1 if there is none yet. */
export async function readFinalHeight(client: PublicClient, finality: SubmitterSettings['finality']) {
  if (finality === 'finalized') return (await client.getBlock({ blockTag: 'finalized' })).number
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const height = head - BigInt(Math.max(finality, 1)) + 1n
  return height < 0n ? -1n : height
}

async function readMined(client: PublicClient, hash: Hash): Promise<Mined | undefined> {
  try {
    const { blockNumber, blockHash, status } = await client.getTransactionReceipt({ hash })
    return { hash, blockNumber, blockHash, status }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Some nodes still show receipts of blocks that were left behind. */
async function isCanonical(client: PublicClient, { blockNumber, blockHash }: Mined): Promise<boolean> {
  return (await client.getBlock({ blockNumber })).hash === blockHash
}
