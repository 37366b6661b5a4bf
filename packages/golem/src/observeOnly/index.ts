export { observeReasons, outageOf } from './observeOnly.ts'
