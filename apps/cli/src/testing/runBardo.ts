import { bardo } from '../bardo.ts'

/** The output and the exit code of a `bardo` command. */
export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** Runs `bardo` in this process, without a terminal. */
export async function runBardo(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const output = { stdout: '', stderr: '' }
  const exit = await bardo(words, {
    stdin: {},
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    env,
    signal: new AbortController().signal,
  })
  return { exit, ...output }
}
