import {
  createNativeTokenPaymentTerms,
  decodeDelegations,
  decodeNativeTokenPaymentTerms,
  encodeDelegations,
} from '@metamask/delegation-core'
import type { Address, Hex } from 'viem'
import { demand, demandWellFormed, same, size, Unforeseen } from './bytes.ts'
import { answered, stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { coveredIf, ether, named } from './words.ts'

/** What is paid for every execution, and to whom. */
export type NativeTokenPaymentTerms = { readonly recipient: Address; readonly amount: bigint }

const enforcer = 'NativeTokenPaymentEnforcer'
const delegationManager = view('delegationManager()')
const argsEqualityCheck = view('argsEqualityCheckEnforcer()')

/**
 * NativeTokenPayment: the redeemer pays for the execution, by delegations in `args` that are redeemed at the very end.
 * Whether that works, only running it tells.
 */
export const nativeTokenPayment = stockKind<NativeTokenPaymentTerms>({
  name: 'NativeTokenPayment',
  encode: (terms) => createNativeTokenPaymentTerms(terms),
  decode: decodeNativeTokenPaymentTerms,
  covers: (parent, child) =>
    coveredIf(
      same(parent.recipient, child.recipient) && parent.amount === child.amount,
      `it pays ${ether(child.amount)} to ${child.recipient}, the parent ${ether(parent.amount)} to ${parent.recipient}`,
    ),
  describe: ({ recipient, amount }, names) =>
    `whoever uses it pays ${ether(amount)} to ${named(recipient, names)} each time`,
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
      'Name the delegation that pays in args.',
    )
    const [first] = leaf?.caveats ?? []
    demand(
      first !== undefined && BigInt(first.enforcer) === answered(hook.read(argsEqualityCheck(hook.enforcer))),
      `${enforcer}:missing-argsEqualityCheckEnforcer`,
      'Let ArgsEqualityCheck be the first caveat of the delegation that pays.',
    )
    throw new Unforeseen()
  },
})

/** The delegations in `args`; what no encoder writes is left to the chain. */
function paymentIn(args: Hex) {
  demandWellFormed(size(args) >= 64)
  try {
    const delegations = decodeDelegations(args)
    if (same(encodeDelegations(delegations), args)) return delegations
  } catch {
    // Falls through: whether the contract can read it is not known here.
  }
  throw new Unforeseen()
}
