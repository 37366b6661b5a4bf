import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractTitle } from '../packages/deploy/src/contractTitle.ts'
import { planFor, type TargetName, targets } from '../packages/deploy/src/targets.ts'
import { writeBlock } from './markedBlock.ts'

/** docs/deployment.md as it is, and as it has to be. */
export function addressesPage(): { path: string; text: string; wanted: string } {
  const path = join(import.meta.dirname, '../docs/deployment.md')
  const text = readFileSync(path, 'utf8')
  const table = addressTable()
  // A page that lost the place for its table gets it back, at its end.
  const wanted =
    writeBlock(text, 'addresses', table) ?? `${text}\n<!-- addresses -->\n\n${table}\n\n<!-- /addresses -->\n`
  return { path, text, wanted }
}

/** A row for each address, with the chains that it is for. */
function addressTable(): string {
  const names = Object.keys(targets) as TargetName[]
  const rows = new Map<string, { contract: string; chains: TargetName[] }>()
  for (const chain of names)
    for (const { name, address } of planFor(chain)) {
      const row = rows.get(address) ?? { contract: contractTitle(name), chains: [] }
      row.chains.push(chain)
      rows.set(address, row)
    }
  return [
    '| contract | address | chains |',
    '| --- | --- | --- |',
    ...[...rows]
      .sort(([, a], [, b]) => a.contract.localeCompare(b.contract, 'en'))
      .map(([address, { contract, chains }]) => {
        const where = chains.length === names.length ? 'all' : chains.join(', ')
        return `| ${contract} | \`${address}\` | ${where} |`
      }),
  ].join('\n')
}
