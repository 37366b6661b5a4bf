/** The nine steps of a tick, in their order.. */
export const heartbeatSteps = [
  'sense',
  'account',
  'judge',
  'phase',
  'publish',
  'decide',
  'guard',
  'act',
  'record',
] as const

/** One of them. */
export type HeartbeatStep = (typeof heartbeatSteps)[number]
