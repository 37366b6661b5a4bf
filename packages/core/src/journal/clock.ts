/** Time as an argument: what the hour is, and how to wait. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number): Promise<void>
}
