#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to run it: it starts the Node that `npm install` brought.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const repository = new URL('../../../', import.meta.url)

if (major > 22 || (major === 22 && minor >= 18)) {
  module.enableCompileCache?.(fileURLToPath(new URL('node_modules/.cache/bardo/code', repository)))
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  const newer = fileURLToPath(new URL('node_modules/node/bin/node', repository))
  if (existsSync(newer)) {
    const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
    const child = spawn(newer, words, { stdio: 'inherit' })
    // Ctrl-C reaches both processes; the child ignores the copy that arrives within half a second. Other signals reach
    // only this process and have to be forwarded.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('close', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
    })
  } else {
    console.error(
      `bardo needs Node 22.18 or newer; this is Node ${process.versions.node}. Run npm install in the repository first.`,
    )
    process.exitCode = 1
  }
}
