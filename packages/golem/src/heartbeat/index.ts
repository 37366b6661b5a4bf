export { createGolem, type LivingGolem } from './createGolem.ts'
