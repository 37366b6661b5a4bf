/**
 * Runs anvil for exactly as long as this process's standard input stays open.
 *
 * The parent holds the other end of that pipe. However the parent ends (exit, crash or SIGKILL), the kernel
 * closes the pipe, and anvil is stopped. A signal handler in the parent could not guarantee that.
 */
import { spawn } from 'node:child_process'

const [binary = '', ...args] = process.argv.slice(2)
const anvil = spawn(binary, args, { stdio: ['ignore', 'inherit', 'inherit'] })

const patienceMs = 2_000

function stop() {
  anvil.kill('SIGTERM')
  setTimeout(() => anvil.kill('SIGKILL'), patienceMs).unref()
}
process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

anvil.on('error', (error) => {
  console.error(`anvil could not be started: ${error.message}`)
  process.exit(1)
})
anvil.on('exit', (code) => process.exit(code ?? 0))
