export { sealedKeySource } from './sealedKeySource.ts'
