#!/usr/bin/env node
// Lets forge use the compiler that npm installed: the command line of a native solc in front of solc-js.
const { readFileSync } = require('node:fs')
const { resolve } = require('node:path')
const solc = require('solc')

const [, , ...args] = process.argv
if (args.includes('--version')) {
  // forge reads the version from this line and expects a native build's suffix.
  console.log(`solc, the solidity compiler\nVersion: ${solc.version().replace(/Emscripten.*/, 'Linux.g++')}`)
} else if (args.includes('--standard-json')) {
  // forge sends Bardo's own sources, and expects library sources to be read from disk.
  const base = args[args.indexOf('--base-path') + 1] ?? '.'
  const output = solc.compile(readFileSync(0, 'utf8'), {
    import: (path) => ({ contents: readFileSync(resolve(base, path), 'utf8') }),
  })
  process.stdout.write(output, () => process.exit(0))
} else {
  console.error(`solc.cjs supports --version and --standard-json only; got: ${args.join(' ')}`)
  process.exit(64)
}
