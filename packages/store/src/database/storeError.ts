import { BardoError } from '@bardo/core'

const notWritten = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', '53100'])
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'EAI_AGAIN',
  '53300',
])
/** The server is shutting down, or the connection was lost. */
const disconnected =
  /^(08|57P0)|^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout|^Client has encountered a connection error/
const refused = new Set(['28P01', '28000', '3D000'])

/** An error of a driver or the file system as the store's own error, if the user can fix it. */
export function toStoreError(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof BardoError) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  if (notWritten.has(code)) return unwritable(cause)
  if (refused.has(code)) {
    return new BardoError('PostgreSQL refused the login.', {
      code: 'STORE_UNAVAILABLE',
      details: [cause.message],
      remedy: 'Check the user, the password and the database in DATABASE_URL.',
      docsPath: 'store.md#when-it-does-not-open',
      retryable: false,
      cause,
    })
  }
  if (unreachable.has(code) || disconnected.test(code) || disconnected.test(cause.message)) {
    return new BardoError('The database does not answer.', {
      code: 'STORE_UNAVAILABLE',
      details: [code || cause.message],
      remedy: 'Check that PostgreSQL runs and that DATABASE_URL points to it. Every write can be repeated.',
      docsPath: 'store.md#when-it-does-not-open',
      // The connection may have ended after the commit.
      outcome: 'unknown',
      cause,
    })
  }
  return cause
}

/** The disk refused the write. */
export function unwritable(cause: Error): BardoError {
  return new BardoError('The store is not writable.', {
    code: 'STORE_UNWRITABLE',
    details: [cause.message],
    remedy:
      'Free disk space, check that you own the folder, and start again. Nothing that was stored is lost.',
    docsPath: 'store.md#when-it-does-not-open',
    outcome: 'unknown',
    cause,
  })
}

/** Runs `work` and converts its errors with {@link toStoreError}. */
export async function asStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw toStoreError(cause)
  }
}
