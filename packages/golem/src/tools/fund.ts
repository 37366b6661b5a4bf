import { readState } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { type Address, formatUnits, isAddress, isAddressEqual, parseUnits, zeroAddress } from 'viem'
import { z } from 'zod'
import { askedBefore, askOwner } from '../owner/askOwner.ts'
import { dayOfGas } from '../owner/dayOfGas.ts'
import { readAskOf } from '../owner/ownerRequest.ts'
import { activeKey } from '../runtime/activeKey.ts'
import { priceOf, priceReads, amountOf as worth } from '../runtime/prices.ts'
import { addressField, golemField, idempotencyField } from './fields.ts'
import { namesOf } from './namesOf.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** More than this in one go is nobody's wish. Origin: ours. */
const mostUnits = 2n ** 96n
const sent = z.looseObject({ transaction: z.string(), moved: z.bigint() })

/** Asks the owner for gas or capital. */
export const fund = defineTool({
  name: 'wallet_fund',
  title: 'Fund the wallet',
  description:
    'Asks the owner to send ETH for gas to the Golem’s key, or a token to the account that the Golem acts for. Tokens never go to the key. The owner sends it from their own wallet; nothing moves without them.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Checking token and source', 'Asking the owner'],
  sprite: 'executing',
  promptSnippet: 'Asks the owner for gas or capital.',
  guidelines: {
    thriving: 'Ask for what the strategy needs.',
    cautious: 'Ask for no more than a day needs.',
    declining: 'Ask for gas alone.',
    terminal: 'Ask for nothing; what is left goes back to the owner.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    token: z
      .string()
      .regex(/^[A-Za-z0-9]{1,42}$/, 'give a token’s symbol or address, or ETH')
      .describe('A symbol, an address, or ETH.'),
    amount: z
      .string()
      .regex(/^\d{1,30}(\.\d{1,18})?$/, 'give a decimal amount above zero')
      .describe('In whole tokens, as a decimal text.'),
    chain: chainField,
    from: addressField.optional().describe('The owner’s address, which is also the default.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string(),
    txHash: z.string().nullable(),
    funded: z.string().describe('Base units that arrived; 0 while it is pending'),
    to: z.string(),
  }),
  told: {
    start: ({ token, amount, chain }) => ({ token, amount, chain }),
    end: ({ txHash, funded, status }) => ({ txHash: txHash ?? 'none', funded, status }),
  },
  say: ({ status, txHash, requestId, to }) =>
    status === 'done' ? `It arrived at ${to} with ${txHash}.` : `The owner is asked (${requestId}).`,
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
        throw new BardoError('Funding comes from the owner alone.', {
          code: 'ACTION_NOT_ALLOWED',
          remedy: `Leave out "from", or name ${subject.owner}.`,
        })
      const { terms } = (await (await context.open(subject.id)).status()).charter
      const token = tokenOf(context, named)
      const amount = amountOf(text, token.decimals)
      const stage = stageOfLife(subject)
      const isGas = token.address === zeroAddress
      if (stage !== 'thriving')
        requireLittle(stage, isGas, {
          amount,
          limit: isGas ? dayOfGas : await dayOf(context, terms.dayCents, token),
        })
      const to = isGas ? await keyOf(context, subject.id) : terms.mandate.account
      const sinceBlock = await client.getBlockNumber({ cacheTime: 0 })
      await progress('Asking the owner')
      const sentence = `Send ${formatUnits(amount, token.decimals)} ${token.symbol} to ${to}, ${isGas ? 'the Golem’s key, for gas' : 'the account that the Golem acts for'}.`
      const wanted = { from: subject.owner, to, token: token.address, amount, sinceBlock }
      const golem = subject.id
      return askOwner(context, { id: requestId, golem, ask: { is: 'fund', sentence, ...wanted } })
    }
  },
})

type Token = { readonly address: Address; readonly decimals: number; readonly symbol: string }

function tokenOf({ book }: ToolContext, named: string): Token {
  if (named.toUpperCase() === 'ETH') return { address: zeroAddress, decimals: 18, symbol: 'ETH' }
  const address = isAddress(named) ? named : book.assets.get(named.toUpperCase())?.token
  const known = address && namesOf(book).token(address)
  if (known && address) return { address, ...known }
  throw new BardoError('There is no such token here.', {
    code: 'ADDRESS_UNKNOWN',
    details: [`known: ETH, ${[...book.assets.keys()].join(', ')}`],
    remedy: 'Name one of these.',
  })
}

function amountOf(text: string, decimals: number): bigint {
  const isExact = (text.split('.')[1]?.length ?? 0) <= decimals
  const amount = isExact ? parseUnits(text, decimals) : 0n
  if (amount > 0n && amount < mostUnits) return amount
  throw new BardoError('That amount cannot be sent.', {
    code: 'INVALID_INPUT',
    remedy: `Give an amount above zero with at most ${decimals} decimals.`,
  })
}

/** So much of a token as the day's limit buys, by its feed; nothing where that is silent. */
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

function requireLittle(
  stage: string,
  isGas: boolean,
  { amount, limit }: { readonly amount: bigint; readonly limit: bigint },
): void {
  if ((stage !== 'declining' || isGas) && amount <= limit) return
  throw new BardoError(`A Golem that is ${stage} asks for no more than it needs.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: [`asked for ${amount}`, `at most ${limit}`],
    remedy: stage === 'declining' ? 'Ask for gas alone, a day’s at most.' : 'Ask for a day’s at most.',
    docsPath: 'tools.md#stages-of-life',
  })
}

async function keyOf({ store }: ToolContext, golem: Parameters<typeof activeKey>[1]): Promise<Address> {
  const key = await activeKey(store, golem)
  if (key) return key.address
  throw new BardoError('The session key is gone.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner for a grant to a new key.',
  })
}
