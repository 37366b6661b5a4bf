/** A contract's name as in its source. */
export function contractTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
