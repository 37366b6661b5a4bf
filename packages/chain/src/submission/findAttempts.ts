import type { JournalRecord, Mined } from '@bardo/core'
import { BlockNotFoundError, type Hash, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { findNonceUser } from './findNonceUser.ts'
import type { SubmitterSettings } from './settings.ts'

/**
 * What the chain shows of a record: one of its transactions in a block (`final` if no reorganisation is
 * expected to change it); its nonce finally used by another transaction; its nonce used, by a transaction
 * that is not yet visible; or nothing.
 */
export type Sighting =
  | { readonly kind: 'mined'; readonly mined: Mined; readonly final: boolean }
  | { readonly kind: 'displaced'; readonly by: Hash | undefined }
  | { readonly kind: 'nonce-used' }
  | { readonly kind: 'nothing' }

/** Searches for every transaction that was ever signed at the record's nonce. */
export async function findAttempts(
  client: PublicClient,
  { intent, attempts, nonce = 0 }: JournalRecord,
  finality: SubmitterSettings['finality'],
): Promise<Sighting> {
  // Read the height first, so that a transaction found later never counts as deeper than it is.
  const finalHeight = await readFinalHeight(client, finality)
  // Newest first: the most likely one.
  for (const { hash } of attempts.toReversed()) {
    const mined = await readMined(client, hash)
    if (!mined) continue
    // Some nodes still return receipts of orphaned blocks.
    const final = mined.blockNumber <= finalHeight && (await isCanonical(client, mined)) === true
    return { kind: 'mined', mined, final }
  }
  if ((await client.getTransactionCount({ address: intent.from })) <= nonce) return { kind: 'nothing' }
  const isFinal =
    finalHeight >= 0n &&
    (await client.getTransactionCount({ address: intent.from, blockNumber: finalHeight })) > nonce
  if (!isFinal) return { kind: 'nonce-used' }
  const { by, block } = await findNonceUser(client, intent.from, nonce, finalHeight)
  // While a node stores a new block, its newest state can already show what no readable block contains.
  if (by === undefined && finality === 1 && block === finalHeight) return { kind: 'nonce-used' }
  // One of our attempts used it, and the node does not show the receipt.
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

/** Whether a block is part of the chain; undefined if the chain does not reach its height. */
export async function isCanonical(
  client: PublicClient,
  { blockNumber, blockHash }: Mined,
): Promise<boolean | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash === blockHash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
