import type { Address, Hex } from 'viem'
import { specificActionERC20TransferBatchTerms } from '../terms/metamaskTerms.ts'
import { decodeBatch } from './batch.ts'
import { addressAt, demand, same, size, slice, word } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, money, named } from './words.ts'

/** One signed call, then one signed transfer. */
export type SpecificActionERC20TransferBatchTerms = {
  readonly token: Address
  readonly recipient: Address
  readonly amount: bigint
  readonly target: Address
  readonly callData: Hex
}

const enforcer = 'SpecificActionERC20TransferBatchEnforcer'
const usedDelegations = view('usedDelegations(address,bytes32)')

/** SpecificActionERC20TransferBatch: once, a batch of one signed call and one signed transfer. */
export const specificActionERC20TransferBatch = metamaskKind<SpecificActionERC20TransferBatchTerms>({
  name: 'SpecificActionERC20TransferBatch',
  countsAlone: true,
  calls: 'batch',
  encode: ({ token, recipient, amount, target, callData }) =>
    specificActionERC20TransferBatchTerms.encode({
      tokenAddress: token,
      recipient,
      amount,
      target,
      calldata: callData,
    }),
  decode(terms) {
    const { tokenAddress, recipient, amount, target, calldata } =
      specificActionERC20TransferBatchTerms.decode(terms)
    return { token: tokenAddress, recipient, amount, target, callData: calldata }
  },
  covers: (parent, child) =>
    coveredIf(
      same(parent.token, child.token) &&
        same(parent.recipient, child.recipient) &&
        parent.amount === child.amount &&
        same(parent.target, child.target) &&
        same(parent.callData, child.callData),
      'the child fixes another batch',
    ),
  describe: ({ token, recipient, amount, target, callData }, names) =>
    `once: ${callData} to ${named(target, names)}, then ${money(amount, token, names)} to ${named(recipient, names)}`,
  reads: (_, context) => [usedDelegations(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [usedDelegations(row.enforcer, row.manager, row.delegationHash)],
  usage(_, row, state) {
    const answer = state.answer(usedDelegations(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok ? { spent: answered(answer.data), limit: 1n, unit: 'calls', renews: false } : undefined
  },
  before(terms, hook) {
    const row = usedDelegations(hook.enforcer, hook.manager, hook.delegationHash)
    const used = answered(hook.read(row))
    demand(used === 0n, `${enforcer}:delegation-already-used`, 'Ask the owner to sign again.')
    const batch = decodeBatch(hook.execution.calldata)
    const [first, second] = batch
    demand(batch.length === 2, `${enforcer}:invalid-batch-size`, `Send two calls instead of ${batch.length}.`)
    demand(size(terms) >= 92, `${enforcer}:invalid-terms-length`, 'Sign terms of at least 92 bytes.')
    demand(
      first?.target() === addressAt(terms, 72) && first.value === 0n && first.callData === slice(terms, 92),
      `${enforcer}:invalid-first-transaction`,
      'Send the signed call first, without value.',
    )
    demand(
      second?.target() === addressAt(terms, 0) &&
        second.value === 0n &&
        isTransfer(second.callData, addressAt(terms, 20), word(terms, 40)),
      `${enforcer}:invalid-second-transaction`,
      'Send the signed transfer second, without value.',
    )
    return { read: row, words: [1n] }
  },
})

function isTransfer(callData: Hex, to: Address, amount: bigint): boolean {
  return (
    size(callData) === 68 &&
    slice(callData, 0, 4) === '0xa9059cbb' &&
    // The upper bytes of the recipient's word are ignored.
    addressAt(callData, 16) === to &&
    word(callData, 36) === amount
  )
}
