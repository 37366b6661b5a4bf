import { formatDollars, formatExactDuration, formatLongDuration, formatMinute } from '@bardo/core'
import { readSettings } from '../context/settings.ts'
import type { Answer } from '../rpc/office.ts'
import { openOffice } from '../rpc/openOffice.ts'
import { furtherPositions, positionText } from '../rpc/positionText.ts'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { identityText } from '../text/identityText.ts'
import { legacyText } from '../text/legacyText.ts'
import { endText, stateWords } from '../text/stateWords.ts'
import { askOffice } from './askOffice.ts'

/** `bardo status`. */
export const status: Run = async (call) => {
  const { GOLEM: golem } = call.arguments
  return golem === undefined ? all(call) : one(await askOffice(call, 'status', { golem }), call.terminal)
}

async function all(call: CommandInput): Promise<CommandResult> {
  await using office = await openOffice(readSettings(call))
  const golems = await office.ask('golems', {})
  if (golems.length === 0)
    return { data: golems, text: 'There is no Golem yet. Create one: bardo summon STRATEGY.md' }
  const [first] = golems
  if (golems.length === 1 && first && first.status !== 'onboarding')
    return one(await office.ask('status', { golem: first.id }), call.terminal)
  const rows = golems.map(({ name, id, status: is, paused, phase, nextTick, requests }) => [
    name,
    `${id.slice(0, 10)}…`,
    paused ? 'paused' : is,
    is === 'dead' ? '' : phase,
    nextTick === null ? '' : until(nextTick),
    requests > 0 ? `${requests}` : '',
  ])
  return {
    data: golems,
    text: table([['GOLEM', 'ID', 'STATUS', 'PHASE', 'NEXT TICK', 'REQUESTS'], ...rows], call.terminal.width),
  }
}

/** A delegation to or from another Golem. */
function sharedText({ golem, type, endsAt }: Answer<'status'>['given'][number]): string {
  const may = { act: '', observer: ', publishing only', readOnly: ', read-only' } as const
  return `${golem}${may[type]} until ${formatMinute(endsAt)} UTC`
}

