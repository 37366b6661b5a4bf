import verifyingPaymaster from '@account-abstraction/contracts/artifacts/VerifyingPaymaster.json' with {
  type: 'json',
}
import { createMemoryJournal, type Journal } from '@bardo/core'
import fc from 'fast-check'
import { type Address, encodeAbiParameters, type Hex, parseAbi, parseEther } from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner, signersOf } from '../accounts/accountSigner.ts'
import { hybridAccount } from '../accounts/hybridAccount.ts'
import type { SmartAccount } from '../accounts/smartAccount.ts'
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
import type { Paymaster } from './userOperationRail.ts'

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
const asItIs: Around = (_operation, run) => run()

describe('operations of a session account', () => {
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

  /** A process that works for an account, over a journal that outlives it. */
  function start(
    account: SmartAccount,
    {
      journal = createMemoryJournal(),
      around = asItIs,
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

  /** Lives through each life in turn, then once in peace; and looks at what the chain has. */
  async function landsOnce(lives: readonly { point: FaultPoint; skip: number }[]) {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    let deaths = 0
    for (const life of [...lives, undefined]) {
      const crash = createCrash(life?.point, life?.skip)
      const { submitter } = start(account, { journal, around: crash.around })
      await submitter
        .recover()
        .then(() => submitter.submit({ id: 'wish', to, value: 1n }))
        .catch((error: unknown) => {
          if (!crash.dead) throw error
          deaths += 1
        })
    }
    const record = await journal.find('wish')
    expect(record?.settlement?.kind).toBe('landed')
    expect(record?.attempts.map(({ hash }) => hash)).toContain(record?.mined?.hash)
    expect(await balanceOf(to)).toBe(1n)
    expect(await nonceOf(account)).toBe(1n)
    return deaths
  }

  it.each(points)('killed %s: lands once', async (point) => {
    expect(await landsOnce([{ point, skip: 0 }])).toBe(1)
  })

  it('lands once however often it is killed, and wherever', async () => {
    const life = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(2) })
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 5 }), async (lives) => {
        await landsOnce(lives)
      }),
      { numRuns: process.env['BARDO_TEST'] === 'full' ? 100 : 12 },
    )
  })

  it('is replaced at the same nonce by higher fees when its bundler swallows it', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const swallowed: Hex[] = []
    const deaf: Bundler = {
      ...world.operatorBundler,
      send: async ({ signature }) => void swallowed.push(signature),
    }
    const settings = { replaceAfterMs: 2_000, patienceMs: 6_000 }
    const wish = { id: 'wish', to, value: 1n }
    await expect(
      start(account, { journal, bundler: deaf, settings }).submitter.submit(wish),
    ).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
    // All of them are signed and kept; the next bundler gets the same nonce.
    await start(account, { journal, settings: { replaceAfterMs: 2_000 } }).submitter.submit(wish)
    const record = await journal.find('wish')
    const fees = record?.attempts.map(({ maxFeePerGas }) => maxFeePerGas) ?? []
    expect(fees.length).toBeGreaterThan(2)
    expect(fees.every((fee, i) => i === 0 || fee * 8n > (fees[i - 1] ?? 0n) * 9n)).toBe(true)
    expect(new Set(swallowed).size).toBe(swallowed.length)
    expect(await nonceOf(account)).toBe(1n)
    expect(await balanceOf(to)).toBe(1n)
  })

  it('is called off by an operation that does nothing', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const deaf: Bundler = { ...world.operatorBundler, send: async () => {} }
    const wish = { id: 'wish', to, value: 1n }
    const settings = { patienceMs: 2_000 }
    await start(account, { journal, bundler: deaf, settings })
      .submitter.submit(wish)
      .catch(() => {})
    const { submitter } = start(account, { journal })
    expect((await submitter.cancel('wish')).settlement?.kind).toBe('closed')
    await expect(submitter.submit(wish)).rejects.toMatchObject({ code: 'INTENT_CLOSED' })
    expect(await balanceOf(to)).toBe(0n)
    expect(await nonceOf(account)).toBe(1n)
  })

  it('tells when somebody else used its nonce', async () => {
    const [account, journal, to] = [await fundedAccount(), createMemoryJournal(), stranger()]
    const deaf: Bundler = { ...world.operatorBundler, send: async () => {} }
    const wish = { id: 'wish', to, value: 1n }
    await start(account, { journal, bundler: deaf, settings: { patienceMs: 2_000 } })
      .submitter.submit(wish)
      .catch(() => {})
    await start(account).submitter.submit({ id: 'thief', to: stranger(), value: 7n })
    await expect(start(account, { journal }).submitter.submit(wish)).rejects.toMatchObject({
      code: 'NONCE_TAKEN',
    })
  })

  it('says that a call reverted although its operation landed', async () => {
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

  it('is paid for by a paymaster, and not at all when that one refuses', async () => {
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
    await world.god.writeContract({
      account: world.accounts.operator,
      address: EntryPoint,
      abi: entryPoint07Abi,
      functionName: 'depositTo',
      args: [paymaster],
      value: parseEther('1'),
    })
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
})
