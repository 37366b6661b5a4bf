import { bardo } from '../bardo.ts'

/** What a call of `bardo` said, and what it ended with. */
export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** Calls `bardo` in this process, as a script would: nobody is at the keyboard. */
export async function runBardo(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const said = { stdout: '', stderr: '' }
  const exit = await bardo(words, {
    stdin: {},
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    env,
    signal: new AbortController().signal,
  })
  return { exit, ...said }
}
