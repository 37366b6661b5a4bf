import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { BardoError } from '@bardo/core'

/** A server on the loopback interface. */
export type Server = { readonly url: string; close(): Promise<void> }

/** Starts a server on any free port of the loopback interface. */
export async function listen(server: HttpServer): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new BardoError('The server has no port.', { code: 'INTERNAL' })
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
