import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { listen, type Server } from './listen.ts'

/** Serves the files of an installed Snap from its package, on the loopback interface. */
export function serveSnap(folder: string): Promise<Server> {
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
