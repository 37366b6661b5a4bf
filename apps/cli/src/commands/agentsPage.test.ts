import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isEvent, startUp, type Up } from '../testing/startUp.ts'

const page = join(import.meta.dirname, '../../../../docs/agents.md')
const callSchema = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  answer: z.record(z.string(), z.unknown()).optional(),
})
type DocumentedCall = z.output<typeof callSchema>

/** The calls of the page's conversation, in order. */
function documentedCalls(): readonly DocumentedCall[] {
  const [, section = ''] = readFileSync(page, 'utf8').split('## A first conversation')
  const [conversation = ''] = section.split('\n## ')
  const blocks = [...conversation.matchAll(/```json\n(.*?)```/gs)]
  return blocks.map(([, json = '']) => callSchema.parse(JSON.parse(json)))
}

type Result = Readonly<Record<string, unknown>>

describe('docs/agents.md', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-agents-'))
  const answers = new Map<string, Result>()
  let up: Up
  let url: string
  let agent: ReturnType<typeof serve>

  beforeAll(async () => {
    await copyEmptyPglite(home)
    up = startUp(home)
    url = `${(await up.until(({ type }) => type === 'ready'))['url']}`
    await up.until(isEvent('action.landed'))
    agent = serve()
    await agent.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
  }, 180_000)
  afterAll(async () => {
    await agent?.end()
    up.signal('SIGKILL')
    await up.ended
    rmSync(home, { recursive: true, force: true })
  })

  it('holds a conversation that works with the Golem of bardo up, over stdio', async () => {
    const calls = documentedCalls()
    expect(calls.map(({ tool }) => tool)).toEqual([
      'wallet_get_status',
      'get_delegation_tree',
      'preview_action',
      'commit_action',
      'preview_action',
      'explain_action',
      'metamask_request_runway',
    ])
    let pauses = 0
    for (let at = 0; at < calls.length; ) {
      const call = calls[at]
      if (!call) break
      const result = await use(call)
      // As the page says: wait until then and send it again. For an expired permit, start again with the preview.
      if (result['code'] === 'TOO_SOON' && call.answer === undefined) {
        expect(result).toMatchObject({ retryable: true, outcome: 'not-sent' })
        pauses += 1
        expect(pauses).toBeLessThan(5)
        await passTo(`${result['retryAfter']}`)
        at = calls.findIndex(({ tool }) => tool === 'preview_action')
        continue
      }
      expect(result).toMatchObject(call.answer ?? {})
      if (call.answer === undefined) expect(result['code']).toBeUndefined()
      at += 1
    }
    expect(answers.get('commit_action')).toMatchObject({ transaction: expect.stringMatching(/^0x/) })
    // The Golem had just bought, so the test met the interval.
    expect(pauses).toBeGreaterThan(0)
  })

  async function use({ tool, arguments: given }: DocumentedCall): Promise<Result> {
    const { isError, content, structuredContent } = await agent.ask('tools/call', {
      name: tool,
      arguments: filled(given),
    })
    if (isError) return JSON.parse(content[1]?.text ?? '{}')
    answers.set(tool, structuredContent ?? {})
    return structuredContent ?? {}
  }

  /** Fills the fields of earlier answers into the arguments. */
  function filled(given: Result): unknown {
    return JSON.parse(JSON.stringify(given), (_, value) => {
      const [, field = '', tool = ''] = /^<(\w+) of (\w+)>$/.exec(`${value}`) ?? []
      return tool === '' ? value : answers.get(tool)?.[field]
    })
  }

  /** Moves the chain's clock to a moment. */
  async function passTo(moment: string): Promise<void> {
    const timestamp = Date.parse(moment) / 1_000
    for (const [method, params] of [
      ['evm_setNextBlockTimestamp', [timestamp]],
      ['evm_mine', []],
    ])
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
  }

  const resultSchema = z.looseObject({
    isError: z.boolean().optional(),
    content: z.array(z.looseObject({ text: z.string().optional() })).default([]),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
  })

  /** `bardo mcp` as a client starts it, and a client. */
  function serve() {
    const binary = join(import.meta.dirname, '../../bin/bardo.js')
    const child = spawn(process.execPath, [binary, 'mcp', 'Alpha DCA', '--home', home])
    const waiting = new Map<number, (line: unknown) => void>()
    let [rest, last] = ['', 0]
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map((text) => JSON.parse(text))) waiting.get(line.id)?.(line.result)
    })
    const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
    return {
      async ask(method: string, params: object) {
        last += 1
        const id = last
        const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve))
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
        return resultSchema.parse(await answered)
      },
      async end() {
        child.stdin.end()
        await closed
      },
    }
  }
})
