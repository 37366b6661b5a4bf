import { bardo } from './bardo.ts'

/** The shell's custom: 128 and the number of SIGINT. */
const interrupted = 130
/** npm sends each Ctrl-C a second time: that one is no second. */
const echoMilliseconds = 500

/** Runs `bardo` as this process. */
export async function main(words: readonly string[]): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // Whoever reads may have seen enough: `bardo audit export | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const stopping = new AbortController()
  const onInterrupt = (how: 'asks' | 'ends') =>
    hearSignals(how === 'asks' ? () => stopping.abort() : () => process.exit(interrupted))
  process.exitCode = await bardo(words, { stdin, stdout, stderr, env, onInterrupt, signal: stopping.signal })
  // All is put away; what is still waiting for an answer waits for nobody.
  if (stopping.signal.aborted) process.exit()
}

/** The first signal asks, a later one ends at once. */
function hearSignals(stop: () => void): void {
  let askedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (askedAt === undefined) {
        askedAt = performance.now()
        stop()
      } else if (performance.now() - askedAt > echoMilliseconds) process.exit(interrupted)
    })
}
