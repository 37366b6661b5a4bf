export { laterPhase, type Phase, phaseNames, phaseNumber, phases } from './phase.ts'
export {
  advancePhase,
  type Clocks,
  phaseOf,
  phaseThresholds,
  shownVitality,
  survivalScore,
  vitality,
} from './vitality.ts'
