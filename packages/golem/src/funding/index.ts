export { readRunway } from './readRunway.ts'
export { type RunwayHealth, runwayHealth } from './runwayHealth.ts'
export { drawLinks, findRunway } from './storedRunway.ts'
