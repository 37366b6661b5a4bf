import { usdc as usdcArtifact } from '@bardo/contracts'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseSignature,
  parseUnits,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { type Actors, createActors } from './testing/actors.ts'
import { devnetAccount } from './world/accounts.ts'

let world: Devnet
let actors: Actors
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  actors = createActors(world)
})
afterAll(() => world.stop())

describe('USDC', () => {
  const transferTypes = {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const
  const domain = () =>
    ({
      name: 'USD Coin',
      version: '2',
      chainId: world.chainId,
      verifyingContract: world.addresses.usdc,
    }) as const

  const authorization = (from: Address, nonce: bigint) =>
    ({
      from,
      to: world.accounts.payee,
      value: parseUnits('25', 6),
      validAfter: 0n,
      validBefore: maxUint256,
      nonce: numberToHex(nonce, { size: 32 }),
    }) as const

  const transferData = (
    message: ReturnType<typeof authorization>,
    signature: Hex,
    form: 'bytes' | 'v,r,s',
  ) => {
    const args = [
      message.from,
      message.to,
      message.value,
      message.validAfter,
      message.validBefore,
      message.nonce,
    ] as const
    if (form === 'bytes')
      return encodeFunctionData({
        abi: usdcArtifact.abi,
        functionName: 'transferWithAuthorization',
        args: [...args, signature],
      })
    const { r, s, yParity } = parseSignature(signature)
    return encodeFunctionData({
      abi: usdcArtifact.abi,
      functionName: 'transferWithAuthorization',
      args: [...args, yParity + 27, r, s],
    })
  }

  it.each(['bytes', 'v,r,s'] as const)('accepts an EIP-3009 authorization (%s) once', async (form) => {
    const message = authorization(actors.owner.address, form === 'bytes' ? 1n : 2n)
    const signature = await actors.owner.signTypedData({
      domain: domain(),
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    const data = transferData(message, signature, form)
    const before = await actors.balanceOf(world.addresses.usdc, message.to)
    await actors.send('operator', world.addresses.usdc, data)
    expect((await actors.balanceOf(world.addresses.usdc, message.to)) - before).toBe(message.value)
    const again = world.client.call({ account: world.accounts.operator, to: world.addresses.usdc, data })
    await expect(again).rejects.toThrow()
  })

  it.each(['bytes', 'v,r,s'] as const)(
    'refuses an authorization that another key signed (%s)',
    async (form) => {
      const message = authorization(actors.owner.address, 3n)
      const signature = await devnetAccount('stranger').signTypedData({
        domain: domain(),
        types: transferTypes,
        primaryType: 'TransferWithAuthorization',
        message,
      })
      const data = transferData(message, signature, form)
      await expect(world.client.call({ to: world.addresses.usdc, data })).rejects.toThrow()
    },
  )

  it('accepts the authorization of a smart account (ERC-1271)', async () => {
    const account = await actors.deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('100', 6) })
    const message = authorization(account.address, 4n)
    const signature = await account.signTypedData({
      domain: domain(),
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    await actors.send('operator', world.addresses.usdc, transferData(message, signature, 'bytes'))
    expect(await actors.balanceOf(world.addresses.usdc, account.address)).toBe(parseUnits('75', 6))
  })

  it('approves by an EIP-2612 permit', async () => {
    const message = {
      owner: actors.owner.address,
      spender: world.accounts.golem,
      value: 5n,
      nonce: 0n,
      deadline: maxUint256,
    } as const
    const signature = await actors.owner.signTypedData({
      domain: domain(),
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message,
    })
    const { r, s, yParity } = parseSignature(signature)
    await actors.send(
      'operator',
      world.addresses.usdc,
      encodeFunctionData({
        abi: usdcArtifact.abi,
        functionName: 'permit',
        args: [message.owner, message.spender, message.value, message.deadline, yParity + 27, r, s],
      }),
    )
    const allowance = await world.client.readContract({
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [actors.owner.address, world.accounts.golem],
    })
    expect(allowance).toBe(5n)
  })
})
