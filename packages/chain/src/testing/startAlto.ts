import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** A running bundler. */
export type Alto = {
  readonly url: string
  /** Stops it. Calling it twice is fine. */
  stop(): Promise<void>
}

const alto = join(
  import.meta.dirname,
  '../../../../on-demand/bundler/node_modules/@pimlico/alto/esm/cli/alto.js',
)
/** Stops its child together with this process, however this process ends. */
const supervisor = join(import.meta.dirname, '../../../devnet/src/anvil/supervisor.ts')
const patienceMs = 30_000
const maxLogLines = 20

/** Starts Pimlico's bundler for a local chain on a free port. Its safe mode does not work with anvil. */
export async function startAlto({
  rpcUrl,
  entryPoint,
  executorKey,
  utilityKey,
}: {
  readonly rpcUrl: string
  readonly entryPoint: string
  readonly executorKey: string
  readonly utilityKey: string
}): Promise<Alto> {
  const port = await freePort()
  const flags = {
    entrypoints: entryPoint,
    'executor-private-keys': executorKey,
    'utility-private-key': utilityKey,
    'rpc-url': rpcUrl,
    port,
    'safe-mode': false,
    'min-executor-balance': 0,
    'min-bundle-interval': 10,
    'max-bundle-interval': 100,
    'block-time': 500,
    'log-level': 'error',
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const child = spawn(process.execPath, [supervisor, process.execPath, alto, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n'))
      lines.splice(0, lines.length - maxLogLines)
    })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => {
      hasEnded = true
      resolve()
    })
  })
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  const url = `http://127.0.0.1:${port}/rpc`
  const deadline = Date.now() + patienceMs
  while (!(await answers(url))) {
    if (!hasEnded && Date.now() < deadline) continue
    await stop()
    throw new Error(`The bundler does not answer.\n${lines.join('\n')}`)
  }
  return { url, stop }
}

/** Whether a bundler answers at this URL; waits a moment if not. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_supportedEntryPoints","params":[]}',
      signal: AbortSignal.timeout(2_000),
    })
    return response.ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return false
  }
}

/** A free port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
