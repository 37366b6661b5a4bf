import { setTimeout } from 'node:timers/promises'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { wish } from './course.ts'

/** What a client did and saw, a line for each. */
export type Journey = readonly string[]

/** A stage of life is looked at every two seconds. */
const patienceMs = 10_000

/**
 * What an agent does with the tools, by a client that knows nothing of Bardo: it looks, previews, commits, is refused and
 * asks why, looks again, and gives everything up. Throws where an answer is not as promised.
 */
export async function journey(transport: Transport): Promise<Journey> {
  const told: string[] = []
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
    const words = content.map((part) => (part.type === 'text' ? part.text : ''))
    return { words, data: Object(structuredContent), isError: isError === true }
  }

  const status = await call('wallet_get_status')
  expectThat(status.data.status === 'alive', 'the Golem is alive', status)
  told.push(`status: ${status.data.status}, ${status.data.phase}`)

  const preview = await call('preview_action', { wish })
  expectThat(typeof preview.data.permitId === 'string', 'a permit is given', preview)
  told.push(`preview: a permit for $${preview.data.valueLimitCents / 100}`)

  const key = { permitId: preview.data.permitId, idempotencyKey: 'journey-1' }
  const commit = await call('commit_action', key)
  expectThat(commit.data.spentCents === '1000', '$10 are spent', commit)
  const again = await call('commit_action', key)
  expectThat(again.data.transaction === commit.data.transaction, 'and once', again)
  expectThat(steps.includes('Sending the redemption'), 'its steps are told', steps)
  told.push(`commit: ${commit.data.transaction}, once for two calls`)

  const tooMuch = { ...wish, dollars: '49' }
  const refused = await call('preview_action', { wish: tooMuch })
  const error = JSON.parse(refused.words[1] ?? '{}')
  expectThat(refused.isError && error.outcome === 'not-sent', 'too much is refused, unsent', refused)
  const why = await call('explain_action', { about: { is: 'wish', wish: tooMuch } })
  const { link, caveat, error: numbers, remedy } = why.data
  expectThat(link === 0 && caveat === 'Cage', 'which link and which caveat', why)
  expectThat(/\d/.test(numbers) && remedy.includes('$40'), 'which numbers, and what would pass', why)
  told.push(`refused: ${error.code}; explained: link ${link}, ${caveat}, ${numbers}. ${remedy}`)

  const health = await call('metamask_check_permission_health')
  expectThat(health.data.remainingTodayCents === '4000', '$40 are left', health)
  told.push(`health: ${health.data.health}, $${health.data.remainingTodayCents / 100} left today`)

  const revoked = await call('metamask_revoke_permissions', { reason: 'owner_kill_switch' })
  expectThat(revoked.data.sessionAccountInvalidated === true, 'nothing can be redeemed any more', revoked)
  const { tools } = await client.listTools()
  expectThat(tools.length < before, 'tools that only the living use are gone', tools)
  const late = await call('preview_action', { wish })
  expectThat(late.words[1]?.includes('GOLEM_DYING') ?? false, 'and whoever calls one is told why', late)
  told.push(`revoke: ${revoked.data.revokedCount} given up; ${tools.length} of ${before} tools are left`)
  const waited = setTimeout(patienceMs, -1, { ref: false })
  const shown = await Promise.race([changed.promise, waited])
  expectThat(shown === tools.length, 'the client was told that the list changed', shown)
  await client.close()
  return told
}

function expectThat(holds: boolean, what: string, seen: unknown): asserts holds {
  if (!holds) throw new Error(`not so: ${what}\n${JSON.stringify(seen, null, 2)}`)
}
