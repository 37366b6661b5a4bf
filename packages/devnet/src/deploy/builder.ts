import { BardoError } from '@bardo/core'
import {
  type Address,
  concat,
  getContractAddress,
  type Hex,
  numberToHex,
  type RpcTransactionReceipt,
  type RpcTransactionRequest,
} from 'viem'
import type { DevnetClient } from '../devnetClient.ts'

/** Sends the transactions that build the world, one after the other, from one unlocked account. */
export type Builder = {
  readonly client: DevnetClient
  readonly from: Address
  /** Deploys bytecode with its encoded constructor arguments. */
  deploy(bytecode: Hex, constructorArgs?: Hex): Promise<Address>
  /** Deploys as a certain account at a certain nonce: that is how a contract gets the address it has on real chains. */
  deployAs(creator: Address, nonce: bigint, bytecode: Hex): Promise<Address>
  send(call: { to: Address; data?: Hex; value?: bigint }): Promise<void>
}

type SendTransactionSync = {
  Method: 'eth_sendTransactionSync'
  Parameters: [RpcTransactionRequest]
  ReturnType: RpcTransactionReceipt
}

// Any of these needs less, and saying so spares a gas estimation for each.
const gas = 12_000_000n

export function createBuilder(client: DevnetClient, from: Address): Builder {
  async function transact(call: { from: Address; to?: Address; data?: Hex; value?: bigint }) {
    // EIP-7966: answers with the receipt once the block is there, so nobody has to ask for it again and again.
    const receipt = await client.request<SendTransactionSync>({
      method: 'eth_sendTransactionSync',
      params: [
        {
          from: call.from,
          gas: numberToHex(gas),
          ...(call.to && { to: call.to }),
          ...(call.data && { data: call.data }),
          ...(call.value && { value: numberToHex(call.value) }),
        },
      ],
    })
    if (receipt.status === '0x1') return receipt
    throw new BardoError('The local world refused a transaction of its faucet.', {
      code: 'TRANSACTION_REVERTED',
      details: [
        `to ${call.to ?? 'a new contract'}`,
        `selector ${call.data?.slice(0, 10) ?? 'none'}`,
        `hash ${receipt.transactionHash}`,
      ],
      outcome: 'landed',
    })
  }

  async function create(creator: Address, bytecode: Hex): Promise<Address> {
    const { contractAddress } = await transact({ from: creator, data: bytecode })
    if (contractAddress) return contractAddress
    throw new BardoError('A deployment gave no address.', { code: 'INTERNAL' })
  }

  return {
    client,
    from,
    deploy: (bytecode, constructorArgs = '0x') => create(from, concat([bytecode, constructorArgs])),
    async deployAs(creator, nonce, bytecode) {
      const expected = getContractAddress({ from: creator, nonce })
      await client.impersonateAccount({ address: creator })
      await client.setBalance({ address: creator, value: 10n ** 18n })
      await client.setNonce({ address: creator, nonce: Number(nonce) })
      const address = await create(creator, bytecode)
      await client.setBalance({ address: creator, value: 0n })
      await client.stopImpersonatingAccount({ address: creator })
      if (address.toLowerCase() === expected.toLowerCase()) return address
      throw new BardoError(`Deployed at ${address}, not at ${expected}.`, { code: 'INTERNAL' })
    },
    async send(call) {
      await transact({ from, ...call })
    },
  }
}
