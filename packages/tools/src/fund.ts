import { readState } from '@bardo/chain'
import { BardoError, priceOf, priceReads } from '@bardo/core'
import { askedBefore, askOwner, gasForADay, mostGas, namesOf, readAskOf } from '@bardo/golem/requests'
import { amountOf as worth } from '@bardo/golem/snapshot'
import { activeKey } from '@bardo/wallets'
import { type Address, erc20Abi, formatUnits, isAddress, isAddressEqual, parseUnits, zeroAddress } from 'viem'
import { z } from 'zod'
import { addressField, golemField, idempotencyField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** The maximum amount of one funding request, in base units. A larger number can only be a mistake. */
const mostUnits = 2n ** 96n
const sent = z.looseObject({ transaction: z.string(), moved: z.bigint() })

/** Requests gas or capital from the owner. */
export const fund = defineTool({
  name: 'wallet_fund',
  title: 'Fund the wallet',
  description:
    'Asks the owner to send ETH for gas to the Golem’s session key, or a token to the account that the Golem acts for. Tokens never go to the key. The owner sends the funds from their own wallet; nothing moves without the owner.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Checking token and source', 'Asking the owner'],
  sprite: 'executing',
  promptSnippet: 'Asks the owner for gas or capital.',
  guidelines: {
    thriving: 'Ask for the amount that the strategy needs.',
    cautious: 'Ask for at most one day’s needs.',
    declining: 'Ask only for gas.',
    terminal: 'Ask for nothing; the remaining funds return to the owner.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    token: z
      .string()
      .regex(/^[A-Za-z0-9]{1,42}$/, 'must be a token’s symbol or address, or ETH')
      .describe('The token: its symbol or address, or ETH.'),
    amount: z
      .string()
      .regex(/^\d{1,30}(\.\d{1,18})?$/, 'must be a decimal amount above zero')
      .describe('The amount in whole tokens, as a decimal string.'),
    chain: chainField,
    from: addressField
      .optional()
      .describe('The owner’s address; no other sender is allowed. Default: the owner’s address.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string(),
    txHash: z.string().nullable(),
    funded: z.string().describe('The base units that arrived; 0 while the request is pending'),
    to: z.string(),
  }),
  eventFields: {
    start: ({ token, amount, chain }) => ({ token, amount, chain }),
    end: ({ txHash, funded, status }) => ({ txHash: txHash ?? 'none', funded, status }),
  },
  say: ({ status, txHash, requestId, to }) =>
    status === 'done' ? `The funds arrived at ${to} in ${txHash}.` : `Waiting for the owner (${requestId}).`,
  async run(context, { token: named, amount: text, chain, from }, { id: call, subject, progress }) {
    await progress('Checking token and source')
    const requestId = `fund:${call}`
    const request = (await askedBefore(context, requestId)) ?? (await ask())
    const { to } = readAskOf('fund', request)
    const done = request.state === 'pending' ? undefined : sent.parse(request.answer)
    return {
      status: done ? ('done' as const) : ('pending' as const),
      requestId: request.id,
      txHash: done?.transaction ?? null,
      funded: `${done?.moved ?? 0n}`,
      to,
    }

    async function ask() {
      const { client, deployment } = context
      requireChain(deployment, chain)
      if (from && !isAddressEqual(from, subject.owner))
        throw new BardoError('Only the owner can fund a Golem.', {
          code: 'ACTION_NOT_ALLOWED',
          remedy: `Leave out "from", or set it to ${subject.owner}.`,
        })
      const { terms } = (await (await context.open(subject.id)).status()).permission
      const token = tokenOf(context, named)
      const amount = amountOf(text, token.decimals)
      const stage = stageOfLife(subject)
      const isGas = token.address === zeroAddress
      const most = isGas ? await mostGas(client) : await supplyOf(context, token)
      if (amount > most) throw isGas ? tooMuchGas(amount, most) : moreThanExists(token, amount, most)
      if (stage !== 'thriving')
        requireWithinNeeds(stage, isGas, {
          amount,
          limit: isGas ? await gasForADay(client) : await dayOf(context, terms.dayCents, token),
        })
      const to = isGas ? await keyOf(context, subject.id) : terms.mandate.account
      const sinceBlock = await client.getBlockNumber({ cacheTime: 0 })
      await progress('Asking the owner')
      const sentence = `Send ${formatUnits(amount, token.decimals)} ${token.symbol} to ${to}, ${isGas ? 'the Golem’s key, for gas' : 'the account that the Golem acts for'}.`
      const transfer = { from: subject.owner, to, token: token.address, amount, sinceBlock }
      const golem = subject.id
      return askOwner(context, { id: requestId, golem, ask: { type: 'fund', sentence, ...transfer } })
    }
  },
})

