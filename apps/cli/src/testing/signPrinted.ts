import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { WorldAsBase } from './worldAsBase.ts'

/** Signs a printed operation in a process that gets nothing but the file and the key. Returns the signed file. */
export async function signPrinted(world: WorldAsBase, home: string, prepared: object): Promise<string> {
  const [file, signed] = [join(home, 'operation.json'), join(home, 'signed.json')]
  writeFileSync(file, JSON.stringify(prepared))
  const nonce = await world.client.getTransactionCount({ address: world.owner })
  const script = fileURLToPath(import.meta.resolve('@bardo/operations/testing/signElsewhere'))
  const key = readFileSync(world.keyFile, 'utf8')
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, key, `${nonce}`])
  writeFileSync(signed, stdout)
  return signed
}
