import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callMcp } from '../testing/callMcp.ts'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { runBardo } from '../testing/runBardo.ts'
import { type RunningBardo, startBardo } from '../testing/startBardo.ts'

const strategy = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'
const ownToken = 'a-token-of-ones-own-with-40-characters-!'

describe('bardo mcp --http', { timeout: 60_000 }, () => {
  let here: TestWorld
  const started: RunningBardo[] = []

  beforeAll(async () => {
    here = await openWorld()
    const file = here.write('STRATEGY.md', strategy)
    await here.json('summon', file, '--name', 'beta', '--yes')
  })
  afterAll(async () => {
    for (const one of started) one.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await here?.[Symbol.asyncDispose]()
  })

  async function serve(env: NodeJS.ProcessEnv = {}) {
    const served = startBardo(['mcp', 'beta', '--http', '0', '--home', here.home], env)
    started.push(served)
    const { url, token } = await served.until((line) => 'url' in line)
    return { served, url: `${url}`, token: `${token}` }
  }

  const call = (url: string, token?: string) =>
    callMcp({ url, ...(token !== undefined && { token }) }, 'wallet_get_status')

  /** Resolves when the port is closed. */
  async function untilGone(url: string): Promise<void> {
    for (;;) {
      const answer = await call(url).catch(() => undefined)
      if (!answer) return
      await answer.body?.cancel()
    }
  }

  it('serves clients with the token, refuses others, and ends on Ctrl-C', async () => {
    const { served, url, token } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect((await call(url)).status).toBe(401)
    expect((await call(url, `${token}x`)).status).toBe(401)
    const answer = await call(url, token)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('beta')
    served.signal('SIGINT')
    expect(await served.ended).toEqual({ exit: 0, stderr: '' })
    await untilGone(url)
  })

  it('uses the token of BARDO_MCP_TOKEN, and leaves no server when it is killed', async () => {
    const { served, url, token } = await serve({ BARDO_MCP_TOKEN: ownToken })
    expect(token).toBe(ownToken)
    expect((await call(url, ownToken)).status).toBe(200)
    served.signal('SIGKILL')
    await served.ended
    // The process that holds the folder served it, and keeps running.
    await untilGone(url)
    expect(await here.json('status', 'beta')).toMatchObject({ exit: 0, status: 'alive' })
  })

  it.each([['x'.repeat(31)], [`${'x'.repeat(40)}\nInjected: y`], [`${'x'.repeat(40)} ${'x'.repeat(40)}`]])(
    'refuses an invalid token: %j',
    async (token) => {
      const words = ['mcp', 'beta', '--http', '0', '--home', here.home]
      const ran = await runBardo(words, { BARDO_MCP_TOKEN: token })
      expect(ran).toMatchObject({ exit: 64, stdout: '' })
      expect(ran.stderr).toContain('The token is invalid.')
      expect(ran.stderr).not.toContain('xxx')
    },
  )

  it('reports a taken port', async () => {
    const { port } = new URL(here.description.url)
    const ran = await here.bardo('mcp', 'beta', '--http', port)
    expect(ran).toMatchObject({ exit: 69, stdout: '' })
    expect(ran.stderr).toContain(`Port ${port} is taken.`)
  })

  it('ends when the process that holds the folder ends', async () => {
    const { served, url } = await serve()
    here.up.signal('SIGINT')
    await here.up.ended
    await served.ended
    await untilGone(url)
  })
})
