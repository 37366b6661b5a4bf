import { BardoError } from '../errors/BardoError.ts'

/** The error for malformed delegations and permission contexts. */
export function malformed(message: string, details: readonly string[] = [], remedy?: string): BardoError {
  return new BardoError(message, {
    code: 'DELEGATION_MALFORMED',
    details,
    ...(remedy ? { remedy } : {}),
    docsPath: 'delegations.md#permission-contexts',
  })
}
