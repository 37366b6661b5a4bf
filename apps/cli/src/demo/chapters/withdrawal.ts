import { BardoError } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { completeOperation, prepareOperation, type SignedOperation } from '@bardo/operations'
import { type Hash, type Hex, isHash, isHex, parseGwei, type TypedDataDefinition } from 'viem'
import { z } from 'zod'
import { inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The owner takes the money back, by a file that is signed on another machine. */
export async function withdrawal(stage: Stage, story: Story): Promise<void> {
  const { owner, world, balanceOf } = stage
  const { usdc, weth } = world.addresses
  const account = owner.account.address
  story.chapter(
    'The money goes home',
    'Alpha is dead, and the money never left the owner’s account. The owner takes it out by a file: one process prepares it without any key of the owner, another signs it and sees nothing else. Neither needs Alpha.',
  )
  const held = await balanceOf(usdc, account)
  const file = await prepare(stage, 'USDC')

  await story.step('changed-file', async () => ({
    what: 'On its way to the owner, a thief writes another amount into the file. The owner signs it by mistake.',
  }))
  const changed = file.replaceAll(`${held}`, `${held - 1n}`).replaceAll(hexOf(held), hexOf(held - 1n))
  const answer = await carryOut(stage, changed)
  const isUntouched = (await balanceOf(usdc, account)) === held
  story.promise(
    answer === 'SIGNATURE_MALFORMED' && changed !== file && isUntouched,
    'Only what was prepared is carried out: the changed file is refused, and nothing is sent.',
  )

  const before = await Promise.all([usdc, weth].map((token) => balanceOf(token, owner.address)))
  await withdraw(
    'withdraw-usdc',
    file,
    `The owner signs the file as it was prepared: all ${inDollars(held)} USDC.`,
  )
  await withdraw('withdraw-weth', await prepare(stage, 'WETH'), 'The same for all WETH.')
  const left = await Promise.all([usdc, weth].map((token) => balanceOf(token, account)))
  const after = await Promise.all([usdc, weth].map((token) => balanceOf(token, owner.address)))
  story.promise(
    left.every((units) => units === 0n) && after.every((units, place) => units > (before[place] ?? 0n)),
    'The account is empty: everything is in the owner’s wallet, and it could go nowhere else.',
  )

  async function withdraw(name: string, text: string, what: string): Promise<void> {
    await story.step(name, async () => {
      const transaction = await carryOut(stage, text)
      return isHash(transaction) ? { what, transaction } : { what: `Not withdrawn: ${transaction}.` }
    })
  }
}

/** What the operator's process knows: the owner's address, and no key. */
function contextOf({ owner, client, deployment, book, store, clock }: Stage) {
  const shared = { client, deployment, book, store, clock }
  return { ...shared, user: 'demo', owner: owner.address, confirmations: 1 }
}

/** The file, as text. */
async function prepare(stage: Stage, token: string): Promise<string> {
  return JSON.stringify(await prepareOperation(contextOf(stage), 'withdraw', { amount: 'all', token }))
}

/**
 * Signs a file and carries it out. A step that depends on a signature comes in a next file. Returns the transaction, or the
 * code of the refusal.
 */
async function carryOut(stage: Stage, file: string): Promise<Hash | string> {
  try {
    const answer = await completeOperation(contextOf(stage), await signElsewhere(file, await nonceOf(stage)))
    if (answer.type === 'prepared') return carryOut(stage, JSON.stringify(answer))
    return resultSchema.parse(answer.result).transaction
  } catch (error) {
    if (error instanceof BardoError) return error.code
    throw error
  }
}

const resultSchema = z.object({ transaction: z.string() })
const hex = z.custom<Hex>((value) => isHex(value))
/** The parts of the file that are signed. */
const fileSchema = z.object({
  operation: z.string(),
  steps: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('signature'),
        digest: hex,
        typedData: z.custom<TypedDataDefinition>((value) => typeof value === 'object' && value !== null),
      }),
      z.object({
        type: z.literal('transaction'),
        digest: hex,
        chainId: z.int(),
        to: hex,
        value: z.string().transform(BigInt),
        data: hex,
      }),
    ]),
  ),
})

/**
 * The owner's machine. It has the key, and of the rest only the file.
 *
 * @param nonce - the next nonce of the owner's wallet, which the owner looks up
 */
async function signElsewhere(file: string, nonce: number): Promise<SignedOperation> {
  const key = devnetAccount('owner')
  const { operation, steps } = fileSchema.parse(JSON.parse(file))
  const answers: SignedOperation['answers'] = []
  for (const step of steps) {
    const { type, digest } = step
    if (type === 'signature') {
      answers.push({ digest, signature: await key.signTypedData(step.typedData) })
      continue
    }
    const { chainId, to, value, data } = step
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n, gas: 1_000_000n }
    const sent = answers.filter((one) => 'rawTransaction' in one).length
    const transaction = { chainId, to, value, data, nonce: nonce + sent, ...fees }
    answers.push({ digest, rawTransaction: await key.signTransaction(transaction) })
  }
  return { operation, answers }
}

function nonceOf({ client, owner }: Stage): Promise<number> {
  return client.getTransactionCount({ address: owner.address })
}

const hexOf = (units: bigint) => units.toString(16).padStart(64, '0')
