import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { OfficialTool } from './officialTool.ts'
import type { Alias } from './openGate.ts'

/** The result of a scenario: passed, failed, or not applicable, with the reason. */
export type Verdict =
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly because: string }
  | { readonly type: 'notForUs'; readonly because: string }

/** The suite uses its own names for tools, a prompt and a text; these are our equivalents. */
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

const contentTypes = 'tools answer with text and data, never with'
const clientRequests = 'the tools never send requests to the client:'
const stream = 'requests are stateless: there is no stream to'
const guidelines = 'the one prompt is the guidelines:'

/** Scenarios for features that this server does not offer. */
const notForUs: Readonly<Record<string, string>> = {
  'logging-set-level': 'no log is sent to clients; events record what happens',
  'completion-complete': 'no argument can be completed',
  'tools-call-image': `${contentTypes} images`,
  'tools-call-audio': `${contentTypes} audio`,
  'tools-call-embedded-resource': `${contentTypes} files`,
  'tools-call-mixed-content': `${contentTypes} images or files`,
  'tools-call-with-logging': 'no log is sent to clients; events record what happens',
  'tools-call-sampling': `${clientRequests} a model’s answer would decide about money`,
  'tools-call-elicitation': `${clientRequests} questions for the owner go to the owner`,
  'elicitation-sep1034-defaults': `${clientRequests} questions for the owner go to the owner`,
  'elicitation-sep1330-enums': `${clientRequests} questions for the owner go to the owner`,
  'json-schema-2020-12': 'the scenario needs a tool with schema definitions; ours have none',
  'server-sse-polling': `${stream} resume`,
  'server-sse-multiple-streams': `${stream} keep open beside it`,
  'resources-read-binary': 'the one resource is a text',
  'resources-templates-read': 'the one resource has a fixed address',
  'resources-subscribe': 'the one resource changes with the list of tools, which is announced',
  'resources-unsubscribe': 'the one resource changes with the list of tools, which is announced',
  'prompts-get-with-args': `${guidelines} no arguments`,
  'prompts-get-embedded-resource': `${guidelines} no file`,
  'prompts-get-with-image': `${guidelines} no image`,
}

const checks = z.array(z.object({ status: z.string(), errorMessage: z.string().optional() }))

/** Runs all official scenarios against a server, and returns the verdict of each. */
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
    if (because !== undefined) return [name, { type: 'notForUs', because }]
    const result = results.find((entry) => new RegExp(`^server-${name}-\\d{4}-`).test(entry))
    if (result === undefined) return [name, { type: 'failed', because: 'no result was written' }]
    const checkResults = checks.parse(JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8')))
    const wrong = checkResults.filter(({ status }) => status !== 'SUCCESS')
    if (checkResults.length > 0 && wrong.length === 0) return [name, { type: 'passed' }]
    const reasons = wrong.map(({ status, errorMessage = status }) => errorMessage)
    return [name, { type: 'failed', because: reasons.join('; ') || 'no check was made' }]
  })
  return new Map(await Promise.all(verdicts))
}
