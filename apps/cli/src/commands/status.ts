import { dollars, duration } from '../office/compiledJson.ts'
import type { Answer } from '../office/office.ts'
import { openOffice } from '../office/openOffice.ts'
import { readSettings } from '../place/settings.ts'
import type { Call, Run, Said } from '../shell/command.ts'
import { table } from '../shell/table.ts'
import type { Terminal } from '../shell/terminal.ts'
import { stateWords } from '../watch/stateWords.ts'
import { askOffice } from './askOffice.ts'

/** `bardo status`. */
export const status: Run = async (call) => {
  const { GOLEM: golem } = call.arguments
  return golem === undefined ? all(call) : one(await askOffice(call, 'status', { golem }), call.terminal)
}

async function all(call: Call): Promise<Said> {
  await using office = await openOffice(readSettings(call))
  const golems = await office.ask('golems', {})
  if (golems.length === 0)
    return { data: golems, text: 'No Golem lives here yet. Summon one: bardo summon STRATEGY.md' }
  const [first] = golems
  if (golems.length === 1 && first && first.status !== 'onboarding')
    return one(await office.ask('status', { golem: first.id }), call.terminal)
  const rows = golems.map(({ name, id, status: is, phase, nextTick, requests }) => [
    name,
    `${id.slice(0, 10)}…`,
    is,
    is === 'dead' ? '' : phase,
    nextTick === null ? '' : until(nextTick),
    requests > 0 ? `${requests}` : '',
  ])
  return {
    data: golems,
    text: table([['GOLEM', 'ID', 'STATUS', 'PHASE', 'NEXT TICK', 'REQUESTS'], ...rows], call.terminal.width),
  }
}

function one(seen: Answer<'status'>, { stress, width }: Terminal): Said {
  const { name, golem, status: is, phase, stale, account, balances, day, sessionKeys, ownerRequests } = seen
  const active = sessionKeys.find((key) => key.status === 'active')
  const left = seen.endsAt - Date.now() / 1_000
  const lines: (readonly [string, string])[] = [
    ['id', golem],
    ['account', account],
    ...balances.map(({ symbol, cents, vaultCents }): readonly [string, string] => [
      symbol,
      Number(vaultCents) > 0 ? `${dollars(cents)}, and ${dollars(vaultCents)} in the vault` : dollars(cents),
    ]),
    ...(day ? [['today', `${dollars(day.spentCents)} of ${dollars(day.limitCents)} used`] as const] : []),
    ...(is === 'dead'
      ? []
      : [
          ['vitality', `${(seen.survivalScore / 100).toFixed(0)} of 100`] as const,
          ['signed for', left > 0 ? `${duration(left)} more` : 'no longer'] as const,
        ]),
    ...(seen.nextTick !== null && is !== 'dead' ? [['next tick', until(seen.nextTick)] as const] : []),
    ...(active?.gasWei ? [['gas', `${(Number(active.gasWei) / 1e18).toFixed(4)} ETH`] as const] : []),
    ...seen.operations.map(({ summary }) => ['under way', summary] as const),
    ...ownerRequests.map(({ id, kind }) => ['waits for you', `${kind}: bardo requests ${id} yes`] as const),
  ]
  const [state, inPhase] = stateWords(is, phase)
  const colour = is === 'alive' ? 'green' : is === 'dead' ? 'dim' : 'yellow'
  return {
    data: seen,
    text: [
      `${stress('bold', name)} is ${stress(colour, state)}${inPhase}, ${is === 'dead' ? 'after' : 'at'} tick ${seen.tick}.`,
      ...(stale === null ? [] : [stale]),
      table(
        lines.map(([label, what]) => [`  ${label}`, what]),
        Math.max(width, 80),
      ),
      ...seen.healthChecks.flatMap(({ name: check, ok, note }) =>
        // What fails for the dead is what being dead means.
        ok || is === 'dead' ? [] : [`  ${stress('red', '✗')} ${check}: ${note}`],
      ),
    ].join('\n'),
  }
}

function until(milliseconds: number): string {
  const seconds = Math.round((milliseconds - Date.now()) / 1_000)
  return seconds > 0 ? `in ${duration(seconds)}` : 'now'
}
