import { Writable } from 'node:stream'

/**
 * Reserves standard output for a protocol: all other writes to it, by `console.log` or a library, go to
 * standard error
 * from now on. Call it once per process; it cannot be undone.
 */
export function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => void write(chunk, done),
  })
  // Standard output has no reader any more: destroy the protocol's stream and keep the process running.
  stdout.on('error', (error) => output.destroy(error))
  return output
}
