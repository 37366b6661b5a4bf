import verifyingPaymaster from '@account-abstraction/contracts/artifacts/VerifyingPaymaster.json' with {
  type: 'json',
}
import { createMemoryJournal, hybridAccount, type Journal, type SmartAccount, signersOf } from '@bardo/core'
import fc from 'fast-check'
import { type Address, encodeAbiParameters, type Hex, parseAbi, parseEther } from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import {
  type Around,
  clientAround,
  createCrash,
  createTestClock,
  type FaultPoint,
  journalAround,
} from '../testing/fault.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import type { Bundler } from './bundler.ts'
import { createOperationSubmitter } from './createOperationSubmitter.ts'
import type { SubmitterSettings } from './settings.ts'
import type { Paymaster } from './userOperationBackend.ts'

const operations = [
  'addIntent',
  'claimNonce',
  'sign',
  'addAttempt',
  'send',
  'eth_getLogs',
  'noteMined',
  'settle',
]
const points = operations.flatMap((name): FaultPoint[] => [`before ${name}`, `after ${name}`])
const passThrough: Around = (_operation, run) => run()

describe('an operation of a session account', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  async function fundedAccount(funds = parseEther('1')): Promise<SmartAccount> {
    const key = await world.sessionKey()
    const account = hybridAccount(world.deployment, { began: signersOf(key), signer: sessionKeySigner(key) })
    await world.god.setBalance({ address: account.address, value: funds })
    return account
  }

  /** A process that submits for an account, with a journal that survives it. */
  function start(
    account: SmartAccount,
    {
      journal = createMemoryJournal(),
      around = passThrough,
      bundler = world.operatorBundler,
      paymaster,
      settings = {},
    }: {
      journal?: Journal
      around?: Around
      bundler?: Bundler
      paymaster?: Paymaster
      settings?: Partial<SubmitterSettings>
    } = {},
  ) {
    const submitter = createOperationSubmitter({
      client: clientAround(world.url, around),
      account: {
        ...account,
        signer: {
          ...account.signer,
          signTypedData: (data) => around('sign', () => account.signer.signTypedData(data)),
        },
      },
      bundler: { ...bundler, send: (operation) => around('send', () => bundler.send(operation)) },
      ...(paymaster && { paymaster }),
      journal: journalAround(journal, around),
      clock: createTestClock(() => around('sleep', async () => {})),
      settings: { finality: 1, ...settings },
    })
    return { submitter, journal }
  }

  const stranger = (): Address => privateKeyToAddress(generatePrivateKey())
  const balanceOf = (address: Address) => world.client.getBalance({ address })
  const nonceOf = ({ address }: SmartAccount) =>
    world.client.readContract({
      address: world.framework.EntryPoint,
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [address, 0n],
    })

  /** Runs and crashes as listed, then runs once without a crash, and checks the chain. */
  async function landsOnce(runs: readonly { point: FaultPoint; skip: number }[]) {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    let deaths = 0
    for (const run of [...runs, undefined]) {
      const crash = createCrash(run?.point, run?.skip)
      const { submitter } = start(account, { journal, around: crash.around })
      await submitter
        .recover()
        .then(() => submitter.submit({ id: 'request', to, value: 1n }))
        .catch((error: unknown) => {
          if (!crash.dead) throw error
          deaths += 1
        })
    }
    const record = await journal.find('request')
    expect(record?.settlement?.kind).toBe('landed')
    expect(record?.attempts.map(({ hash }) => hash)).toContain(record?.mined?.hash)
    expect(await balanceOf(to)).toBe(1n)
    expect(await nonceOf(account)).toBe(1n)
    return deaths
  }

  it.each(points)('lands once when killed %s', async (point) => {
    expect(await landsOnce([{ point, skip: 0 }])).toBe(1)
  })

  it('lands once after any sequence of crashes', async () => {
    const run = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(2) })
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 5 }), async (runs) => {
        await landsOnce(runs)
      }),
      { numRuns: process.env['BARDO_TEST'] === 'full' ? 100 : 12 },
    )
  })

  it('is replaced at the same nonce with higher fees when its bundler drops it', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const dropped: Hex[] = []
    const droppingBundler: Bundler = {
      ...world.operatorBundler,
      send: async ({ signature }) => void dropped.push(signature),
    }
    const settings = { replaceAfterMs: 2_000, patienceMs: 6_000 }
    const request = { id: 'request', to, value: 1n }
    await expect(
      start(account, { journal, bundler: droppingBundler, settings }).submitter.submit(request),
    ).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
    // All of them are signed and stored; the next bundler gets the same nonce.
    await start(account, { journal, settings: { replaceAfterMs: 2_000 } }).submitter.submit(request)
    const record = await journal.find('request')
    const fees = record?.attempts.map(({ maxFeePerGas }) => maxFeePerGas) ?? []
    expect(fees.length).toBeGreaterThan(2)
    expect(fees.every((fee, i) => i === 0 || fee * 8n > (fees[i - 1] ?? 0n) * 9n)).toBe(true)
    expect(new Set(dropped).size).toBe(dropped.length)
    expect(await nonceOf(account)).toBe(1n)
    expect(await balanceOf(to)).toBe(1n)
  })

  it('is cancelled by an operation that does nothing', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const droppingBundler: Bundler = { ...world.operatorBundler, send: async () => {} }
    const request = { id: 'request', to, value: 1n }
    const settings = { patienceMs: 2_000 }
    await start(account, { journal, bundler: droppingBundler, settings })
      .submitter.submit(request)
      .catch(() => {})
    const { submitter } = start(account, { journal })
    expect((await submitter.cancel('request')).settlement?.kind).toBe('closed')
    await expect(submitter.submit(request)).rejects.toMatchObject({ code: 'INTENT_CLOSED' })
    expect(await balanceOf(to)).toBe(0n)
    expect(await nonceOf(account)).toBe(1n)
  })

  it('reports that another operation used its nonce', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const droppingBundler: Bundler = { ...world.operatorBundler, send: async () => {} }
    const request = { id: 'request', to, value: 1n }
    await start(account, { journal, bundler: droppingBundler, settings: { patienceMs: 2_000 } })
      .submitter.submit(request)
      .catch(() => {})
    await start(account).submitter.submit({ id: 'thief', to: stranger(), value: 7n })
    await expect(start(account, { journal }).submitter.submit(request)).rejects.toMatchObject({
      code: 'NONCE_TAKEN',
    })
  })

  it('reports a reverted call of an operation that landed', async () => {
    const account = await fundedAccount()
    const { usdc } = world.addresses
    const call = world.transferCall(usdc, stranger(), 5n)
    await expect(start(account).submitter.submit({ id: 'a', ...call })).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      outcome: 'not-sent',
    })
    const forced = await start(account).submitter.submit({ id: 'b', ...call, gas: 100_000n })
    expect(forced.status).toBe('reverted')
    expect(await nonceOf(account)).toBe(1n)
  })

  it('is paid for by a paymaster, and not sent when the paymaster refuses', async () => {
    const [account, signer] = [await fundedAccount(0n), privateKeyToAccount(generatePrivateKey())]
    const { EntryPoint } = world.framework
    const hash = await world.god.deployContract({
      account: world.accounts.operator,
      abi: parseAbi(['constructor(address entryPoint, address signer)']),
      bytecode: verifyingPaymaster.bytecode as Hex,
      args: [EntryPoint, signer.address],
    })
    const { contractAddress: paymaster } = await world.client.waitForTransactionReceipt({ hash })
    if (!paymaster) throw new Error('no paymaster')
    const deposit = await world.god.writeContract({
      account: world.accounts.operator,
      address: EntryPoint,
      abi: entryPoint07Abi,
      functionName: 'depositTo',
      args: [paymaster],
      value: parseEther('1'),
    })
    await world.client.waitForTransactionReceipt({ hash: deposit })
    const hashAbi = parseAbi([
      'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
      'function getHash(PackedUserOperation operation, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
    ])
    const window = encodeAbiParameters([{ type: 'uint48' }, { type: 'uint48' }], [0, 0])
    const sponsor: Paymaster = async (operation) => {
      const gas = { paymasterVerificationGasLimit: 100_000n, paymasterPostOpGasLimit: 0n }
      const stub = { ...operation, paymaster, ...gas, paymasterData: window }
      const digest = await world.client.readContract({
        address: paymaster,
        abi: hashAbi,
        functionName: 'getHash',
        args: [toPackedUserOperation(stub), 0, 0],
      })
      const signature = await signer.signMessage({ message: { raw: digest } })
      return { paymaster, ...gas, paymasterData: `${window}${signature.slice(2)}` }
    }
    await expect(
      start(account, { settings: { patienceMs: 2_000 } }).submitter.submit({ id: 'a', to: stranger() }),
    ).rejects.toMatchObject({ outcome: 'unknown' })
    const landed = await start(account, { paymaster: sponsor }).submitter.submit({ id: 'b', to: stranger() })
    expect(landed.status).toBe('success')
    expect(await balanceOf(account.address)).toBe(0n)
    const refusing: Paymaster = () => Promise.reject(new Error('over the budget'))
    await expect(
      start(account, { paymaster: refusing }).submitter.submit({ id: 'c', to: stranger() }),
    ).rejects.toMatchObject({ code: 'USER_OPERATION_REFUSED', outcome: 'not-sent' })
  })

  it('lands again after a deep reorganisation removed it, and so does the next one', async () => {
    const account = await fundedAccount()
    await world.god.mine({ blocks: 10 })
    const { submitter, journal } = start(account)
    const [first, next] = [stranger(), stranger()]
    await submitter.submit({ id: 'first', to: first, value: 1n })
    await world.god.request({ method: 'anvil_reorg', params: [4, []] } as never)
    expect(await balanceOf(first)).toBe(0n)
    await submitter.submit({ id: 'next', to: next, value: 1n })
    await submitter.recover()
    expect([await balanceOf(first), await balanceOf(next)]).toEqual([1n, 1n])
    expect(await nonceOf(account)).toBe(2n)
    expect(await journal.open({ chainId: world.chainId, from: account.address })).toEqual([])
  })

  it('waits while operations without a call close the gap below it', async () => {
    const account = await fundedAccount()
    const { submitter, journal } = start(account)
    const to = stranger()
    await submitter.submit({ id: 'first', to, value: 1n })
    const stored = (await journal.find('first'))?.intent
    if (!stored) throw new Error('the journal has no first intent')
    await journal.addIntent({ ...stored, id: 'ahead' }, 0)
    await journal.claimNonce('ahead', 3)
    await submitter.recover()
    expect(await balanceOf(to)).toBe(2n)
    expect(await nonceOf(account)).toBe(4n)
    expect(await journal.open({ chainId: world.chainId, from: account.address })).toEqual([])
  })
})
