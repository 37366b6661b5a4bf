/** Plain JSON of anything: whole numbers of any size become decimal texts. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))
}
