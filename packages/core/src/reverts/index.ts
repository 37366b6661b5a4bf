export { decodeRevert } from './decodeRevert.ts'
