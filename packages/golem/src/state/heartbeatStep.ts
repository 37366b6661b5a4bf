/** The nine steps of a tick, in order. */
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

/** A step of a tick. */
export type HeartbeatStep = (typeof heartbeatSteps)[number]
