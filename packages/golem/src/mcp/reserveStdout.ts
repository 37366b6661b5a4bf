import { Writable } from 'node:stream'

/**
 * Takes standard output for a protocol: whatever else writes to it, by `console.log` or in a library, goes to standard
 * error from now on. A process that does this does it once, and for good.
 */
export function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => void write(chunk, done),
  })
}