function one(seen: Answer<'status'>, { stress }: Terminal): CommandResult {
  const { name, golem, status: is, phase, stale, account, balances, day, sessionKeys, ownerRequests } = seen
  const { ended } = seen
  const active = sessionKeys.find((key) => key.status === 'active')
  const left = seen.endsAt - Date.now() / 1_000
  const lines: (readonly [string, string])[] = [
    ['id', golem],
    ['account', account],
    ...balances.map(({ symbol, cents, vaultCents }): readonly [string, string] => [
      symbol,
      Number(vaultCents) > 0
        ? `${formatDollars(cents)}, and ${formatDollars(vaultCents)} in the vault`
        : formatDollars(cents),
    ]),
    ...furtherPositions(seen).map((position) => ['position', positionText(position, name)] as const),
    ...(day
      ? [['today', `${formatDollars(day.spentCents)} of ${formatDollars(day.limitCents)} used`] as const]
      : []),
    ...seen.healthChecks
      .filter((check) => check.name === 'constitution')
      .map(({ note }) => ['constitution', note] as const),
    ...ledgerLines(seen.ledger),
    ...(seen.calls ? [['actions', `${seen.calls.made} of ${seen.calls.limit}`] as const] : []),
    ...seen.totals.map(
      ({ periodSeconds, spentCents, limitCents }) =>
        [
          periodSeconds === null ? 'whole life' : `any ${formatExactDuration(periodSeconds)}`,
          `${formatDollars(spentCents)} of ${formatDollars(limitCents)} used`,
        ] as const,
    ),
    ...(ended
      ? [['ended', endText(ended)] as const]
      : [
          ['vitality', `${(seen.survivalScore / 100).toFixed(0)} of 100`] as const,
          [
            'expires',
            left > 0 ? `${formatMinute(seen.endsAt)} UTC, in ${formatLongDuration(left)}` : 'expired',
          ] as const,
        ]),
    ...(seen.legacy ? legacyText(seen.legacy) : []),
    ...(seen.waits && is !== 'dead' ? [['now', seen.waits.text] as const] : []),
    ...(seen.children.length > 0
      ? [['children', seen.children.map((child) => child.name).join(', ')] as const]
      : []),
    ...(seen.coSigners
      ? [
          [
            'co-signers',
            `${seen.coSigners.threshold} of ${seen.coSigners.members.map(({ name: member, key }) => member ?? key).join(', ')}`,
          ] as const,
        ]
      : []),
    ...seen.given.map((one) => ['delegated to', sharedText(one)] as const),
    ...seen.received.map((one) => ['received from', `${sharedText(one)}: ${one.delegation}`] as const),
    ...(seen.identity ? identityText(seen.identity, { name, status: is }) : []),
    ...(seen.nextTick !== null && is !== 'dead' ? [['next tick', until(seen.nextTick)] as const] : []),
    ...(active?.gasWei
      ? [
          [
            'gas',
            `${(Number(active.gasWei) / 1e18).toFixed(4)} ETH in its key${drawnText(seen.gas)}`,
          ] as const,
        ]
      : []),
    ...seen.operations.map(({ summary }) => ['in progress', summary] as const),
    ...ownerRequests.map(({ id, kind }) => ['waits for you', `${kind}: bardo requests ${id} yes`] as const),
  ]
  const isRevoked = ended !== null && is !== 'dead' && is !== 'dying'
  const [state, inPhase] = isRevoked
    ? ['revoked', ' and ends at its next tick']
    : stateWords(is, phase, seen.pausedAt !== null)
  const colour =
    is === 'dead' ? 'dim' : is === 'alive' && !ended && seen.pausedAt === null ? 'green' : 'yellow'
  return {
    data: seen,
    text: [
      `${stress('bold', name)} is ${stress(colour, state)}${inPhase}, ${is === 'dead' ? 'after' : 'at'} tick ${seen.tick}.`,
      ...(stale === null ? [] : [stale]),
      // Never cut an id or a command: it must stay copyable.
      table(
        lines.map(([label, what]) => [`  ${label}`, what]),
        Number.POSITIVE_INFINITY,
      ),
      ...seen.healthChecks.flatMap(({ name: check, ok, note }) =>
        // Checks of a dead Golem always fail.
        ok || is === 'dead' ? [] : [`  ${stress('red', '✗')} ${check}: ${note}`],
      ),
    ].join('\n'),
  }
}

/** What the Golem earned and spent since it was summoned. */
function ledgerLines(ledger: Answer<'status'>['ledger']): readonly (readonly [string, string])[] {
  const { earnedCents, spentCents, netCents, gasUnpricedWei, tokens } = ledger
  const unpriced =
    gasUnpricedWei === '0' ? '' : `, and ${Number(gasUnpricedWei) / 1e18} ETH of gas (no price)`
  return [
    ['earned', formatDollars(earnedCents)],
    ['spent', `${formatDollars(spentCents)}${unpriced}`],
    ['net', `${formatDollars(netCents)} since it was summoned`],
    ...tokens.map(
      ({ symbol, amount, cents }) =>
        ['moved', `${amount} ${symbol} (${cents === null ? 'no price' : formatDollars(cents)})`] as const,
    ),
  ]
}

/** What the key drew for gas, and the signed cap. */
function drawnText(gas: Answer<'status'>['gas']): string {
  if (!gas) return ''
  const ether = (wei: string) => `${Number(wei) / 1e18}`
  return `; ${ether(gas.drawnWei)} of ${ether(gas.limitWei)} ETH drawn in 24 hours`
}

function until(milliseconds: number): string {
  const seconds = Math.round((milliseconds - Date.now()) / 1_000)
  return seconds > 0 ? `in ${formatLongDuration(seconds)}` : 'now'
}
