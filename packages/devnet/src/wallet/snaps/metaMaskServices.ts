import { createServer, type IncomingMessage } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { listen, type Server } from './listen.ts'

/** Test doubles of the services that the permission Snap calls, and the calls that they received. */
export type MetaMaskServices = Server & {
  /** `METHOD host/path`, in order. */
  readonly calls: readonly string[]
}

const hour = 3_600

/**
 * Starts a server that answers for MetaMask's services: sign-in, user storage (where the Snap stores its
 * grants), and prices (everything costs one dollar). The host is the first part of the path, as
 * `divertFetch.ts` writes it.
 */
export async function startMetaMaskServices(): Promise<MetaMaskServices> {
  const calls: string[] = []
  const server = await listen(
    createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      calls.push(`${request.method} ${url.pathname.slice(1)}`)
      const answer = await answerOf(url, request)
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(answer ?? { message: 'This service does not exist here.', error: 'not found' }),
      )
    }),
  )
  return { ...server, calls }
}

async function answerOf({ pathname, searchParams }: URL, request: IncomingMessage): Promise<unknown> {
  const [service, ...path] = pathname.slice(1).split('/')
  const route = `${service?.split('.')[0]} ${request.method} /${path.join('/')}`
  switch (route) {
    case 'authentication GET /api/v2/nonce':
      return { nonce: 'nonce-of-the-test', identifier: searchParams.get('identifier'), expires_in: hour }
    case 'authentication POST /api/v2/srp/login': {
      await json(request)
      const profile = { identifier_id: 'identifier', metametrics_id: 'metrics', profile_id: 'profile' }
      return { token: tokenFor('login'), expires_in: hour, profile }
    }
    case 'oidc POST /oauth2/token':
      await text(request)
      return { access_token: tokenFor('access'), expires_in: hour }
    case 'user-storage PUT /api/v1/userstorage/gator_7715_permissions':
      await json(request)
      return {}
    case 'price GET /v3/spot-prices':
      return { [searchParams.get('assetIds') ?? '']: { [searchParams.get('vsCurrency') ?? '']: 1 } }
    default:
      return undefined
  }
}

/** A token in the form of a JWT. The Snap does not check its signature. */
function tokenFor(subject: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + hour
  return `${part({ alg: 'none' })}.${part({ sub: subject, exp })}.${part({})}`
}
