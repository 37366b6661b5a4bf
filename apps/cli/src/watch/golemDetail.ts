import { duration } from '../office/compiledJson.ts'
import { money } from './amounts.ts'
import { cleanText, cutText } from './cells.ts'
import { gauge, sparkline } from './gauge.ts'
import type { Glyphs } from './glyphs.ts'
import { nextTickText, runwayOf, shareTone, toneOf, vitalityTone } from './golemColumns.ts'
import { type Line, type Span, span } from './line.ts'
import { phaseWords } from './stateWords.ts'
import type { Seen, Watched } from './watchState.ts'

const label = (text: string): Span => span(text.padEnd(11), 'quiet')

/** One Golem in full, the most telling first. */
export function golemDetail(golem: Watched, width: number, now: number, glyphs: Glyphs): readonly Line[] {
  const { status, phase, seen } = golem
  const drawn = Math.max(8, Math.min(24, width - 40))
  const tick = nextTickText(golem, now)
  return [
    [
      label('state'),
      span(status, toneOf[status], true),
      ...(status === 'dead' ? [] : [span(', '), span(phaseWords[phase], toneOf[phase])]),
      ...(seen ? [span(`, tick ${seen.status.tick}`), span(seen.status.dreaming ? ', dreaming' : '')] : []),
      ...(tick === '' ? [] : [span(tick === 'now' ? ', next now' : `, next ${nextWord(tick)}`)]),
    ],
    ...vitalityLine(golem, drawn, glyphs),
    ...runwayLine(golem, drawn, now, glyphs),
    ...(seen ? seenLines(seen.status, drawn, glyphs) : [[label(''), span('Looking at it…', 'quiet')]]),
    [label('id'), span(`${golem.id.slice(0, 18)}…${golem.id.slice(-8)}`, 'quiet')],
    ...(seen ? checkLines(seen.status, glyphs) : []),
  ]
}

function checkLines({ healthChecks }: Seen, { yes, no }: Glyphs): readonly Line[] {
  const lines = healthChecks.map(({ name, ok, note }) => [
    span(`${ok ? yes : no} `, ok ? 'good' : 'bad'),
    span(cleanText(name).padEnd(14)),
    span(cleanText(note), ok ? 'quiet' : 'bad'),
  ])
  return [[], ...lines]
}

const nextWord = (tick: string) => (tick.endsWith('late') ? tick : `in ${tick}`)

function vitalityLine({ survivalScore, history, status }: Watched, drawn: number, glyphs: Glyphs) {
  if (survivalScore === null) return []
  const vitality = Math.floor(survivalScore / 100)
  const values = history.length > 0 ? history : [vitality]
  const line = sparkline(values, Math.min(drawn, Math.max(values.length, 1)), glyphs)
  const tone = status === 'dead' ? 'quiet' : vitalityTone(vitality)
  return [[label('vitality'), span(line, tone), span(` ${vitality} of 100`)]]
}

function runwayLine(golem: Watched, drawn: number, now: number, glyphs: Glyphs): readonly Line[] {
  const runway = runwayOf(golem, now)
  if (!runway) return []
  const left = runway.seconds >= 1 ? ` ${duration(runway.seconds)} more` : ' signed for no longer'
  return [
    [
      label('runway'),
      span(gauge(runway.share, drawn, glyphs), golem.status === 'dead' ? 'quiet' : shareTone(runway.share)),
      span(left),
    ],
  ]
}

function seenLines(seen: Seen, drawn: number, glyphs: Glyphs): readonly Line[] {
  const { day, balances, sessionKeys, ownerRequests, operations, healthChecks, account, stale } = seen
  const failed = healthChecks.filter(({ ok }) => !ok)
  const gas = sessionKeys.find(({ status }) => status === 'active')?.gasWei
  return [
    ...(day ? [todayLine(day, drawn, glyphs)] : []),
    failed.length === 0
      ? [label('health'), span(`${glyphs.yes} `, 'good'), span(`all ${healthChecks.length} checks pass`)]
      : [
          label('health'),
          span(`${glyphs.no} `, 'bad'),
          span(failed.map(({ name, note }) => cleanText(`${name}: ${note}`)).join('; '), 'bad'),
        ],
    ...ownerRequests.map(({ id, kind }) => [
      label('waits for'),
      span(`you (${cleanText(kind)}): bardo requests ${cleanText(id)} yes`, 'warn'),
    ]),
    ...operations.map(({ summary }) => [label('under way'), span(cleanText(summary))]),
    ...(balances.length > 0 ? [[label('holds'), span(balances.map((one) => holding(one)).join(', '))]] : []),
    ...(gas ? [[label('gas'), span(`${(Number(gas) / 1e18).toFixed(4)} ETH`)]] : []),
    ...(stale === null ? [] : [[label('stale'), span(cleanText(stale), 'warn')]]),
    [label('works for'), span(account, 'quiet')],
  ]
}

function holding({ symbol, cents, vaultCents }: Seen['balances'][number]): string {
  const inVault = Number(vaultCents) > 0 ? ` (${money(vaultCents)} in the vault)` : ''
  return `${money(cents)} of ${cutText(cleanText(symbol), 12, '…')}${inVault}`
}

function todayLine(day: NonNullable<Seen['day']>, drawn: number, glyphs: Glyphs): Line {
  const used = Number(day.spentCents) / Number(day.limitCents)
  return [
    label('today'),
    span(gauge(used, drawn, glyphs), used >= 0.9 ? 'warn' : 'accent'),
    span(` ${money(day.spentCents)} of ${money(day.limitCents)} used`),
  ]
}
