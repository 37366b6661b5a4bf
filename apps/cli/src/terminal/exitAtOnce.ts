/**
 * Ends this process with an exit code, also while its threads compile code. Cleanup that is registered for the exit runs
 * first.
 *
 * `process.exit` waits for these threads, and they may wait for this one, forever (nodejs/node#54918): it happened while
 * PGlite's WebAssembly was being compiled. Replacing the program ends all threads at once.
 */
export function exitAtOnce(code: number): void {
  process.exitCode = code
  process.emit('exit', code)
  if (process.stdin.isRaw) process.stdin.setRawMode(false)
  process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {})
  process.exit()
}
