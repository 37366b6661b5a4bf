export { eventToJson } from './eventToJson.ts'
export { fileRequest } from './fileRequest.ts'
export type { ActionEvent, OwnerRequestKind, ToolNumbers } from './golemEvent.ts'
export { recordEvents } from './recordEvents.ts'
