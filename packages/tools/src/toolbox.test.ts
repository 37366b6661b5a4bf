import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listedTool } from './mcp/listedTool.ts'
import { stages } from './stage.ts'
import { guidelinesFor, offeredTools, profileNames, profiles, tools } from './toolbox.ts'

const namesIn = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).toSorted()

const identity = [
  'explain_action',
  'get_delegation_tree',
  'metamask_check_permission_health',
  'metamask_redeem_runway',
  'metamask_request_runway',
  'metamask_revoke_permissions',
  'wallet_get_status',
  'wallet_list_session_keys',
]
const acting = [
  'commit_action',
  'preview_action',
  'replicate',
  'wallet_configure_policy',
  'wallet_fund',
  'wallet_provision_session_key',
  'wallet_revoke_session_key',
]

describe('profiles', () => {
  it('identity has the read tools and the four permission tools', () => {
    expect(namesIn(profiles.identity)).toEqual(identity)
  })

  it('golem can also act, and cannot migrate its wallet', () => {
    expect(namesIn(profiles.golem)).toEqual([...identity, ...acting].toSorted())
  })

  it('full and dev have all sixteen tools', () => {
    const all = [...identity, ...acting, 'wallet_migrate'].toSorted()
    expect(all).toHaveLength(16)
    for (const name of ['full', 'dev'] as const) expect(namesIn(profiles[name])).toEqual(all)
    expect(namesIn(tools)).toEqual(all)
  })

  it('offers a dying Golem only read and revocation tools', () => {
    const last = [
      'explain_action',
      'get_delegation_tree',
      'metamask_check_permission_health',
      'metamask_revoke_permissions',
      'wallet_get_status',
      'wallet_list_session_keys',
    ]
    expect(namesIn(offeredTools('identity', 'terminal'))).toEqual(last)
    for (const name of ['golem', 'full', 'dev'] as const)
      expect(namesIn(offeredTools(name, 'terminal'))).toEqual([...last, 'wallet_revoke_session_key'])
  })

  it('gives guidelines for each tool in each stage', () => {
    for (const profile of profileNames)
      for (const stage of stages) {
        const text = guidelinesFor(profile, stage)
        for (const { name, guidelines } of offeredTools(profile, stage)) {
          expect(text).toContain(`- ${name}: `)
          expect(text).toContain(guidelines[stage])
        }
      }
  })
})

/** The rows of the table in docs/tools.md: the name, and the columns that the listing has too. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/tools.md'), 'utf8')
const documented = page.split('\n').flatMap((line) => {
  const [, name, , ...columns] = line.split('|').map((cell) => cell.trim())
  return /^`[a-z_]+`$/.test(name ?? '') && columns.length > 5 ? [[name?.slice(1, -1), ...columns]] : []
})

it('lists every tool over MCP as docs/tools.md describes it', () => {
  const listed = tools.map((tool) => {
    const { name, _meta: meta } = listedTool(tool)
    const columns = ['category', 'capability', 'riskLayer', 'tickBudget'].map(
      (field) => `${meta?.[`bardo/${field}`]}`,
    )
    return [name, ...columns, tool.stages.includes('terminal') ? 'yes' : 'no', '']
  })
  const byName = (rows: readonly (readonly (string | undefined)[])[]) =>
    rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other))
  expect(byName(listed)).toEqual(byName(documented))
})

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('has all texts that an agent needs', () => {
    for (const words of [tool.title, tool.description, tool.promptSnippet, ...tool.progressSteps])
      expect(words.length).toBeGreaterThan(5)
    expect(tool.progressSteps.length).toBeGreaterThan(0)
    for (const stage of stages) expect(tool.guidelines[stage].length).toBeGreaterThan(10)
    expect(tool.stages.length).toBeGreaterThan(0)
  })

  it('describes every parameter, at every depth', () => {
    const input = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
    expect(undescribed(input)).toEqual([])
  })

  it('has JSON schemas, and takes an idempotency key if it changes something', () => {
    const input = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
    expect(input).toMatchObject({ type: 'object', additionalProperties: false })
    expect(z.toJSONSchema(tool.output)).toMatchObject({ type: 'object' })
    const isKeyed = Object.keys(input.properties ?? {}).includes('idempotencyKey')
    expect(isKeyed).toBe(tool.capability !== 'read')
    // A read-only tool records nothing; every other tool is recorded. The example is valid.
    expect(tool.eventFields === undefined).toBe(tool.capability === 'read')
    if (tool.example) expect(tool.input.safeParse(tool.example)).toMatchObject({ success: true })
    // A privileged tool is marked destructive, a read-only tool is not.
    if (tool.capability === 'privileged') expect(tool.destructive).toBe(true)
    if (tool.capability === 'read')
      expect([tool.destructive, tool.idempotent, tool.riskLayer]).toEqual([false, true, 1])
  })
})

type Schema = {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly anyOf?: readonly unknown[]
  readonly oneOf?: readonly unknown[]
  readonly description?: string
}

/** The paths of all properties without a description. */
function undescribed(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, anyOf = [], oneOf = [] }: Schema = schema
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const { description = '' }: Schema = Object(property)
      const here = `${path}.${name}`
      return [...(description.length > 5 ? [] : [here]), ...undescribed(property, here)]
    }),
    ...[items, ...anyOf, ...oneOf].flatMap((inner) => undescribed(inner, path)),
  ]
}
