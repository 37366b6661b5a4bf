export { secret } from './secret.ts'
