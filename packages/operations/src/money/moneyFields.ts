import { type AddressBook, BardoError } from '@bardo/core'
import {
  type Address,
  erc20Abi,
  formatUnits,
  getAddress,
  isAddress,
  type PublicClient,
  parseUnits,
} from 'viem'
import { z } from 'zod'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { addressSchema } from '../owner/schemas.ts'

/** How much of what: `100 USDC`, `0.5 ETH`, `all WETH`. */
export const moneyInput = z.strictObject({
  /** A decimal number, or `all`. */
  amount: z.string().trim().min(1).max(80),
  /** A symbol of the address book, `ETH`, or the address of a token. */
  token: z.string().trim().min(1).max(80),
})

/** Input of a transfer. */
export type MoneyInput = z.output<typeof moneyInput>

/** An amount of one token, exactly. */
export const moneyFields = z.strictObject({
  /** Null for the chain's own coin. */
  token: addressSchema.nullable(),
  symbol: z.string(),
  decimals: z.int().min(0).max(77),
  /** Base units. */
  amount: z
    .string()
    .regex(/^[1-9]\d{0,77}$/)
    .describe('base units'),
})

/** An amount of one token, exactly. */
export type MoneyFields = z.output<typeof moneyFields>

/** The result of a transfer. */
export const movedResult = z.strictObject({
  transaction: z.templateLiteral(['0x', z.string()]),
  from: addressSchema,
  to: addressSchema,
  money: moneyFields,
})

/** Reads which token is meant and how much of it `holder` has. Throws if that is less than the amount. */
export async function resolveMoney(
  { client, book }: Pick<OperationContext, 'client' | 'book'>,
  { amount, token: named }: MoneyInput,
  holder: Address,
): Promise<MoneyFields> {
  const token = findToken(book, named)
  const { symbol, decimals } = await readToken(client, token, named)
  const held = await balanceOf(client, token, holder)
  const units = amount.toLowerCase() === 'all' ? held : parseAmount(amount, decimals)
  if (units <= 0n || units > held)
    throw new BardoError(`${holder} does not hold that much.`, {
      code: 'INSUFFICIENT_FUNDS',
      outcome: 'not-sent',
      details: [
        `requested: ${formatUnits(units, decimals)} ${symbol}`,
        `available: ${formatUnits(held, decimals)} ${symbol}`,
      ],
    })
  return { token, symbol, decimals, amount: `${units}` }
}

/** The amount with its symbol: `100 USDC`. */
export function moneyText({ amount, decimals, symbol }: MoneyFields): string {
  return `${formatUnits(BigInt(amount), decimals)} ${symbol}`
}

/** What an address holds of a token, or of the chain's own coin. */
function balanceOf(client: PublicClient, token: Address | null, holder: Address): Promise<bigint> {
  if (token === null) return client.getBalance({ address: holder })
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

function findToken({ assets }: AddressBook, named: string): Address | null {
  if (named.toUpperCase() === 'ETH') return null
  const entry = [...assets].find(([symbol]) => symbol.toLowerCase() === named.toLowerCase())
  if (entry) return getAddress(entry[1].token)
  if (isAddress(named)) return getAddress(named)
  throw new BardoError(`The address book has no token "${named}".`, {
    code: 'ADDRESS_UNKNOWN',
    details: [`known: ETH, ${[...assets.keys()].join(', ')}`],
    remedy: 'Use one of these symbols, or the address of a token.',
  })
}

async function readToken(client: PublicClient, token: Address | null, named: string) {
  if (token === null) return { symbol: 'ETH', decimals: 18 }
  try {
    const [symbol, decimals] = await Promise.all([
      client.readContract({ address: token, abi: erc20Abi, functionName: 'symbol' }),
      client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' }),
    ])
    // A stranger's token chooses its own symbol: an address is shown as an address.
    return { symbol: isAddress(named) ? token : symbol, decimals }
  } catch (cause) {
    throw new BardoError(`${token} is not an ERC-20 token on this chain.`, { code: 'ADDRESS_UNKNOWN', cause })
  }
}

function parseAmount(text: string, decimals: number): bigint {
  const isNumber = /^\d{1,60}(\.\d{1,77})?$/.test(text)
  const fraction = text.split('.')[1] ?? ''
  if (isNumber && fraction.length <= decimals) return parseUnits(text, decimals)
  throw new BardoError(`"${text}" is not an amount.`, {
    code: 'INVALID_INPUT',
    remedy: `Write a decimal number with at most ${decimals} decimals, such as 12.5, or "all".`,
  })
}
