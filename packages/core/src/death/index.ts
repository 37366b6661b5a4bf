export {
  type DeathSettlement,
  type DeferredPosition,
  type EconomicExhaustion,
  type Estate,
  type ExpiryCause,
  type InnerSettlement,
  ownerMustAct,
  type SettledPosition,
  type SweepManifest,
  settleDeath,
} from './deathSettlement.ts'
export {
  type DeathEvidence,
  type DeathTrigger,
  deathTriggers,
  decideDeath,
  fatalRefusals,
  type Revocation,
  type RevocationEvidence,
  revocationOf,
  type SilenceEvidence,
} from './decideDeath.ts'
export { type RevocationReason, revocationReason, revocationReasons } from './revocationReason.ts'
