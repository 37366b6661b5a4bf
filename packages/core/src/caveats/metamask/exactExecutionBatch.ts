import type { Address, Hex } from 'viem'
import { decodeExecutions, encodeExecutions } from '../terms/abi.ts'
import { decodeBatch } from './batch.ts'
import { demand, same } from './bytes.ts'
import { callWords } from './callWords.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** The only calls that pass, in this order. */
export type ExactExecutionBatchTerms = {
  readonly executions: readonly { readonly target: Address; readonly value: bigint; readonly callData: Hex }[]
}

const enforcer = 'ExactExecutionBatchEnforcer'

/** ExactExecutionBatch: exactly one signed batch. */
export const exactExecutionBatch = metamaskKind<ExactExecutionBatchTerms>({
  name: 'ExactExecutionBatch',
  calls: 'batch',
  encode: ({ executions }) => encodeExecutions(executions),
  decode: (terms) => ({ executions: decodeExecutions(terms) }),
  covers({ executions: parent }, { executions: child }) {
    const equal =
      parent.length === child.length &&
      parent.every((call, i) => {
        const other = child[i]
        return (
          other !== undefined &&
          same(call.target, other.target) &&
          call.value === other.value &&
          same(call.callData, other.callData)
        )
      })
    return coveredIf(equal, 'the child fixes other calls')
  },
  describe: ({ executions }, names) =>
    `only this batch: ${executions.map((call) => callWords(call, names)).join('; ')}`,
  before(terms, hook) {
    const sent = decodeBatch(hook.execution.calldata)
    const signed = decodeBatch(terms)
    const targets = signed.map((call) => call.target())
    demand(
      sent.length === signed.length,
      `${enforcer}:invalid-batch-size`,
      `Send ${signed.length} calls instead of ${sent.length}.`,
    )
    const equal = targets.every((target, i) => {
      const [call, other] = [signed[i], sent[i]]
      return target === other?.target() && call?.value === other.value && call.callData === other.callData
    })
    demand(equal, `${enforcer}:invalid-execution`, 'Send exactly the calls that were signed.')
  },
})
