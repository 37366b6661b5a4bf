import {
  type Curve,
  delegationTypedData,
  generateSessionKey,
  hybridAccount,
  multiSigAccount,
  p256KeyOf,
  rootAuthority,
  signDelegation,
  signersOf,
  walletSigner,
} from '@bardo/core'
import { aggregateSignature, Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit'
import { type Address, hashTypedData, parseAbi, zeroAddress } from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { councilSigner } from '../cosigning/councilSigner.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { accountAbi } from './accountAbi.ts'
import { sessionKeySigner } from './sessionKeySigner.ts'
import {
  decodeUserOperation,
  encodeUserOperation,
  type Operation,
  userOperationHash,
  userOperationTypedData,
} from './userOperation.ts'

const digestAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getPackedUserOperationTypedDataHash(PackedUserOperation operation) view returns (bytes32)',
])
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const lower = (address: Address) => address.toLowerCase() as Address
const keys = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey()))
const [owner] = keys
if (!owner) throw new Error('three keys')

describe('a smart account', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  const kitHybrid = (deployParams: [`0x${string}`, string[], bigint[], bigint[]]) =>
    toMetaMaskSmartAccount({
      client: world.god,
      environment: world.framework,
      implementation: Implementation.Hybrid,
      deployParams,
      deploySalt: '0x07',
      signer: { account: privateKeyToAccount(generatePrivateKey()) },
    })
  const salt = `0x${'07'.padStart(64, '0')}` as const

  it('has the address and the factory call that MetaMask’s kit computes', async () => {
    const ours = hybridAccount(world.deployment, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
      salt,
    })
    const theirs = await kitHybrid([owner.address, [], [], []])
    expect(ours.address).toBe(theirs.address)
    expect(ours.factory?.data).toBe((await theirs.getFactoryArgs()).factoryData)
    const key = generateSessionKey('p256', random)
    const { keyId, x, y } = p256KeyOf(key)
    const passkey = hybridAccount(world.deployment, {
      began: signersOf(key),
      signer: sessionKeySigner(key),
      salt,
    })
    expect(passkey.address).toBe((await kitHybrid([zeroAddress, [keyId], [x], [y]])).address)
    const council = multiSigAccount(world.deployment, {
      members: keys.map(({ address }) => address),
      threshold: 2,
      signer: councilSigner(keys.slice(0, 2)),
      salt,
    })
    const theirCouncil = await toMetaMaskSmartAccount({
      client: world.god,
      environment: world.framework,
      implementation: Implementation.MultiSig,
      deployParams: [keys.map(({ address }) => address), 2n],
      deploySalt: '0x07',
      signer: [{ account: owner }],
    })
    expect(council.address).toBe(theirCouncil.address)
  })

  it.each(['secp256k1', 'p256'] satisfies Curve[])(
    'accepts a signature by its %s key and rejects one by another key',
    async (curve) => {
      const [key, other] = [generateSessionKey(curve, random), generateSessionKey(curve, random)]
      const began = signersOf(key)
      const account = hybridAccount(world.deployment, { began, signer: sessionKeySigner(key) })
      const ownerSigner = { client: world.client, submitter: world.submitterOf(await world.fundedOwner()) }
      expect((await deployAccount(ownerSigner, account))?.status).toBe('success')
      expect(await deployAccount(ownerSigner, account)).toBeUndefined()
      const unsigned = { delegate: zeroAddress, authority: rootAuthority, caveats: [], salt: 1n }
      const isValid = async (signer: typeof key) => {
        const { signature } = await signDelegation({ ...account, signer: sessionKeySigner(signer) }, unsigned)
        const digest = hashTypedData(
          delegationTypedData(world.chainId, world.framework.DelegationManager, {
            ...unsigned,
            delegator: account.address,
          }),
        )
        const args = [digest, signature] as const
        const call = {
          address: account.address,
          abi: accountAbi,
          functionName: 'isValidSignature',
          args,
        } as const
        return world.client.readContract(call)
      }
      expect(await isValid(key)).toBe('0x1626ba7e')
      expect(await isValid(other)).toBe('0xffffffff')
      expect((await signDelegation(account, unsigned)).signature.length).toBe(account.signer.stub.length)
    },
  )

  it('is deployed once when two payers deploy it at the same time', async () => {
    const [key] = [generateSessionKey('secp256k1', random)]
    const account = hybridAccount(world.deployment, { began: signersOf(key), signer: sessionKeySigner(key) })
    const payers = [await world.fundedOwner(), await world.fundedOwner()]
    const landed = await Promise.all(
      payers.map((payer) =>
        deployAccount({ client: world.client, submitter: world.submitterOf(payer) }, account).catch(
          ({ code }) => code,
        ),
      ),
    )
    expect(await world.client.getCode({ address: account.address })).toBeDefined()
    expect(landed).toHaveLength(2)
  })

  it('computes the same operation digest and hash as the contracts', async () => {
    const key = generateSessionKey('secp256k1', random)
    const account = hybridAccount(world.deployment, { began: signersOf(key), signer: sessionKeySigner(key) })
    const ownerSigner = { client: world.client, submitter: world.submitterOf(await world.fundedOwner()) }
    await deployAccount(ownerSigner, account)
    const operation: Operation = {
      sender: account.address,
      nonce: 3n,
      callData: '0x1234',
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      maxFeePerGas: 4n,
      maxPriorityFeePerGas: 5n,
      factory: lower(world.framework.SimpleFactory),
      factoryData: '0xab',
      paymaster: lower(world.accounts.operator),
      paymasterVerificationGasLimit: 6n,
      paymasterPostOpGasLimit: 7n,
      paymasterData: '0xcd',
      signature: '0xef',
    }
    expect(decodeUserOperation(encodeUserOperation(operation))).toEqual(operation)
    const plain = decodeUserOperation(
      encodeUserOperation({
        sender: account.address,
        nonce: 0n,
        callData: '0x',
        callGasLimit: 0n,
        verificationGasLimit: 0n,
        preVerificationGas: 0n,
        maxFeePerGas: 0n,
        maxPriorityFeePerGas: 0n,
        signature: '0x',
      }),
    )
    expect(plain).not.toHaveProperty('factory')
    expect(plain).not.toHaveProperty('paymaster')
    const packed = toPackedUserOperation(operation)
    const theirDigest = await world.client.readContract({
      address: account.address,
      abi: digestAbi,
      functionName: 'getPackedUserOperationTypedDataHash',
      args: [packed],
    })
    expect(hashTypedData(userOperationTypedData(account, operation))).toBe(theirDigest)
    const theirHash = await world.client.readContract({
      address: world.framework.EntryPoint,
      abi: entryPoint07Abi,
      functionName: 'getUserOpHash',
      args: [packed],
    })
    expect(userOperationHash(operation, world.framework.EntryPoint, world.chainId)).toBe(theirHash)
  })
})

it('joins a council’s signatures in the order of the addresses, as the kit does', async () => {
  const typedData = {
    domain: { name: 'Bardo' },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'hello' },
  } as const
  const signatures = await Promise.all(
    keys.map(async (key) => ({
      type: 'ECDSA' as const,
      signer: key.address.toLowerCase() as `0x${string}`,
      signature: await key.signTypedData(typedData),
    })),
  )
  expect(await councilSigner(keys).signTypedData(typedData)).toBe(aggregateSignature({ signatures }))
})
