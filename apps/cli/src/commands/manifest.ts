import { formatDollars, formatMinute } from '@bardo/core'
import { formatEther, formatUnits } from 'viem'
import type { Answer } from '../rpc/office.ts'
import { positionText } from '../rpc/positionText.ts'
import type { Run } from '../terminal/command.ts'
import { table } from '../terminal/table.ts'
import { identityText } from '../text/identityText.ts'
import { legacyText } from '../text/legacyText.ts'
import { askOffice } from './askOffice.ts'
import { callText } from './callText.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

type Seen = Answer<'manifest'>

/** `bardo manifest`. */
export const manifest: Run = async (call) => {
  const now = call.options['now'] === true
  const seen = await askOffice(call, 'manifest', { ...golemArgument(call), ...ownerKeyOption(call), now })
  const { name, block, at, isStored, status } = seen
  const written = isStored ? 'as its death wrote it' : `${name} is ${status}`
  return {
    data: seen,
    text: [
      `Manifest of ${name}: block ${block}, ${formatMinute(at)} UTC, ${written}.`,
      table(
        linesOf(seen).map(([label, text]) => [`  ${label}`, text]),
        Number.POSITIVE_INFINITY,
      ),
      ...seen.deferred.map(({ id, reason }) => `Left open: ${id}. Reason: ${reason}.`),
      ...seen.closing.flatMap(({ id, call: transaction }) =>
        transaction
          ? [
              '',
              `To close ${id}, send this transaction with the owner’s key, from any wallet:`,
              callText(transaction),
            ]
          : [],
      ),
    ].join('\n'),
  }
}

function linesOf(seen: Seen): readonly (readonly [string, string])[] {
  const { name, status, identity } = seen
  return [
    ['id', seen.golem],
    ['account', seen.account],
    ['settlement', seen.settlementAsset ?? 'no settlement asset is signed'],
    ...seen.tokens.map(tokenLine),
    ...seen.positions.map((position) => ['position', placeText(position, name)] as const),
    ...seen.closed.map(
      ({ id, cents, transaction }) => ['closed', `${id}: ${formatDollars(cents)} in ${transaction}`] as const,
    ),
    ...seen.delegations.map(({ hash, delegate }) => ['not revoked', `${hash} for ${delegate}`] as const),
    ...seen.runways.map(
      ({ hash, from, expiresAt }) =>
        [
          'runway',
          `${hash} from ${from}${expiresAt === null ? '' : `, until ${formatMinute(expiresAt)} UTC`}`,
        ] as const,
    ),
    ...(seen.runwayCents === null ? [] : [['runway left', formatDollars(seen.runwayCents)] as const]),
    ...seen.gas.map(({ address, wei }) => ['gas', `${formatEther(BigInt(wei))} ETH in ${address}`] as const),
    ...(identity ? identityText(identity, { name, status }) : [['identity', 'none'] as const]),
    ...(seen.death ? [['slippage', formatDollars(seen.death.slippageCents)] as const] : []),
    ...(seen.death?.impossible ?? []).map(
      ({ step, because }) => ['not done', `${step}: ${because}`] as const,
    ),
    ...(seen.legacy ? legacyText(seen.legacy) : []),
  ]
}

function tokenLine({ symbol, amount, decimals, token, cents, priceMicros }: Seen['tokens'][number]) {
  const held = `${formatUnits(BigInt(amount), decimals)} (${token})`
  const price = priceMicros === null ? 'no price' : `at $${formatUnits(BigInt(priceMicros), 6)}`
  return [symbol, `${held}, ${cents === null ? price : `${formatDollars(cents)} ${price}`}`] as const
}

function placeText({ openedBy, ...position }: Seen['positions'][number], name: string): string {
  const opened = openedBy === 'golem' ? `opened by ${name}` : `not opened by ${name}`
  return `${positionText(position, name)}, ${opened} (${position.contract})`
}
