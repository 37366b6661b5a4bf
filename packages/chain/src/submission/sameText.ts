/** Whether two texts of hex are the same, whatever their case. */
export function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
