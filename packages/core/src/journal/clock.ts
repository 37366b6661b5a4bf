/** Time as a parameter: the current time, and a way to wait. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number): Promise<void>
}
