import { concat, encodePacked } from 'viem'
import type { Caveat } from './benchWorld.ts'
import { coSign, coSigners, threshold } from './coSigners.ts'
import { encodeMandate } from './mandate.ts'
import type { Work } from './work.ts'

// The settlement asset's place in the mandate: USDC.
const settlement = 0

/** A caveat of each of Bardo's enforcers, with the same bounds as the Cage where it has them. */
export const enforcerCaveats = {
  GolemPhase: ({ addresses, bounds: { golem, graceSeconds }, mandate }) => ({
    enforcer: addresses.golemPhaseEnforcer,
    terms: concat([
      encodePacked(['bytes32', 'uint32', 'uint8'], [golem, graceSeconds, settlement]),
      encodeMandate(mandate),
    ]),
  }),
  MortalityTimeWindow: ({ addresses, bounds: { start, end } }) => ({
    enforcer: addresses.mortalityTimeWindowEnforcer,
    terms: encodePacked(['uint40', 'uint40'], [start, end]),
  }),
  DreamMode: ({ addresses, bounds: { golem } }) => ({ enforcer: addresses.dreamModeEnforcer, terms: golem }),
  EmotionalState: ({ addresses, bounds: { golem, mood, restrictedClasses }, mandate }) => ({
    enforcer: addresses.emotionalStateEnforcer,
    terms: concat([
      encodePacked(
        ['bytes32', 'int8', 'int8', 'int8', 'uint16', 'uint8'],
        [golem, mood.minPleasure, mood.maxArousal, mood.minDominance, restrictedClasses, settlement],
      ),
      encodeMandate(mandate),
    ]),
  }),
  MaxSlippage: ({ addresses, bounds: { slippageBps }, mandate }) => ({
    enforcer: addresses.maxSlippageEnforcer,
    terms: concat([encodePacked(['uint16', 'uint16'], [slippageBps, slippageBps]), encodeMandate(mandate)]),
  }),
  DailySpendLimit: ({ addresses, bounds: { golem, dayCents }, mandate }) => ({
    enforcer: addresses.dailySpendLimitEnforcer,
    terms: concat([encodePacked(['bytes32', 'uint32'], [golem, dayCents]), encodeMandate(mandate)]),
  }),
  Cadence: ({ addresses, bounds: { golem, cadenceSeconds } }) => ({
    enforcer: addresses.cadenceEnforcer,
    terms: encodePacked(['bytes32', 'uint32'], [golem, cadenceSeconds]),
  }),
  VaultNAV: ({ addresses, bounds: { dollarsAtOnce }, mandate }) => ({
    enforcer: addresses.vaultNAVEnforcer,
    terms: concat([
      encodePacked(['address', 'uint16', 'uint40'], [addresses.usdcVault, 100, dollarsAtOnce * 100]),
      encodeMandate(mandate),
    ]),
  }),
  ReplicantBudget: ({ addresses, bounds: { golem, dayCents, start, end }, mandate }) => ({
    enforcer: addresses.replicantBudgetEnforcer,
    terms: concat([
      encodePacked(['bytes32', 'uint40', 'uint40', 'uint32'], [golem, dayCents, start, end - start]),
      encodeMandate(mandate),
    ]),
  }),
  KnowledgeRoyalty: ({ addresses, payee, mandate }) => ({
    enforcer: addresses.knowledgeRoyaltyEnforcer,
    terms: concat([encodePacked(['address', 'uint16'], [payee, 500]), encodeMandate(mandate)]),
  }),
  PolicyCage: ({ addresses, constitution, bounds: { golem }, mandate }) => ({
    enforcer: addresses.policyCageEnforcer,
    terms: concat([constitution, golem, encodeMandate(mandate)]),
  }),
  Threshold: ({ addresses, chainId }) => ({
    enforcer: addresses.thresholdEnforcer,
    terms: concat([
      encodePacked(['uint8', 'uint8'], [threshold, coSigners.length]),
      ...coSigners.map(({ address }) => address),
    ]),
    args: (redemption) => coSign(redemption, chainId, addresses),
  }),
} as const satisfies Record<string, (work: Work) => Caveat>

export type EnforcerName = keyof typeof enforcerCaveats