type Token = { readonly address: Address; readonly decimals: number; readonly symbol: string }

function tokenOf({ book }: ToolContext, named: string): Token {
  if (named.toUpperCase() === 'ETH') return { address: zeroAddress, decimals: 18, symbol: 'ETH' }
  const address = isAddress(named) ? named : book.assets.get(named.toUpperCase())?.token
  const metadata = address && namesOf(book).token(address)
  if (metadata && address) return { address, ...metadata }
  throw new BardoError('The token is unknown.', {
    code: 'ADDRESS_UNKNOWN',
    details: [`known tokens: ETH, ${[...book.assets.keys()].join(', ')}`],
    remedy: 'Use one of the known tokens.',
  })
}

function amountOf(text: string, decimals: number): bigint {
  const isExact = (text.split('.')[1]?.length ?? 0) <= decimals
  const amount = isExact ? parseUnits(text, decimals) : 0n
  if (amount > 0n && amount < mostUnits) return amount
  throw new BardoError('The amount is invalid.', {
    code: 'INVALID_INPUT',
    remedy: `Give an amount above zero with at most ${decimals} decimals.`,
  })
}

/** The amount of a token that the daily limit buys at its feed's price; 0 if the feed has no price. */
async function dayOf(
  { client, deployment, book }: ToolContext,
  dayCents: bigint,
  token: Token,
): Promise<bigint> {
  const asset = [...book.assets.values()].find((one) => isAddressEqual(one.token, token.address))
  if (!asset) return 0n
  const price = priceOf(await readState(client, deployment, priceReads([asset])), asset)
  return price === undefined ? 0n : worth(dayCents, price, asset)
}

function requireWithinNeeds(
  stage: string,
  isGas: boolean,
  { amount, limit }: { readonly amount: bigint; readonly limit: bigint },
): void {
  if ((stage !== 'declining' || isGas) && amount <= limit) return
  throw new BardoError(`A Golem in stage "${stage}" can ask only for what it needs in a day.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: [`requested: ${amount}`, `maximum: ${limit}`],
    remedy: stage === 'declining' ? 'Ask only for gas, for one day at most.' : 'Ask for one day at most.',
    docsPath: 'tools.md#stages-of-life',
  })
}

function supplyOf({ client }: ToolContext, { address }: Token): Promise<bigint> {
  return client.readContract({ address, abi: erc20Abi, functionName: 'totalSupply' })
}

/** No owner can send more of a token than there is, so such a request could never be approved. */
function moreThanExists({ symbol, decimals }: Token, amount: bigint, supply: bigint): BardoError {
  return new BardoError(`There is not that much ${symbol} on this chain.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: [
      `requested: ${formatUnits(amount, decimals)} ${symbol}`,
      `total supply: ${formatUnits(supply, decimals)} ${symbol}`,
    ],
    remedy: 'Ask for what the strategy needs, in whole tokens and not in base units.',
    docsPath: 'requests.md#kinds',
  })
}

/** An owner responder grants no more than this amount, so a larger request is refused here. */
function tooMuchGas(amount: bigint, most: bigint): BardoError {
  return new BardoError('A session key gets gas for at most two days.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`requested: ${formatUnits(amount, 18)} ETH`, `maximum: ${formatUnits(most, 18)} ETH`],
    remedy: `Ask for ${formatUnits(most, 18)} ETH or less; ask again when it is used up.`,
    docsPath: 'requests.md#kinds',
  })
}

async function keyOf({ store }: ToolContext, golem: Parameters<typeof activeKey>[1]): Promise<Address> {
  const key = await activeKey(store, golem)
  if (key) return key.address
  throw new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
