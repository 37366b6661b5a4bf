/** A contract's name as its source has it. */
export function contractTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
