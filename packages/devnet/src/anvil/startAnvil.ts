import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { extname, join } from 'node:path'
import { BardoError } from '@bardo/core'
import { findAnvil } from './findAnvil.ts'

/** A running anvil. */
export type Anvil = {
  readonly url: string
  /** Stops anvil and resolves when its port is free again. Calling it twice is fine. */
  stop(): Promise<void>
  /** Resolves with anvil's last output when anvil has ended, for any reason. */
  readonly ended: Promise<string>
}

export type AnvilOptions = {
  /** 0 takes a free port. */
  readonly port: number
  /** Unix time of the first block, in seconds. Default: now. */
  readonly timestamp?: number
  /** Default: 31337. */
  readonly chainId?: number
}

const host = '127.0.0.1'
const maxLogLines = 20
/**
 * The states of this many past blocks stay in memory, for reads of past blocks. Without a limit anvil writes
 * older states to the disk, 1.6 MB for every block, and leaves the files behind.
 */
const pastStates = 500

/**
 * Starts an empty chain: anvil, under a supervisor that stops it together with this process. Resolves once it
 * answers.
 */
export async function startAnvil({ port, timestamp, chainId }: AnvilOptions): Promise<Anvil> {
  const binary = findAnvil()
  // A saved devnet is larger than the two megabytes that anvil accepts in one request by default.
  const args = [
    '--host',
    host,
    '--port',
    `${port}`,
    ...(timestamp === undefined ? [] : ['--timestamp', `${timestamp}`]),
    ...(chainId === undefined ? [] : ['--chain-id', `${chainId}`]),
    '--hardfork',
    'osaka',
    '--no-request-size-limit',
    '--prune-history',
    `${pastStates}`,
  ]
  // Detached: Ctrl-C reaches only this process, which then stops anvil in order.
  const script = join(import.meta.dirname, `supervisor${extname(import.meta.url)}`)
  const supervisor = spawn(process.execPath, [script, binary, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })

  const lines: string[] = []
  const ended = new Promise<string>((resolve) => {
    supervisor.on('error', (error) => resolve(error.message))
    supervisor.on('exit', () => resolve(lines.join('\n')))
  })
  const listening = new Promise<string>((resolve) => {
    readLines(supervisor, (line) => {
      lines.push(line)
      if (lines.length > maxLogLines) lines.shift()
      const address = line.match(/^Listening on (\S+)$/)?.[1]
      if (address) resolve(address)
    })
  })

  const stop = async () => {
    supervisor.stdin.end()
    await ended
  }

  const address = await Promise.race([listening, ended.then(() => undefined)])
  if (address === undefined) throw await explainFailure(port, lines)
  return { url: `http://${address}`, stop, ended }
}

function readLines(child: ChildProcessWithoutNullStreams, onLine: (line: string) => void) {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(onLine)
    })
  }
}

async function explainFailure(port: number, lines: readonly string[]): Promise<BardoError> {
  const output = lines.filter((line) => line.trim() !== '').slice(-5)
  if (!/address (already )?in use|AddrInUse/i.test(output.join('\n')))
    return new BardoError('anvil stopped before it was ready.', { code: 'ANVIL_FAILED', details: output })

  const occupant = await clientVersionAt(port)
  return new BardoError(`Port ${port} is taken.`, {
    code: 'PORT_TAKEN',
    details: [
      occupant ? `${occupant} answers there.` : 'The process that listens there does not answer JSON-RPC.',
    ],
    remedy: 'Stop that process, or choose another port with --port (0 takes a free port).',
    docsPath: 'devnet.md#when-it-does-not-start',
  })
}

/** The client version of the node at a port, if there is one: usually a forgotten anvil. */
async function clientVersionAt(port: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${host}:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}',
      signal: AbortSignal.timeout(500),
    })
    const { result } = (await response.json()) as { result?: unknown }
    return typeof result === 'string' ? result.slice(0, 80) : undefined
  } catch {
    // The process there is not a node; the caller reports it.
    return undefined
  }
}
