import type { Run } from '../terminal/command.ts'
import { askOffice } from './askOffice.ts'
import { methodsOption } from './methodsOption.ts'
import { centsOption, numberOption, textOption } from './words.ts'

/** `bardo replicate`. */
export const replicate: Run = async (call) => {
  const { GOLEM: golem = '', NAME: name = '' } = call.arguments
  const methods = methodsOption(call)
  const targets = textOption(call, 'targets')?.split(',')
  const hours = numberOption(call, 'hours', { least: 1, most: 8_760, otherwise: 24 })
  const born = await askOffice(call, 'replicate', {
    golem,
    name,
    dailyCents: centsOption(call, 'daily', '2'),
    budgetCents: centsOption(call, 'budget', '10'),
    runwayCents: centsOption(call, 'runway', '5'),
    ...(call.options['runway-daily'] === undefined
      ? {}
      : { runwayDailyCents: centsOption(call, 'runway-daily', '0') }),
    lifespanSeconds: hours * 3_600,
    calls: numberOption(call, 'calls', { least: 1, most: 1_000_000, otherwise: 50 }),
    ...(methods && { methods }),
    ...(targets && { targets }),
  })
  return { data: born, text: `${born.name} is alive, a child of ${born.parentName}: ${born.golem}` }
}
