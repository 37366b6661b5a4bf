/** Any value as JSON. A bigint becomes a decimal string. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))
}
