import { formatDollars } from '@bardo/core'
import type { Answer } from '../rpc/office.ts'
import type { Run } from '../terminal/command.ts'
import { wrapLines } from '../terminal/wrapLines.ts'
import { exposureText } from '../text/exposureText.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument } from './words.ts'

/** `bardo tree`. */
export const tree: Run = async (call) => {
  const shown = await askOffice(call, 'tree', golemArgument(call))
  const { golem, name, tree: delegations, runway, received, constitution, family, text } = shown
  return {
    data: { golem, name, tree: delegations, runway, received, constitution, family },
    text: wrapLines(`${text}\n\n${familyText(family)}`, call.terminal.width),
  }
}

/** What each Golem of the owner has spent, and the sums over all of them. */
function familyText({ golems, exposure }: Answer<'tree'>['family']): string {
  return [
    'Spent in the last 24 hours, and what can still happen:',
    ...golems.flatMap(({ name, status, spentCents, limitCents, within, exposure: own }) => {
      const used =
        spentCents === null || limitCents === null
          ? 'no daily limit in dollars'
          : `${formatDollars(spentCents)} of ${formatDollars(limitCents)}`
      return [
        `  ${name}${status === 'alive' ? '' : ` (${status})`}: ${used}${within === null ? '' : `, within the budget of ${within}`}`,
        ...exposureText(own, 'one').map((line) => `    ${line}`),
      ]
    }),
    'All Golems of this owner together:',
    ...exposureText(exposure, 'all').map((line) => `  ${line}`),
  ].join('\n')
}
