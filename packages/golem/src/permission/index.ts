export { delegationSchema } from './delegationSchema.ts'
export type { GolemParts, GolemSettings } from './golemParts.ts'
export type { SignedPermission } from './signedPermission.ts'
