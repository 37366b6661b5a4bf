export { delegationSchema } from './delegationSchema.ts'
export type { GolemParts, GolemSettings } from './golemParts.ts'
export { loadPermission, type SignedPermission } from './signedPermission.ts'
