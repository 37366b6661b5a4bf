import {
  encodeOwnCalls,
  encodeUpdateSigners,
  type GasEvent,
  type Journal,
  type SmartAccount,
} from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, type PublicClient, parseAbi } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Bundler } from '../submission/bundler.ts'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

const depositAbi = parseAbi([
  'function withdrawDeposit(address payable withdrawAddress, uint256 withdrawAmount)',
])

/** Gas of the last operation without the verification of its signature, rounded up. */
const lastCallGas = 500_000n
/** How often the sweep is tried, each time with more kept back: an operation that cannot pay for itself moves nothing. */
const mostAttempts = 3

/** The session account to empty. */
export type AccountHolder = {
  readonly client: PublicClient
  readonly journal: Pick<Journal, 'find'>
  readonly account: Pick<SmartAccount, 'address' | 'framework'> & {
    readonly signer?: Pick<SmartAccount['signer'], 'verificationGas'>
  }
  readonly submitter: Submitter
  readonly bundler: Pick<Bundler, 'fees'>
  /** Whether a paymaster pays for the operation: nothing is kept back then. */
  readonly isPaidFor: boolean
  readonly onEvent?: (event: GasEvent) => void
}

/** What can pay for an account's operations, in wei: its balance and its deposit with the EntryPoint. */
export async function spendableGas(
  { client, entryPoint }: { readonly client: PublicClient; readonly entryPoint: Address },
  address: Address,
): Promise<{ readonly balance: bigint; readonly deposit: bigint }> {
  const [balance, deposit] = await Promise.all([
    client.getBalance({ address }),
    client.readContract({
      address: entryPoint,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [address],
    }),
  ])
  return { balance, deposit }
}

/**
 * A session account's last operation: sends its balance and its deposit with the EntryPoint to the owner, and makes the
 * owner's key its only signer. What the operation itself did not use stays in the deposit, which from then on only the
 * owner's key can withdraw. Undefined if the account cannot pay for it.
 *
 * @example
 * await sweepAccount({ client, journal, account, submitter, bundler, isPaidFor: false }, { id: 'farewell', to: owner })
 */
export async function sweepAccount(
  { client, journal, account, submitter, bundler, isPaidFor, onEvent }: AccountHolder,
  { id, to }: { readonly id: string; readonly to: Address },
): Promise<(Landed & { readonly amount: bigint; readonly left: bigint }) | undefined> {
  const { address, framework } = account
  const place = { client, entryPoint: framework.EntryPoint }
  for (let attempt = 1; ; attempt += 1) {
    const swept = await sweep(attempt)
    if (!swept || swept.status === 'success' || attempt === mostAttempts) return swept
  }

  async function sweep(attempt: number) {
    const intent = attempt === 1 ? id : `${id}:${attempt}`
    const before = await spendableGas(place, address)
    const known = await journal.find(intent)
    const reserve = isPaidFor ? 0n : BigInt(attempt) * (await costOf())
    if (!known && before.balance + before.deposit < reserve) return undefined
    // The deposit pays first, then the balance.
    const deposit = before.deposit > reserve ? before.deposit - reserve : 0n
    const missing = before.deposit > reserve ? 0n : reserve - before.deposit
    const balance = before.balance - missing
    const request = known
      ? { to: known.intent.to, data: known.intent.data }
      : { to: framework.DelegationManager, data: lastCalls(balance, deposit) }
    const landed = await submitter.submit({ id: intent, ...request })
    const after = await spendableGas(place, address)
    const left = after.balance + after.deposit
    const amount = landed.status === 'success' ? balance + deposit : 0n
    if (amount > 0n)
      onEvent?.({
        name: 'gas.swept',
        from: address,
        to,
        amountWei: amount,
        leftWei: left,
        transaction: landed.hash,
      })
    return { ...landed, amount, left }
  }

  /** At the offered fee, which is about twice the current one, with the margin that a submitter adds to an estimate. */
  async function costOf(): Promise<bigint> {
    const { maxFeePerGas } = await bundler.fees()
    const verification = account.signer?.verificationGas ?? 600_000n
    return maxFeePerGas * (lastCallGas + (verification * 3n) / 2n)
  }

  /** The manager calls an account back without any delegation, if the account itself asks for it. */
  function lastCalls(wei: bigint, deposited: bigint): Hex {
    const own = (data: Hex) => ({ to: address, value: 0n, data })
    const withdrawal = encodeFunctionData({
      abi: depositAbi,
      functionName: 'withdrawDeposit',
      args: [to, deposited],
    })
    const calls = [
      ...(wei > 0n ? [{ to, value: wei, data: '0x' as const }] : []),
      ...(deposited > 0n ? [own(withdrawal)] : []),
      own(encodeUpdateSigners({ owner: to })),
    ]
    return encodeOwnCalls(calls)
  }
}
