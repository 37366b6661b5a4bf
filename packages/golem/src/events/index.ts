export { eventToJson } from './eventToJson.ts'
export type { ActionEvent, OwnerRequestKind, ToolNumbers } from './golemEvent.ts'
export { recordEvents } from './recordEvents.ts'
