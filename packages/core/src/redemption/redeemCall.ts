import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
} from 'viem'
import type { Execution } from '../caveats/caveatKind.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { managerAbi } from './managerAbi.ts'

const delegations = parseAbiParameters([
  'Delegation[] delegations',
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }',
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
])

/** One permission context of a call to the manager, and its execution. */
export type RedeemedContext = { readonly links: readonly Delegation[]; readonly execution: Execution }

/**
 * The call that redeems contexts. Links are encoded as they are, even invalid ones: the chain judges them.
 *
 * @example
 * const data = encodeRedeemCall([{ links: [leaf, root], execution: encodeExecution([swap]) }])
 */
export function encodeRedeemCall(contexts: readonly RedeemedContext[]): Hex {
  return encodeFunctionData({
    abi: managerAbi,
    functionName: 'redeemDelegations',
    args: [
      contexts.map(({ links }) => encodeAbiParameters(delegations, [links])),
      contexts.map(({ execution }) => execution.mode),
      contexts.map(({ execution }) => execution.calldata),
    ],
  })
}

/**
 * What a call to the manager redeems; undefined if it is another call or does not decode.
 *
 * @example
 * decodeRedeemCall('0xa9059cbb') // undefined
 */
export function decodeRedeemCall(data: Hex): readonly RedeemedContext[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: managerAbi, data })
    if (functionName !== 'redeemDelegations') return undefined
    const [contexts, modes, executions] = args
    return contexts.map((context, i) => ({
      links: linksIn(context),
      execution: { mode: modes[i] ?? '0x', calldata: executions[i] ?? '0x' },
    }))
  } catch {
    return undefined
  }
}

/** Decodes as the chain does: it accepts more encodings than `decodeContext`. */
function linksIn(context: Hex): readonly Delegation[] {
  // To the manager an empty context means "as myself, without any caveat".
  if (context === '0x') return []
  const [links] = decodeAbiParameters(delegations, context)
  return links
}
