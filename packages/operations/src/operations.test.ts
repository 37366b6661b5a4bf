import { createSubmitter, systemClock } from '@bardo/chain'
import { createMemoryJournal, hybridAccount, walletSigner } from '@bardo/core'
import { erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withdrawalCalls } from './money/withdraw.ts'
import { accountOf } from './owner/accountOf.ts'
import type { OperationContext } from './owner/ownerOperation.ts'
import { performOperation } from './performOperation.ts'
import {
  completeOperation,
  type PreparedOperationJson,
  preparedOperationSchema,
  prepareOperation,
  type SignedOperation,
} from './prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from './testing/operationWorld.ts'

const dayMs = 86_400_000

describe('operations of an owner whose key is in another process', () => {
  let here: OperationWorld
  let world: OperationWorld['world']
  let store: OperationWorld['store']
  let key: Hex
  let context: OperationContext
  beforeAll(async () => {
    here = await openOperationWorld()
    ;({ world, store } = here)
  })
  afterAll(() => here?.stop())
  beforeEach(async () => {
    here.clock.laterMs = 0
    ;({ key, context } = await here.newOwner())
  })

  const account = () => accountOf(context)
  const usdcOf = (address: Hex) =>
    world.client.readContract({
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })

  const signed = (prepared: unknown, by: Hex = key) => here.signed(prepared, by)
  const complete = (answers: SignedOperation, user = 'local') =>
    completeOperation({ ...context, user }, answers)

  const finish = (prepared: PreparedOperationJson) => here.finish(context, prepared, key)
  const funded = async () =>
    finish(await prepareOperation(context, 'deposit', { amount: '500', token: 'USDC' }))

  it('deposits tokens with one transaction of the wallet', async () => {
    const prepared = await prepareOperation(context, 'deposit', { amount: '250.5', token: 'usdc' })
    expect(preparedOperationSchema.parse(prepared)).toEqual(prepared)
    expect(prepared.sentences[0]).toBe(
      `Move 250.5 USDC from your wallet ${context.owner} to your account ${account()}.`,
    )
    expect(prepared.steps.map(({ type }) => type)).toEqual(['transaction'])
    expect(await finish(prepared)).toMatchObject({ type: 'done', result: { to: account() } })
    expect(await usdcOf(account())).toBe(250_500_000n)
    expect(await usdcOf(context.owner)).toBe(749_500_000n)
  })

  it('withdraws from an account that is not deployed yet, with everything to sign in one round', async () => {
    await funded()
    const prepared = await prepareOperation(context, 'withdraw', { amount: 'all', token: 'USDC' })
    // The signature that lets the wallet withdraw, and the transaction that deploys the account.
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature', 'transaction'])
    expect(prepared.steps[0]?.sentences.join(' ')).toContain(`moves 500 USDC to ${context.owner}`)
    const first = await signed(prepared)
    const next = await complete(first)
    // A process that crashed before it got the answer gives its answers again.
    expect(await complete(first)).toEqual(next)
    expect(next).toMatchObject({ type: 'prepared', steps: [{ type: 'transaction' }] })
    if (next.type === 'prepared') await finish(next)
    expect(await usdcOf(account())).toBe(0n)
    expect(await usdcOf(context.owner)).toBe(1_000_000_000n)
  })

  it('moves ETH in and out', async () => {
    await finish(await prepareOperation(context, 'deposit', { amount: '2', token: 'ETH' }))
    expect(await world.client.getBalance({ address: account() })).toBe(parseEther('2'))
    await finish(await prepareOperation(context, 'withdraw', { amount: 'all', token: 'ETH' }))
    expect(await world.client.getBalance({ address: account() })).toBe(0n)
  })

  it('signs a withdrawal to keep, which the owner’s wallet sends without Bardo', async () => {
    await funded()
    const owner = privateKeyToAccount(key)
    const { client, deployment } = context
    const signer = {
      client,
      deployment,
      account: hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) }),
      key: owner.address,
      submitter: here.submitterOf(owner),
    }
    const calls = await withdrawalCalls(context, signer, { amount: '200', token: 'USDC' })
    // The account is not deployed yet.
    expect(calls).toHaveLength(2)
    expect(await usdcOf(account())).toBe(500_000_000n)
    const send = async (by: Hex, { to, data }: (typeof calls)[number]) => {
      const sent = { account: privateKeyToAccount(by), chain: null, to, data, gas: 1_000_000n }
      const hash = await world.client.sendTransaction(sent)
      return (await world.client.waitForTransactionReceipt({ hash })).status
    }
    const thief = await here.newOwner()
    const [deploy, withdrawal] = calls
    if (!deploy || !withdrawal) throw new Error('a transaction is missing')
    expect(await send(key, deploy)).toBe('success')
    expect(await send(thief.key, withdrawal)).toBe('reverted')
    expect(await usdcOf(account())).toBe(500_000_000n)
    expect(await send(key, withdrawal)).toBe('success')
    expect(await usdcOf(account())).toBe(300_000_000n)
    expect(await usdcOf(context.owner)).toBe(700_000_000n)
    expect(await withdrawalCalls(context, signer, { amount: 'all', token: 'USDC' })).toHaveLength(1)
  })

  it('accepts the hash of a transaction that the owner’s wallet sent', async () => {
    const prepared = await prepareOperation(context, 'deposit', { amount: '1', token: 'USDC' })
    const [step] = prepared.steps
    if (step?.type !== 'transaction') throw new Error('a transaction is missing')
    const { to, data, digest } = step
    const transaction = await world.client.sendTransaction({
      account: privateKeyToAccount(key),
      chain: null,
      to,
      data,
    })
    const answers = { operation: prepared.operation, answers: [{ digest, transaction }] }
    const done = await complete(answers)
    expect(done).toMatchObject({ type: 'done', result: { transaction } })
    // The same answer again has no second effect.
    expect(await complete(answers)).toEqual(done)
    expect(await usdcOf(account())).toBe(1_000_000n)
  })

  it('does not take one transaction for two equal operations', async () => {
    const equal = () => prepareOperation(context, 'deposit', { amount: '1', token: 'USDC' })
    const [first, second] = [await equal(), await equal()]
    const answers = await signed(first)
    expect(await complete(answers)).toMatchObject({ type: 'done' })
    await expect(complete({ ...answers, operation: second.operation })).rejects.toMatchObject({
      shortMessage: 'This transaction belongs to another operation.',
    })
    expect(await usdcOf(account())).toBe(1_000_000n)
    expect(await finish(second)).toMatchObject({ type: 'done' })
    expect(await usdcOf(account())).toBe(2_000_000n)
  })

  it('runs the same operations at once with a key', async () => {
    const owner = privateKeyToAccount(key)
    const { client, deployment } = context
    const signer = {
      client,
      deployment,
      account: hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) }),
      key: owner.address,
      submitter: createSubmitter({
        client,
        chainId: deployment.chainId,
        journal: createMemoryJournal(),
        clock: systemClock,
        signer: owner,
        settings: { finality: 1, pollMs: 20 },
      }),
    }
    await performOperation(context, signer, 'deposit', { amount: '7', token: 'USDC' })
    expect(await usdcOf(account())).toBe(7_000_000n)
    await performOperation(context, signer, 'withdraw', { amount: '3', token: 'USDC' })
    expect(await usdcOf(account())).toBe(4_000_000n)
  })

  describe('refuses', () => {
    const nothingMoved = async () => expect(await usdcOf(account())).toBe(0n)
    const deposit = () => prepareOperation(context, 'deposit', { amount: '5', token: 'USDC' })

    it('a transaction with a changed byte', async () => {
      const prepared = await deposit()
      const changed = structuredClone(prepared)
      const [step] = changed.steps
      if (step?.type === 'transaction') step.data = `${step.data.slice(0, -1)}f` as Hex
      await expect(complete(await signed(changed))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: ['data: not the prepared bytes'],
      })
      await nothingMoved()
    })

    it('a transaction of another sender', async () => {
      const other = generatePrivateKey()
      await expect(complete(await signed(await deposit(), other))).rejects.toMatchObject({
        details: [expect.stringContaining('sender: ')],
      })
      await nothingMoved()
    })

    it('a signed transaction that the node refuses, with the reason of the node', async () => {
      await complete(await signed(await deposit()))
      const prepared = await deposit()
      const [step] = prepared.steps
      if (step?.type !== 'transaction') throw new Error('no transaction')
      const { chainId, to, data, digest } = step
      const fees = { gas: 1_000_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
      const used = { ...fees, chainId, to, data, nonce: 0 }
      const rawTransaction = await privateKeyToAccount(key).signTransaction(used)
      await expect(
        complete({ operation: prepared.operation, answers: [{ digest, rawTransaction }] }),
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        outcome: 'not-sent',
        details: [expect.stringMatching(/nonce/i)],
      })
    })

    it('a signature of another key, or over changed bytes', async () => {
      await funded()
      const prepared = await prepareOperation(context, 'withdraw', { amount: '5', token: 'USDC' })
      await expect(complete(await signed(prepared, generatePrivateKey()))).rejects.toMatchObject({
        code: 'SIGNATURE_MALFORMED',
      })
      const changed = JSON.parse(JSON.stringify(prepared))
      changed.steps[0].typedData.message.salt = '1'
      await expect(complete(await signed(changed))).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
      expect(await usdcOf(account())).toBe(500_000_000n)
    })

    it('an answer to another operation, and the operation of another user', async () => {
      const [first, second] = [
        await deposit(),
        await prepareOperation(context, 'deposit', { amount: '6', token: 'USDC' }),
      ]
      const answers = await signed(first)
      await expect(complete({ ...answers, operation: second.operation })).rejects.toMatchObject({
        message: expect.stringContaining('was not prepared'),
      })
      const unknown = await complete({ ...answers, operation: '0xabc' }).catch((error: Error) => error)
      const foreign = await complete(answers, 'mallory').catch((error: Error) => error)
      for (const error of [unknown, foreign])
        expect(error).toMatchObject({ shortMessage: 'There is no prepared operation with this id.' })
      await nothingMoved()
    })

    it('an operation of another chain, and one that is 24 hours old', async () => {
      const answers = await signed(await deposit())
      const deployment = { ...context.deployment, chainId: 1 }
      await expect(completeOperation({ ...context, deployment }, answers)).rejects.toMatchObject({
        code: 'CHAIN_MISMATCH',
      })
      here.clock.laterMs = dayMs
      await expect(complete(answers)).rejects.toMatchObject({
        code: 'STEP_OUT_OF_ORDER',
        details: ['It ended 24 hours after it was prepared.'],
      })
      await nothingMoved()
    })

    it('an answer after a forged row changed the amount', async () => {
      const prepared = await deposit()
      const answers = await signed(prepared)
      const row = await store.operations.find('local', prepared.operation)
      const money = { ...(row?.input as object), amount: '999000000' }
      const forged = {
        ...store,
        operations: {
          ...store.operations,
          find: async () => row && { ...row, input: money },
        },
      }
      await expect(completeOperation({ ...context, store: forged }, answers)).rejects.toMatchObject({
        code: 'STEP_OUT_OF_ORDER',
        details: ['What was signed no longer fits the state of the chain.'],
      })
      await nothingMoved()
    })

    it.each([
      ['more than the wallet holds', { amount: '1000.000001', token: 'USDC' }, 'INSUFFICIENT_FUNDS'],
      ['nothing', { amount: '0', token: 'USDC' }, 'INSUFFICIENT_FUNDS'],
      ['a negative amount', { amount: '-1', token: 'USDC' }, 'INVALID_INPUT'],
      ['more decimals than the token has', { amount: '0.0000001', token: 'USDC' }, 'INVALID_INPUT'],
      ['an unknown token', { amount: '1', token: 'DOGE' }, 'ADDRESS_UNKNOWN'],
      ['an address without a token', { amount: '1', token: `0x${'12'.repeat(20)}` }, 'ADDRESS_UNKNOWN'],
      ['all ETH of a wallet', { amount: 'all', token: 'ETH' }, 'INVALID_INPUT'],
      ['a field that does not exist', { amount: '1', token: 'USDC', to: '0x1' }, 'INVALID_INPUT'],
    ] as const)('%s', async (_, input, code) => {
      await expect(prepareOperation(context, 'deposit', input)).rejects.toMatchObject({ code })
    })
  })
})
