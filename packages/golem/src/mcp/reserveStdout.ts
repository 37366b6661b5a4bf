import { Writable } from 'node:stream'

/**
 * Takes standard output for a protocol: whatever else writes to it, by `console.log` or in a library, goes to standard
 * error from now on. A process that does this does it once, and for good.
 */
export function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => void write(chunk, done),
  })
  // Nobody reads it any more: whoever holds the protocol's end is told, and the process goes on.
  stdout.on('error', (error) => output.destroy(error))
  return output
}
