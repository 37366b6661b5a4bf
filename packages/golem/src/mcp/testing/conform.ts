import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { OfficialTool } from './officialTool.ts'
import type { Alias } from './openGate.ts'

/** What became of a scenario: it passed, it failed, or it asks for something that is not here, and what that is. */
export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly because: string }
  | { readonly is: 'notForUs'; readonly because: string }

/** The suite asks for tools, a prompt and a text by names of its own; these are ours that do the same. */
export const aliases: readonly Alias[] = [
  { theirs: 'test_simple_text', ours: 'wallet_get_status', input: {} },
  { theirs: 'test_error_handling', ours: 'commit_action', input: { permitId: 'none' } },
  {
    theirs: 'test_tool_with_progress',
    ours: 'wallet_configure_policy',
    input: { policyTemplate: 'defi-trading' },
  },
  { theirs: 'test_simple_prompt', ours: 'guidelines' },
  { theirs: 'test://static-text', ours: 'bardo://guidelines' },
]

const words = 'tools answer in words and data, never in'
const asks = 'the tools never ask the client for anything:'
const stream = 'every request is answered by itself: there is no stream to'
const guidelines = 'the one prompt is the guidelines:'

/** Scenarios about what this server does not offer, and says that it does not. */
const notForUs: Readonly<Record<string, string>> = {
  'logging-set-level': 'no log is sent to clients: what happens is told in events',
  'completion-complete': 'no argument can be completed',
  'tools-call-image': `${words} pictures`,
  'tools-call-audio': `${words} sounds`,
  'tools-call-embedded-resource': `${words} files`,
  'tools-call-mixed-content': `${words} pictures or files`,
  'tools-call-with-logging': 'no log is sent to clients: what happens is told in events',
  'tools-call-sampling': `${asks} a model’s words would decide about money`,
  'tools-call-elicitation': `${asks} what needs the owner goes to the owner`,
  'elicitation-sep1034-defaults': `${asks} what needs the owner goes to the owner`,
  'elicitation-sep1330-enums': `${asks} what needs the owner goes to the owner`,
  'json-schema-2020-12': 'it is about a tool whose schema has definitions; ours have none',
  'server-sse-polling': `${stream} resume`,
  'server-sse-multiple-streams': `${stream} keep open beside it`,
  'resources-read-binary': 'the one resource is a text',
  'resources-templates-read': 'the one resource has a fixed address',
  'resources-subscribe': 'the one resource changes when the list of tools does, which is told',
  'resources-unsubscribe': 'the one resource changes when the list of tools does, which is told',
  'prompts-get-with-args': `${guidelines} it takes no arguments`,
  'prompts-get-embedded-resource': `${guidelines} it holds no file`,
  'prompts-get-with-image': `${guidelines} it holds no picture`,
}

const checks = z.array(z.object({ status: z.string(), errorMessage: z.string().optional() }))

/** Runs the official scenarios against a server, all of them, and says what became of each. */
export async function conform(
  suite: OfficialTool,
  url: string,
  home: string,
): Promise<ReadonlyMap<string, Verdict>> {
  const list = (await suite.run(['list', '--server'])).out
  const names = [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name)
  const folder = await mkdtemp(join(home, 'conformance-'))
  await suite.run(['server', '--url', url, '--suite', 'all', '-o', folder])
  const results = await readdir(folder)
  const verdicts = names.map(async (name): Promise<[string, Verdict]> => {
    const because = notForUs[name]
    if (because !== undefined) return [name, { is: 'notForUs', because }]
    const result = results.find((entry) => new RegExp(`^server-${name}-\\d{4}-`).test(entry))
    if (result === undefined) return [name, { is: 'failed', because: 'it left no result' }]
    const made = checks.parse(JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8')))
    const wrong = made.filter(({ status }) => status !== 'SUCCESS')
    if (made.length > 0 && wrong.length === 0) return [name, { is: 'passed' }]
    const reasons = wrong.map(({ status, errorMessage = status }) => errorMessage)
    return [name, { is: 'failed', because: reasons.join('; ') || 'it checked nothing' }]
  })
  return new Map(await Promise.all(verdicts))
}
