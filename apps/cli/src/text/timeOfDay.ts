/** The time of day in the local time zone. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 8)
}
