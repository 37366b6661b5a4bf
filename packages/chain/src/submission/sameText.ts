/** Whether two hex strings are equal, ignoring case. */
export function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
