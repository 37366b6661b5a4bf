import { cadence } from './cadence.ts'
import { cage } from './cage.ts'
import { dailySpendLimit } from './dailySpendLimit.ts'
import { dreamMode } from './dreamMode.ts'
import { emotionalState } from './emotionalState.ts'
import { golemPhase } from './golemPhase.ts'
import { knowledgeRoyalty } from './knowledgeRoyalty.ts'
import { maxSlippage } from './maxSlippage.ts'
import { mortalityTimeWindow } from './mortalityTimeWindow.ts'
import { policyCage } from './policyCage.ts'
import { replicantBudget } from './replicantBudget.ts'
import { threshold } from './threshold.ts'
import { vaultNAV } from './vaultNAV.ts'

/** One kind per Bardo enforcer, keyed by the enforcer's name without "Enforcer". */
export const bardoCaveats = {
  golemPhase,
  mortalityTimeWindow,
  dreamMode,
  vaultNAV,
  replicantBudget,
  maxSlippage,
  dailySpendLimit,
  emotionalState,
  knowledgeRoyalty,
  policyCage,
  cadence,
  threshold,
  cage,
} as const
