import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { BardoError } from '@bardo/core'
import type { Devnet } from './startDevnet.ts'

const usage = `Usage: npm run devnet -- [options]

Starts a complete local chain with all contracts and keeps it running until Ctrl-C.

  --port N    JSON-RPC port; 0 takes a free port (default 8545)
  --json      print the addresses as JSON instead of a table
  --out FILE  where to write that JSON while the devnet runs
              (default $BARDO_HOME/devnet.json, BARDO_HOME defaults to ~/.bardo)
  --fresh     build again instead of restoring the saved devnet
  --exit      stop as soon as the devnet is ready
  --help      print this text`

/** Runs `npm run devnet`. Resolves when the devnet has ended. */
export async function command(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const options = parse(args, env)
  if (options.help) return console.log(usage)

  const started = performance.now()
  // Loaded late: `--help` and an unknown option need no chain library.
  const { startDevnet } = await import('./startDevnet.ts')
  const stopping = stopSignal()
  await using world = await startDevnet({ port: options.port, fresh: options.fresh })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const json = `${JSON.stringify(world.description, null, 2)}\n`
  using _file = announce(options.out, json)

  if (options.json) process.stdout.write(json)
  else console.log(await report(world, seconds, options.out))
  if (options.exit) return

  const reason = await Promise.race([stopping, world.ended.then((output) => ({ output }))])
  if (typeof reason === 'object')
    throw new BardoError('anvil ended unexpectedly.', {
      code: 'ANVIL_FAILED',
      details: reason.output.split('\n'),
    })
  if (!options.json) console.log(`\n${reason}: stopping.`)
}

function parse(args: readonly string[], env: NodeJS.ProcessEnv) {
  const home = env['BARDO_HOME'] || join(homedir(), '.bardo')
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8545' },
        out: { type: 'string', default: join(home, 'devnet.json') },
        json: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        exit: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!/^\d+$/.test(values.port) || port > 65_535) throw new RangeError(`'${values.port}' is not a port.`)
    return { ...values, port }
  } catch (cause) {
    throw new BardoError(cause instanceof Error ? cause.message : `${cause}`, {
      code: 'INVALID_INPUT',
      remedy: usage,
      cause,
    })
  }
}

async function report(world: Devnet, seconds: string, out: string): Promise<string> {
  const { addressTable } = await import('./addressTable.ts')
  const prices = { 'WETH/USDC': await world.price('WETH/USDC'), 'WBTC/WETH': await world.price('WBTC/WETH') }
  return [
    addressTable(world.description, prices),
    '',
    `Mnemonic   ${world.mnemonic}`,
    `As JSON    ${out}`,
    '',
    `Bardo devnet at ${world.url}, chain ${world.chainId}, ${world.restored ? 'restored' : 'built'} in ${seconds} s. Ctrl-C stops it.`,
  ].join('\n')
}

/**
 * Writes the description for other processes and removes it at the end: if the file exists, the devnet runs.
 */
function announce(file: string, json: string): Disposable {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, json)
  return {
    [Symbol.dispose]() {
      // Another devnet may have been started since with the same file; then the file is not ours to remove.
      try {
        if (readFileSync(file, 'utf8') === json) rmSync(file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    },
  }
}

/** Resolves on a stop signal, or when the parent process ends. */
function stopSignal(): Promise<string> {
  const parent = process.ppid
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    // A parent that crashes sends no signal, but its children get another parent.
    setInterval(() => process.ppid !== parent && resolve('The parent process has ended'), 200).unref()
  })
}
