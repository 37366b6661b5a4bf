import { formatDollars, formatLongDuration } from '@bardo/core'
import { furtherPositions, positionText } from '../rpc/positionText.ts'
import { endText, phaseWords } from '../text/stateWords.ts'
import { cleanText, cutText } from './cells.ts'
import { gauge, sparkline } from './gauge.ts'
import type { Glyphs } from './glyphs.ts'
import {
  hasEnded,
  nextTickText,
  shareTone,
  stateOf,
  timeLeftOf,
  toneOf,
  vitalityTone,
} from './golemColumns.ts'
import { type Line, type Span, span } from './line.ts'
import type { Seen, Watched } from './watchState.ts'

const label = (text: string): Span => span(text.padEnd(11), 'quiet')

/** The details of one Golem, the most important first. */
export function golemDetail(golem: Watched, width: number, now: number, glyphs: Glyphs): readonly Line[] {
  const { phase, seen } = golem
  const barWidth = Math.max(8, Math.min(24, width - 40))
  const tick = nextTickText(golem, now)
  return [
    [
      label('state'),
      span(stateOf(golem), toneOf[stateOf(golem)], true),
      ...(hasEnded(golem) ? [] : [span(', '), span(phaseWords[phase], toneOf[phase])]),
      ...(seen ? [span(`, tick ${seen.status.tick}`), span(seen.status.dreaming ? ', dreaming' : '')] : []),
      ...(tick === '' ? [] : [span(tick === 'now' ? ', next now' : `, next ${nextWord(tick)}`)]),
    ],
    ...(hasEnded(golem)
      ? endLine(golem)
      : [...vitalityLine(golem, barWidth, glyphs), ...expiryLine(golem, barWidth, now, glyphs)]),
    ...(seen
      ? seenLines(seen.status, barWidth, glyphs)
      : [[label(''), span('Reading its status…', 'quiet')]]),
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

function endLine({ seen }: Watched): readonly Line[] {
  return seen?.status.ended ? [[label('ended'), span(endText(seen.status.ended), 'bad')]] : []
}

function vitalityLine({ survivalScore, history }: Watched, barWidth: number, glyphs: Glyphs) {
  if (survivalScore === null) return []
  const vitality = Math.floor(survivalScore / 100)
  const values = history.length > 0 ? history : [vitality]
  const line = sparkline(values, Math.min(barWidth, Math.max(values.length, 1)), glyphs)
  return [[label('vitality'), span(line, vitalityTone(vitality)), span(` ${vitality} of 100`)]]
}

function expiryLine(golem: Watched, barWidth: number, now: number, glyphs: Glyphs): readonly Line[] {
  const time = timeLeftOf(golem, now)
  if (!time) return []
  const left = time.seconds >= 1 ? ` in ${formatLongDuration(time.seconds)}` : ' expired'
  return [[label('expires'), span(gauge(time.share, barWidth, glyphs), shareTone(time.share)), span(left)]]
}

function seenLines(seen: Seen, barWidth: number, glyphs: Glyphs): readonly Line[] {
  const { day, balances, sessionKeys, ownerRequests, operations, healthChecks, account, stale, waits } = seen
  const failed = healthChecks.filter(({ ok }) => !ok)
  const gas = sessionKeys.find(({ status }) => status === 'active')?.gasWei
  return [
    ...(day ? [todayLine(day, barWidth, glyphs)] : []),
    ...furtherPositions(seen).map((position) => [
      label('position'),
      span(cleanText(positionText(position, seen.name)), position.managed === 'now' ? undefined : 'warn'),
    ]),
    failed.length === 0
      ? [label('health'), span(`${glyphs.yes} `, 'good'), span(`all ${healthChecks.length} checks pass`)]
      : [
          label('health'),
          span(`${glyphs.no} `, 'bad'),
          span(failed.map(({ name, note }) => cleanText(`${name}: ${note}`)).join('; '), 'bad'),
        ],
    ...(waits ? [[label('now'), span(cleanText(waits.text))]] : []),
    ...ownerRequests.map(({ id, kind }) => [
      label('for you'),
      span(`${cleanText(kind)}: bardo requests ${cleanText(id)} yes`, 'warn'),
    ]),
    ...operations.map(({ summary }) => [label('running'), span(cleanText(summary))]),
    ...(balances.length > 0 ? [[label('holds'), span(balances.map((one) => holding(one)).join(', '))]] : []),
    ...(gas ? [[label('gas'), span(`${(Number(gas) / 1e18).toFixed(4)} ETH in its key`)]] : []),
    ...(stale === null ? [] : [[label('stale'), span(cleanText(stale), 'warn')]]),
    [label('account'), span(account, 'quiet')],
  ]
}

function holding({ symbol, cents, vaultCents }: Seen['balances'][number]): string {
  const inVault = Number(vaultCents) > 0 ? ` (${formatDollars(vaultCents)} in the vault)` : ''
  return `${formatDollars(cents)} of ${cutText(cleanText(symbol), 12, '…')}${inVault}`
}

function todayLine(day: NonNullable<Seen['day']>, barWidth: number, glyphs: Glyphs): Line {
  const used = Number(day.spentCents) / Number(day.limitCents)
  return [
    label('today'),
    span(gauge(used, barWidth, glyphs), used >= 0.9 ? 'warn' : 'accent'),
    span(` ${formatDollars(day.spentCents)} of ${formatDollars(day.limitCents)} used`),
  ]
}
