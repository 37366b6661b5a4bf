import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { earlierEnforcers } from '../packages/core/src/deployments/earlierEnforcers.ts'
import { type ChainName, supportedChains } from '../packages/core/src/deployments/supportedChains.ts'
import { contractTitle } from '../packages/deploy/src/contractTitle.ts'
import { planFor } from '../packages/deploy/src/targets.ts'
import { writeBlock } from './markedBlock.ts'

/** docs/deployment.md as it is, and as it must be. */
export function addressesPage(): { path: string; text: string; expected: string } {
  const path = join(import.meta.dirname, '../docs/deployment.md')
  const text = readFileSync(path, 'utf8')
  const today = withBlock(text, 'addresses', addressTable())
  return { path, text, expected: withBlock(today, 'earlier addresses', earlierTable()) }
}

/** Appends the block to a page that has lost it. */
function withBlock(page: string, name: string, table: string): string {
  return writeBlock(page, name, table) ?? `${page}\n<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->\n`
}

const head = ['| contract | address | chains |', '| --- | --- | --- |']

/** One row for each address, with its chains. */
function addressTable(): string {
  const names = Object.keys(supportedChains) as ChainName[]
  const rows = new Map<string, { contract: string; chains: ChainName[] }>()
  for (const chain of names)
    for (const { name, address } of planFor(chain)) {
      const row = rows.get(address) ?? { contract: contractTitle(name), chains: [] }
      row.chains.push(chain)
      rows.set(address, row)
    }
  return [
    ...head,
    ...[...rows]
      .sort(([, a], [, b]) => a.contract.localeCompare(b.contract, 'en'))
      .map(([address, { contract, chains }]) => {
        const where = chains.length === names.length ? 'all' : chains.join(', ')
        return `| ${contract} | \`${address}\` | ${where} |`
      }),
  ].join('\n')
}

function earlierTable(): string {
  const rows = Object.entries(earlierEnforcers).map(([name, address]) => [contractTitle(name), address])
  return [
    ...head,
    ...rows
      .sort(([a = ''], [b = '']) => a.localeCompare(b, 'en'))
      .map(([contract, address]) => `| ${contract} | \`${address}\` | all |`),
  ].join('\n')
}
