import { gunzipSync, gzipSync } from 'node:zlib'
import { BardoError } from '@bardo/core'
import { type Hex, hexToBytes, hexToNumber } from 'viem'
import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string()])

/** The part of anvil's dump that Bardo reads. The rest is passed through. */
const dumpSchema = z.looseObject({
  accounts: z.record(hex, z.looseObject({ code: hex.optional() })),
  best_block_number: z.union([hex, z.number()]),
  blocks: z
    .array(z.looseObject({ header: z.looseObject({ number: hex }), transactions: z.array(z.unknown()) }))
    .default([]),
})

type ChainDump = z.output<typeof dumpSchema>

/** Empty blocks older than this many blocks are omitted from a stored devnet. */
const maxEmptyBlocks = 300

/** The code of every account in a dump, by its address in lower case. */
export function codesIn(dump: Hex): ReadonlyMap<string, Hex> {
  const codes = new Map<string, Hex>()
  for (const [address, { code }] of Object.entries(decode(dump).accounts))
    if (code !== undefined && code !== '0x') codes.set(address.toLowerCase(), code)
  return codes
}

/**
 * The same chain without its old empty blocks. A devnet mines one whenever its clock is read, and would grow
 * by thousands of blocks a day. Blocks with transactions stay, because owners look them up, and so does the
 * first block.
 */
export function withoutOldEmptyBlocks(dump: Hex): Hex {
  const chain = decode(dump)
  const { blocks, best_block_number: best } = chain
  const oldest = (typeof best === 'number' ? best : hexToNumber(best)) - maxEmptyBlocks
  const remaining = blocks.filter(({ header, transactions }) => {
    const number = hexToNumber(header.number)
    return transactions.length > 0 || number === 0 || number > oldest
  })
  return remaining.length === blocks.length ? dump : encode({ ...chain, blocks: remaining })
}

function decode(dump: Hex): ChainDump {
  try {
    return dumpSchema.parse(JSON.parse(gunzipSync(hexToBytes(dump)).toString()))
  } catch (cause) {
    throw new BardoError('The dump of the local chain is unreadable.', { code: 'ANVIL_FAILED', cause })
  }
}

function encode(chain: ChainDump): Hex {
  return `0x${gzipSync(JSON.stringify(chain), { level: 1 }).toString('hex')}`
}
