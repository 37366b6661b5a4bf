export { type BardoManifest, storedManifest } from './bardoManifest.ts'
export { readManifest } from './readManifest.ts'
