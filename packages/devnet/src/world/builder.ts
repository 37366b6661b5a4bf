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
import type { DevnetClient } from './devnetClient.ts'

/** Sends the transactions that build the devnet, one after another, from one unlocked account. */
export type Builder = {
  readonly client: DevnetClient
  readonly from: Address
  /** Deploys bytecode with its encoded constructor arguments. */
  deploy(bytecode: Hex, constructorArgs?: Hex): Promise<Address>
  /** Deploys as a given account at a given nonce: this gives a contract its address of the real chains. */
  deployAs(creator: Address, nonce: bigint, bytecode: Hex): Promise<Address>
  /**
   * Runs creation code, with its encoded constructor arguments, at an address that none of our keys can
   * deploy to. The constructor sees that address as its own, so its storage and its code are as on real
   * chains.
   */
  construct(address: Address, bytecode: Hex, constructorArgs?: Hex): Promise<void>
  send(call: { to: Address; data?: Hex; value?: bigint }): Promise<void>
}

type SendTransactionSync = {
  Method: 'eth_sendTransactionSync'
  Parameters: [RpcTransactionRequest]
  ReturnType: RpcTransactionReceipt
}

// All of these need less. An explicit limit saves a gas estimation for each.
const gas = 12_000_000n

export function createBuilder(client: DevnetClient, from: Address): Builder {
  async function transact(call: { from: Address; to?: Address; data?: Hex; value?: bigint }) {
    // EIP-7966: answers with the receipt once the block is mined, so no polling is needed.
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
    throw new BardoError('A transaction of the devnet’s faucet reverted.', {
      code: 'TRANSACTION_REVERTED',
      details: [
        `to: ${call.to ?? 'a new contract'}`,
        `selector: ${call.data?.slice(0, 10) ?? 'none'}`,
        `transaction: ${receipt.transactionHash}`,
      ],
      outcome: 'landed',
    })
  }

  async function create(creator: Address, bytecode: Hex): Promise<Address> {
    const { contractAddress } = await transact({ from: creator, data: bytecode })
    if (contractAddress) return contractAddress
    throw new BardoError('The receipt of a deployment has no contract address.', { code: 'INTERNAL' })
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
    async construct(address, bytecode, constructorArgs = '0x') {
      await client.setCode({ address, bytecode: concat([bytecode, constructorArgs]) })
      const { data } = await client.call({ to: address })
      // Once more as a transaction: a call does not store anything.
      await transact({ from, to: address })
      if (!data) throw new BardoError(`The constructor at ${address} returned no code.`, { code: 'INTERNAL' })
      await client.setCode({ address, bytecode: data })
    },
    async send(call) {
      await transact({ from, ...call })
    },
  }
}
