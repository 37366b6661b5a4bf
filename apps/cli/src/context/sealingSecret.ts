import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError, type SealingSecret } from '@bardo/core'
import { secret } from '@bardo/golem'
import { makeHome } from './makeHome.ts'
import type { Settings } from './settings.ts'

/** Larger files are refused: a secret is much shorter. */
const mostBytes = 4_096
const shape = /^(?:0x)?([0-9a-f]{64})$/i

/**
 * The secret that encrypts session keys: `BARDO_KEY_SECRET`, or a file in the data folder that is created at first use with
 * mode 600.
 */
export function sealingSecret({ home, env }: Pick<Settings, 'home' | 'env'>): SealingSecret {
  const given = env['BARDO_KEY_SECRET']
  if (given) return toSecret(given, 'BARDO_KEY_SECRET')
  const file = join(home, 'secret')
  makeHome(home)
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw unusable(file, 'the file cannot be created')
  }
  requirePrivate(file)
  return toSecret(readFileSync(file, 'utf8').trim(), file)
}

/** Refuses a file that other users may read, and anything but a small regular file: reading a pipe would never end. */
export function requirePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw unusable(file, 'the file does not exist')
  if (!stats.isFile()) throw unusable(file, 'it is not a regular file')
  if (stats.size > mostBytes) throw unusable(file, `the file is larger than ${mostBytes} bytes`)
  // Windows has no file modes.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw unusable(file, 'other users may read it; run chmod 600 on it')
}

function toSecret(text: string, where: string): SealingSecret {
  const digits = shape.exec(text)?.[1]
  if (!digits) throw unusable(where, 'expected 64 hexadecimal digits')
  // Registered as a secret, so that it is redacted from events.
  secret(digits)
  return { kind: 'operator', secret: new Uint8Array(Buffer.from(digits, 'hex')) }
}

function unusable(where: string, why: string): BardoError {
  return new BardoError('Cannot use this secret file or variable.', {
    code: 'CONFIG_INVALID',
    details: [where, why],
    docsPath: 'cli.md#keys',
  })
}
