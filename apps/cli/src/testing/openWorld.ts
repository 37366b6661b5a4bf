import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorldDescription } from '@bardo/devnet'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { type Ran, runBardo } from './runBardo.ts'
import { startUp, type Up } from './startUp.ts'

/** A data folder with a running local chain, and functions to run `bardo` on it. */
export type TestWorld = AsyncDisposable & {
  readonly home: string
  readonly up: Up
  readonly description: WorldDescription
  /** Writes a file into the folder and returns its path. */
  write(name: string, text: string, mode?: number): string
  bardo(...words: readonly string[]): Promise<Ran>
  /** The same with `--json`: the parsed output and the exit code. */
  json(...words: readonly string[]): Promise<ReturnType<typeof JSON.parse>>
}

/** Starts a local chain without Golems. */
export async function openWorld(): Promise<TestWorld> {
  const home = mkdtempSync(join(tmpdir(), 'bardo-cli-'))
  await copyEmptyPglite(home)
  const up = startUp(home, '--empty')
  await up.until(({ type }) => type === 'ready')
  const bardo = (...words: readonly string[]) => runBardo([...words, '--home', home])
  return {
    home,
    up,
    description: JSON.parse(readFileSync(join(home, 'devnet.json'), 'utf8')),
    bardo,
    write(name, text, mode = 0o600) {
      const file = join(home, name)
      writeFileSync(file, text, { mode })
      return file
    },
    async json(...words) {
      const { exit, stdout } = await bardo(...words, '--json')
      return { exit, ...JSON.parse(stdout) }
    },
    async [Symbol.asyncDispose]() {
      up.signal('SIGKILL')
      await up.ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
