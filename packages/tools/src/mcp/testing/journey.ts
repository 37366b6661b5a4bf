import { setTimeout } from 'node:timers/promises'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { wish } from './course.ts'

/** What a client did and saw, one line per step. */
export type Journey = readonly string[]

// The stage of life is read every two seconds.
const timeoutMs = 10_000

/**
 * What an agent does with the tools, with a generic client: read the status, preview, commit, get a refusal
 * and its
 * explanation, read the health, and revoke everything. Throws if an answer is not as promised.
 */
export async function journey(transport: Transport): Promise<Journey> {
  const lines: string[] = []
  const changed = Promise.withResolvers<number>()
  const onChanged = (_: Error | null, tools: readonly unknown[] | null) => changed.resolve(tools?.length ?? 0)
  const client = new Client(
    { name: 'any client', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { onChanged } } },
  )
  await client.connect(transport)
  const before = (await client.listTools()).tools.length
  const steps: string[] = []
  const onprogress = ({ message = '' }: { message?: string | undefined }) => void steps.push(message)
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: input },
      { onprogress },
    )
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
    return { texts, data: Object(structuredContent), isError: isError === true }
  }

  const status = await call('wallet_get_status')
  expectThat(status.data.status === 'alive', 'the Golem is alive', status)
  lines.push(`status: ${status.data.status}, ${status.data.phase}`)

  const preview = await call('preview_action', { wish })
  expectThat(typeof preview.data.permitId === 'string', 'a permit is issued', preview)
  lines.push(`preview: a permit for $${preview.data.valueLimitCents / 100}`)

  const key = { permitId: preview.data.permitId, idempotencyKey: 'journey-1' }
  const commit = await call('commit_action', key)
  expectThat(commit.data.spentCents === '1000', '$10 are spent', commit)
  const again = await call('commit_action', key)
  expectThat(
    again.data.transaction === commit.data.transaction,
    'a repeated commit has no second effect',
    again,
  )
  expectThat(steps.includes('Sending the redemption'), 'progress is reported', steps)
  lines.push(`commit: ${commit.data.transaction}, once for two calls`)

  const tooMuch = { ...wish, dollars: '49' }
  const refused = await call('preview_action', { wish: tooMuch })
  const error = JSON.parse(refused.texts[1] ?? '{}')
  expectThat(
    refused.isError && error.outcome === 'not-sent',
    'an excessive amount is refused and not sent',
    refused,
  )
  const why = await call('explain_action', { about: { type: 'wish', wish: tooMuch } })
  const { link, caveat, error: numbers, remedy } = why.data
  expectThat(link === 0 && caveat === 'Cage', 'the explanation names link and caveat', why)
  expectThat(
    /\d/.test(numbers) && remedy.includes('$40'),
    'the explanation names the numbers and what would pass',
    why,
  )
  lines.push(`refused: ${error.code}; explained: link ${link}, ${caveat}, ${numbers}. ${remedy}`)

  const health = await call('metamask_check_permission_health')
  expectThat(health.data.remainingTodayCents === '4000', '$40 are left', health)
  lines.push(`health: ${health.data.health}, $${health.data.remainingTodayCents / 100} left today`)

  const revoked = await call('metamask_revoke_permissions', { reason: 'owner_kill_switch' })
  expectThat(revoked.data.sessionAccountInvalidated === true, 'nothing can be redeemed any more', revoked)
  const { tools } = await client.listTools()
  expectThat(tools.length < before, 'tools of earlier stages are not listed', tools)
  const late = await call('preview_action', { wish })
  expectThat(late.texts[1]?.includes('GOLEM_DYING') ?? false, 'calling one returns the reason', late)
  lines.push(`revoke: ${revoked.data.revokedCount} given up; ${tools.length} of ${before} tools remain`)
  const waited = setTimeout(timeoutMs, -1, { ref: false })
  const shown = await Promise.race([changed.promise, waited])
  expectThat(shown === tools.length, 'the client is notified that the list changed', shown)
  await client.close()
  return lines
}

function expectThat(holds: boolean, what: string, actual: unknown): asserts holds {
  if (!holds) throw new Error(`expected: ${what}\n${JSON.stringify(actual, null, 2)}`)
}
