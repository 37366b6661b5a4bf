import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError, type SealingSecret } from '@bardo/core'
import { makeHome } from './makeHome.ts'
import type { Settings } from './settings.ts'

/** A secret is much shorter. */
const mostBytes = 4_096
const shape = /^(?:0x)?([0-9a-f]{64})$/i

/**
 * What session keys are sealed under: `BARDO_KEY_SECRET`, or a file of the data folder that is made at first use and that
 * nobody else may read.
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
      throw unusable(file, 'it cannot be made')
  }
  requirePrivate(file)
  return toSecret(readFileSync(file, 'utf8').trim(), file)
}

/** Refuses what others than its owner may read, and what is no file with a secret: reading a pipe would never end. */
export function requirePrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw unusable(file, 'there is no such file')
  if (!found.isFile()) throw unusable(file, 'it is no file')
  if (found.size > mostBytes) throw unusable(file, 'it is too large')
  // Windows has no such modes.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw unusable(file, 'others may read it: chmod 600 it')
}

function toSecret(text: string, where: string): SealingSecret {
  const digits = shape.exec(text)?.[1]
  if (!digits) throw unusable(where, '64 hexadecimal digits are needed')
  return { kind: 'operator', secret: new Uint8Array(Buffer.from(digits, 'hex')) }
}

function unusable(where: string, why: string): BardoError {
  return new BardoError('A secret cannot be used.', {
    code: 'CONFIG_INVALID',
    details: [where, why],
    docsPath: 'cli.md#keys',
  })
}
