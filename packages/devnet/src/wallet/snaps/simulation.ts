import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { listen, type Server } from './listen.ts'

/** What a Snap shows, and what its user can do. */
export type Screen = {
  readonly id: string
  readonly content: unknown
  clickElement(name: string): Promise<void>
  typeInField(name: string, value: string): Promise<void>
  selectInDropdown(name: string, value: string): Promise<void>
}

/** A JSON-RPC request that a Snap sends or receives. */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

type SnapResponse = {
  readonly response: {
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }
}

/** A pending request: its result, and its interface until then. */
export type SnapRequest = Promise<SnapResponse> & { getInterface(): Promise<Screen> }

const interfaceChanged = 'SnapInterfaceController:stateChange'

/** A Snap in MetaMask's simulation: the part that is used here. */
export type InstalledSnap = {
  readonly snapId: string
  request(request: RpcRequest & { readonly origin: string }): SnapRequest
  /** Answers the Snap's requests to the wallet; undefined leaves them to the simulation. */
  mockJsonRpc(answer: (call: RpcRequest) => unknown): unknown
  readonly executionService: { terminateAllSnaps(): Promise<void> }
  readonly controllerMessenger: {
    subscribe(event: typeof interfaceChanged, handle: () => void): void
    unsubscribe(event: typeof interfaceChanged, handle: () => void): void
  }
}

const require = createRequire(join(import.meta.dirname, '../../../../../on-demand/snaps/package.json'))
const simulation: { installSnap(id: string): Promise<InstalledSnap> } = require('@metamask/snaps-simulation')

/** Installs a Snap of `on-demand/snaps` in MetaMask's simulation, in its own thread. */
export async function installSnap(name: string): Promise<InstalledSnap> {
  const server = await serveSnap(dirname(require.resolve(`${name}/snap.manifest.json`)))
  try {
    return await simulation.installSnap(`local:${server.url}`)
  } finally {
    await server.close()
  }
}

/** The first screen that `matches` accepts. A Snap shows an empty frame first and fills it in later. */
export async function waitForScreen(
  snap: InstalledSnap,
  request: SnapRequest,
  matches: (screen: Screen) => boolean,
): Promise<Screen> {
  const { controllerMessenger: messenger } = snap
  for (;;) {
    // Subscribe first, then read, so that no change in between is missed.
    const changed = Promise.withResolvers<void>()
    messenger.subscribe(interfaceChanged, changed.resolve)
    const screen = await request.getInterface()
    if (!matches(screen)) await changed.promise
    messenger.unsubscribe(interfaceChanged, changed.resolve)
    if (matches(screen)) return screen
  }
}

/** Serves the files of an installed Snap from its package, on the loopback interface. */
function serveSnap(folder: string): Promise<Server> {
  return listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
      const file = join(folder, normalize(pathname))
      if (file.startsWith(folder) && existsSync(file) && statSync(file).isFile())
        response.writeHead(200).end(readFileSync(file))
      else response.writeHead(404).end()
    }),
  )
}
