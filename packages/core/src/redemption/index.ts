export { managerAbi } from './managerAbi.ts'
