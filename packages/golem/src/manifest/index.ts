export { type BardoManifest, manifestFields, storedManifest } from './bardoManifest.ts'
export { readManifest } from './readManifest.ts'
