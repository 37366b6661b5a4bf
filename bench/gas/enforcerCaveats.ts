import { bardoCaveats } from '@bardo/core'
import type { Caveat } from './benchWorld.ts'
import { coSign, coSigners, threshold } from './coSigners.ts'
import type { Work } from './work.ts'

// The settlement asset's index in the mandate: USDC.
const settlement = 0

/** Core's kinds of caveats, by the names of their contracts. The Cage has its own policies. */
export type EnforcerName = Capitalize<Exclude<keyof typeof bardoCaveats, 'cage'>>

/** A caveat for each of Bardo's enforcers, with the Cage's limits if the Cage has them. */
export const enforcerCaveats: Readonly<Record<EnforcerName, (work: Work) => Caveat>> = {
  GolemPhase: ({ addresses, bounds: { golem, graceSeconds }, mandate }) => ({
    enforcer: addresses.golemPhaseEnforcer,
    terms: bardoCaveats.golemPhase.encode({ golem, graceSeconds, settlement, mandate }),
  }),
  MortalityTimeWindow: ({ addresses, bounds: { start, end } }) => ({
    enforcer: addresses.mortalityTimeWindowEnforcer,
    terms: bardoCaveats.mortalityTimeWindow.encode({ start, end }),
  }),
  DreamMode: ({ addresses, bounds: { golem } }) => ({
    enforcer: addresses.dreamModeEnforcer,
    terms: bardoCaveats.dreamMode.encode({ golem }),
  }),
  EmotionalState: ({ addresses, bounds: { golem, mood, restrictedClasses: restricted }, mandate }) => ({
    enforcer: addresses.emotionalStateEnforcer,
    terms: bardoCaveats.emotionalState.encode({ golem, mood, restricted, settlement, mandate }),
  }),
  MaxSlippage: ({ addresses, bounds: { slippageBps }, mandate }) => ({
    enforcer: addresses.maxSlippageEnforcer,
    terms: bardoCaveats.maxSlippage.encode({ slippageBps, spreadBps: slippageBps, mandate }),
  }),
  DailySpendLimit: ({ addresses, bounds: { golem, dayCents }, mandate }) => ({
    enforcer: addresses.dailySpendLimitEnforcer,
    terms: bardoCaveats.dailySpendLimit.encode({ lineage: golem, limitCents: dayCents, mandate }),
  }),
  Cadence: ({ addresses, bounds: { golem, cadenceSeconds } }) => ({
    enforcer: addresses.cadenceEnforcer,
    terms: bardoCaveats.cadence.encode({ lineage: golem, intervalSeconds: cadenceSeconds }),
  }),
  VaultNAV: ({ addresses, bounds: { dollarsAtOnce }, mandate }) => ({
    enforcer: addresses.vaultNAVEnforcer,
    terms: bardoCaveats.vaultNAV.encode({
      vault: addresses.usdcVault,
      bps: 100,
      capCents: BigInt(dollarsAtOnce * 100),
      mandate,
    }),
  }),
  ReplicantBudget: ({ addresses, bounds: { golem, dayCents, start, end }, mandate }) => ({
    enforcer: addresses.replicantBudgetEnforcer,
    terms: bardoCaveats.replicantBudget.encode({
      lineage: golem,
      allowedCents: dayCents,
      born: start,
      lifespanSeconds: end - start,
      mandate,
    }),
  }),
  KnowledgeRoyalty: ({ addresses, payee, mandate }) => ({
    enforcer: addresses.knowledgeRoyaltyEnforcer,
    terms: bardoCaveats.knowledgeRoyalty.encode({ author: payee, bps: 500, mandate }),
  }),
  PolicyCage: ({ addresses, constitution, bounds: { golem }, mandate }) => ({
    enforcer: addresses.policyCageEnforcer,
    terms: bardoCaveats.policyCage.encode({ constitution, lineage: golem, mandate }),
  }),
  Threshold: ({ addresses, chainId }) => ({
    enforcer: addresses.thresholdEnforcer,
    terms: bardoCaveats.threshold.encode({ threshold, keys: coSigners.map(({ address }) => address) }),
    args: (redemption) => coSign(redemption, chainId, addresses),
  }),
}
