export { type CryptoEngine, nobleEngine } from './cryptoEngine.ts'
