import type { Call } from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseSignature } from 'viem'
import { permit2Address } from '../uniswap/universalSwapCalls.ts'

/** A transfer from an EOA into an account, by a signature that only the account itself can use. */
export type Funding = {
  readonly chainId: number
  readonly token: Address
  readonly amount: bigint
  /** The EOA that pays. */
  readonly from: Address
  /** The account that is funded. It is also the spender, so a stolen signature is useless to others. */
  readonly account: Address
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const permit2Abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
])

/** The owner's own transfer. */
export function transferCall({
  token,
  amount,
  account,
}: Pick<Funding, 'token' | 'amount' | 'account'>): Call {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account, amount] }),
  }
}

/** What the EOA signs for a token with EIP-2612. The nonce is the EOA's nonce in the token. */
export function permitTypedData(
  { chainId, token, amount, from, account, nonce, deadline }: Funding,
  { name, version }: { readonly name: string; readonly version: string },
) {
  return {
    domain: { name, version, chainId, verifyingContract: token },
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
    message: { owner: from, spender: account, value: amount, nonce, deadline },
  } as const
}

/** The account's two calls: the permit, which anyone can submit, and the transfer that uses it up. */
export function permitCalls(
  funding: Omit<Funding, 'nonce' | 'chainId'>,
  signature: Hex,
): readonly [Call, Call] {
  const { token, amount, from, account, deadline } = funding
  const { r, s, yParity } = parseSignature(signature)
  const args = [from, account, amount, deadline, 27 + yParity, r, s] as const
  return [
    { to: token, data: encodeFunctionData({ abi: permitAbi, functionName: 'permit', args }) },
    {
      to: token,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [from, account, amount],
      }),
    },
  ]
}

/** What the EOA signs for Permit2's SignatureTransfer, after it approved Permit2. Nonces need no order. */
export function permit2TypedData({ chainId, token, amount, account, nonce, deadline }: Funding) {
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { permitted: { token, amount }, spender: account, nonce, deadline },
  } as const
}

/** The account's call that pulls the tokens with a Permit2 signature, into itself. */
export function permit2Call(
  { token, amount, from, account, nonce, deadline }: Funding,
  signature: Hex,
): Call {
  return {
    to: permit2Address,
    data: encodeFunctionData({
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [
        { permitted: { token, amount }, nonce, deadline },
        { to: account, requestedAmount: amount },
        from,
        signature,
      ],
    }),
  }
}
