import { bardo } from './bardo.ts'
import { exitAtOnce } from './terminal/exitAtOnce.ts'

/** The exit code after SIGINT, by shell convention: 128 plus the signal's number. */
const interrupted = 130
/** npm forwards each Ctrl-C a second time. A signal within this time is such a copy. */
const echoMilliseconds = 500
/** A command that has not stopped after this time is terminated. Its open transactions are in the journal. */
const longestStopMs = 9_000

/** Runs `bardo` as this process. */
export async function main(words: readonly string[]): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // The reader may close the pipe early: `bardo audit export | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const stopping = new AbortController()
  const onInterrupt = (how: 'asks' | 'ends') =>
    handleSignals(how === 'asks' ? askToStop : () => exitAtOnce(interrupted))
  const askToStop = () => {
    stopping.abort()
    setTimeout(() => {
      stderr.write('Shutdown took too long and was cut off. The next start continues.\n')
      exitAtOnce(interrupted)
    }, longestStopMs).unref()
  }
  process.exitCode = await bardo(words, { stdin, stdout, stderr, env, onInterrupt, signal: stopping.signal })
  // Everything is closed. Do not wait for requests that are still pending.
  if (stopping.signal.aborted) exitAtOnce(process.exitCode)
}

/** The first signal stops the command in order; a later one ends the process at once. */
function handleSignals(stop: () => void): void {
  let askedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (askedAt === undefined) {
        askedAt = performance.now()
        stop()
      } else if (performance.now() - askedAt > echoMilliseconds) exitAtOnce(interrupted)
    })
}
