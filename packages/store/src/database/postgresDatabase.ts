import type { Clock } from '@bardo/core'
import pg from 'pg'
import type { Database, Query, Row } from './database.ts'
import { asStoreErrors, toStoreError } from './storeError.ts'

const connectionTimeoutMillis = 10_000
/** A server that vanished without closing its connections would block a query for hours. */
export const queryTimeoutMs = 60_000
const firstPauseMs = 100
const longestPauseMs = 10_000

/** A PostgreSQL server, with a connection pool. */
export function openPostgres(connectionString: string, clock: Clock): Database {
  const settings = {
    connectionString,
    connectionTimeoutMillis,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'bardo',
  }
  const pool = new pg.Pool(settings)
  // The next query replaces an idle connection that was lost. Without this handler the loss would end the
  // process.
  pool.on('error', () => {})

  return {
    query: queryOn(pool),

    async transaction(work) {
      const client = await asStoreErrors(() => pool.connect())
      // The pool does not listen while a connection is checked out: the running query reports the error.
      const ignore = () => {}
      client.on('error', ignore)
      // A connection in an unknown state is not returned to the pool.
      let broken: Error | undefined
      try {
        await client.query('BEGIN')
        const result = await work({
          query: queryOn(client),
          script: async (text) => {
            await client.query(text)
          },
        })
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure
        })
        throw toStoreError(error)
      } finally {
        client.off('error', ignore)
        client.release(broken)
      }
    },

    listen: (channel, wake) => listen(settings, channel, wake, clock),
    close: () => pool.end(),
  }
}

function queryOn(runner: Pick<pg.Pool | pg.PoolClient, 'query'>): Query {
  return (text, values = []) => asStoreErrors(async () => (await runner.query<Row>(text, [...values])).rows)
}

/** A separate connection that reconnects when it is lost; a notification may have been missed each time. */
async function listen(settings: pg.ClientConfig, channel: string, wake: () => void, clock: Clock) {
  let current: pg.Client | undefined
  let ended = false

  async function connect(): Promise<void> {
    const client = new pg.Client(settings)
    client.on('error', () => {})
    client.on('notification', wake)
    try {
      await client.connect()
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (ended) return client.end()
    current = client
    client.once('end', () => {
      if (!ended) void reconnect()
    })
    wake()
  }

  async function reconnect(): Promise<void> {
    for (let pause = firstPauseMs; !ended; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return await connect()
      } catch {
        await clock.sleep(pause)
      }
    }
  }

  await asStoreErrors(connect)
  return async () => {
    ended = true
    await current?.end()
  }
}
