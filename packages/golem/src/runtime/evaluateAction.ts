import { caveatRegistry, decodeRevert, encodeExecution, readState, refusedRedemption } from '@bardo/chain'
import {
  type BardoError,
  type ChainState,
  type ChainVerdict,
  chainReads,
  evaluateChain,
  explain,
  type Read,
} from '@bardo/core'
import type { Action } from '../capability/action.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'

/**
 * What the library says to an action by what the chain shows now: every link and every caveat, without running
 * anything. Undefined where nothing refuses it yet; what depends on what moves is for the simulation.
 */
export async function evaluateAction(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  { links }: Charter,
  action: Action,
): Promise<BardoError | undefined> {
  const execution = encodeExecution(callsOf(action))
  const redeemer = links[0].delegate
  const manager = deployment.framework.DelegationManager
  const registry = caveatRegistry(deployment)
  const question = { chainId: deployment.chainId, manager, redeemer, execution }
  const { before, verdict } = await judged(chainReads(links, registry, question), 1)
  const refusal = verdict.manager.is === 'refuse' ? verdict.manager : verdict.first?.refusal
  if (verdict.is !== 'refuse' || !refusal) return undefined
  const explanation = explain({
    links,
    redeemer,
    block: { number: before.blockNumber, timestamp: before.timestamp },
    verdict,
    execution: { is: 'unknown' },
    redemption: { is: 'reverted', revert: decodeRevert(refusal.data), at: undefined },
  })
  return refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })

  /** Reads and judges, and once more where one answer was needed to ask for the next. */
  async function judged(reads: readonly Read[], round: number): Promise<Judged> {
    const before = await readState(client, deployment, reads)
    const verdict = evaluateChain(links, registry, { ...question, before })
    const missing = missingIn(verdict).filter((read) => !before.answer(read))
    if (missing.length === 0 || round === mostRounds) return { before, verdict }
    return judged([...reads, ...missing], round + 1)
  }
}

type Judged = { readonly before: ChainState; readonly verdict: ChainVerdict }

/** What is unknown after so many rounds, the simulation tells. Origin: ours; no caveat before the execution takes more. */
const mostRounds = 3

function missingIn({ manager, caveats }: ChainVerdict): readonly Read[] {
  return [manager, ...caveats.map(({ verdict }) => verdict)].flatMap((verdict) =>
    verdict.is === 'unknown' && typeof verdict.missing !== 'string' ? verdict.missing : [],
  )
}

/** An action's calls as the chain's tools take them. */
export function callsOf({ calls }: Action) {
  return calls.map(({ target, value, data }) => ({ to: target, value, data }))
}
