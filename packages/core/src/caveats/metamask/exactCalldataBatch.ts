import { decodeExecutions, encodeExecutions } from '../terms/abi.ts'
import { decodeBatch } from './batch.ts'
import { demand, same } from './bytes.ts'
import type { ExactExecutionBatchTerms } from './exactExecutionBatch.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** Calls of which only the calldata is checked; the enforcer ignores their targets and values. */
export type ExactCalldataBatchTerms = ExactExecutionBatchTerms

const enforcer = 'ExactCalldataBatchEnforcer'

/** ExactCalldataBatch: a batch with exactly this calldata, to any contracts and with any values. */
export const exactCalldataBatch = metamaskKind<ExactCalldataBatchTerms>({
  name: 'ExactCalldataBatch',
  calls: 'batch',
  encode: ({ executions }) => encodeExecutions(executions),
  decode: (terms) => ({ executions: decodeExecutions(terms) }),
  covers: ({ executions: parent }, { executions: child }) =>
    coveredIf(
      parent.length === child.length &&
        parent.every((call, i) => same(call.callData, child[i]?.callData ?? '0x')),
      'the child fixes other calldata',
    ),
  describe: ({ executions }) =>
    `only batches with the calldata ${executions.map(({ callData }) => callData).join('; ')}, to any contracts`,
  before(terms, hook) {
    const sent = decodeBatch(hook.execution.calldata)
    const signed = decodeBatch(terms)
    // The signed targets are not compared, but a dirty one is still refused.
    for (const call of signed) call.target()
    demand(
      sent.length === signed.length,
      `${enforcer}:invalid-batch-size`,
      `Send ${signed.length} calls instead of ${sent.length}.`,
    )
    signed.forEach((call, i) => {
      const actual = sent[i]?.callData
      demand(
        actual === call.callData,
        `${enforcer}:invalid-calldata`,
        `Send ${call.callData} as call ${i + 1} instead of ${actual}.`,
      )
    })
  },
})
