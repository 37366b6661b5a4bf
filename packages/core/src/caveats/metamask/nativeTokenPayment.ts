import type { Address, Hex } from 'viem'
import { decodeDelegations } from '../terms/abi.ts'
import { nativeTokenPaymentTerms } from '../terms/metamaskTerms.ts'
import { demand, demandWellFormed, same, size, Unforeseen } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, ether, named } from './words.ts'

/** The price of every execution, and its recipient. */
export type NativeTokenPaymentTerms = { readonly recipient: Address; readonly amount: bigint }

const enforcer = 'NativeTokenPaymentEnforcer'
const delegationManager = view('delegationManager()')
const argsEqualityCheck = view('argsEqualityCheckEnforcer()')

/**
 * NativeTokenPayment: the redeemer pays for the execution with delegations in `args` that are redeemed at the
 * end. Only a simulation can tell whether that works.
 */
export const nativeTokenPayment = metamaskKind<NativeTokenPaymentTerms>({
  name: 'NativeTokenPayment',
  encode: nativeTokenPaymentTerms.encode,
  decode: nativeTokenPaymentTerms.decode,
  covers: (parent, child) =>
    coveredIf(
      same(parent.recipient, child.recipient) && parent.amount === child.amount,
      () =>
        `the child pays ${ether(child.amount)} to ${child.recipient}; the parent pays ${ether(parent.amount)} to ${parent.recipient}`,
    ),
  describe: ({ recipient, amount }, names) =>
    `the redeemer pays ${ether(amount)} to ${named(recipient, names)} per execution`,
  reads: (_, context) => [delegationManager(context.enforcer), argsEqualityCheck(context.enforcer)],
  afterAll(terms, hook) {
    const manager = answered(hook.read(delegationManager(hook.enforcer)))
    demand(
      manager === BigInt(hook.manager),
      `${enforcer}:only-delegation-manager`,
      'Put this caveat into the delegation itself.',
    )
    demand(size(terms) === 52, `${enforcer}:invalid-terms-length`, 'Sign terms of 52 bytes.')
    const [leaf] = paymentIn(hook.args)
    demand(
      leaf !== undefined,
      `${enforcer}:invalid-allowance-delegations-length`,
      'Put the paying delegation into args.',
    )
    const [first] = leaf?.caveats ?? []
    demand(
      first !== undefined && BigInt(first.enforcer) === answered(hook.read(argsEqualityCheck(hook.enforcer))),
      `${enforcer}:missing-argsEqualityCheckEnforcer`,
      'Make ArgsEqualityCheck the first caveat of the paying delegation.',
    )
    throw new Unforeseen()
  },
})

/** The delegations in `args`; bytes that no encoder writes are left to the chain. */
function paymentIn(args: Hex) {
  demandWellFormed(size(args) >= 64)
  try {
    return decodeDelegations(args)
  } catch {
    // Unknown whether the contract can read it.
    throw new Unforeseen()
  }
}
