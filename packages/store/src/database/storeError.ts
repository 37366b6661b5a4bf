import { BardoError } from '@bardo/core'

const notWritten = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', '53100'])
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  '53300',
])
/** The server is going down, or the connection was. */
const disconnected = /^(08|57P0)|^Connection terminated|^timeout exceeded when trying to connect/
const refused = new Set(['28P01', '28000', '3D000'])

/** What a driver or the file system said, as the store's own error where it is one that people can mend. */
export function toStoreError(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof BardoError) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  if (notWritten.has(code)) return unwritable(cause)
  if (refused.has(code)) {
    return new BardoError('PostgreSQL does not let us in.', {
      code: 'STORE_UNAVAILABLE',
      details: [cause.message],
      remedy: 'Check user, password and database in DATABASE_URL.',
      docsPath: 'store.md#when-it-does-not-open',
      retryable: false,
      cause,
    })
  }
  if (unreachable.has(code) || disconnected.test(code) || disconnected.test(cause.message)) {
    return new BardoError('The database does not answer.', {
      code: 'STORE_UNAVAILABLE',
      details: [code || cause.message],
      remedy: 'See that PostgreSQL runs and that DATABASE_URL names it. Every write can be repeated.',
      docsPath: 'store.md#when-it-does-not-open',
      // The connection may have ended after the commit.
      outcome: 'unknown',
      cause,
    })
  }
  return cause
}

/** The disk does not take it. */
export function unwritable(cause: Error): BardoError {
  return new BardoError('The store cannot be written to.', {
    code: 'STORE_UNWRITABLE',
    details: [cause.message],
    remedy:
      'Make room on the disk, see that the folder belongs to you, and start again. Nothing that was stored is lost.',
    docsPath: 'store.md#when-it-does-not-open',
    outcome: 'unknown',
    cause,
  })
}

/** Runs `work`; what it throws is thrown as the store's own error. */
export async function asStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw toStoreError(cause)
  }
}
