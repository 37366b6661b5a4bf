import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** The files that declare the events. */
const declarations = [
  'packages/golem/src/events/golemEvent.ts',
  'packages/core/src/session/events.ts',
  ...globSync('packages/core/src/journal/*.ts', { cwd: root }),
]
const declared = new Set(
  declarations.flatMap((path) =>
    [...read(path).matchAll(/readonly name: '([^']+)'/g)].map(([, name = '']) => name),
  ),
)
/** Product code below the terminal that can emit an event. */
const sources = globSync('packages/{chain,golem,operations,tools}/src/**/*.ts', { cwd: root })
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path) && !declarations.includes(path))
  .map(read)

/** Whether a source makes an event of this name. A comparison with the name does not make one. */
function isEmitted(name: string): boolean {
  const quoted = `'${name.replaceAll('.', '\\.')}'`
  const made = new RegExp(`(?<!(?:===|!==) |case )${quoted}`)
  return sources.some((source) => made.test(source))
}

/** The events of keys, custody, death, permissions and tools that users build on. Renaming one breaks them. */
const promised = [
  'sessionKey.generated',
  'sessionKey.delegationGranted',
  'sessionKey.operationSigned',
  'sessionKey.rotationTriggered',
  'sessionKey.revoked',
  'sessionKey.budgetWarning',
  'custody.modeSelected',
  'custody.delegationGranted',
  'custody.sessionKeyRotated',
  'custody.delegationRevoked',
  'custody.delegationExpiring',
  'DeathProtocolStarted',
  'PositionsUnwound',
  'DeathCompleted',
  'PERMISSION_REVOKED',
  'GOLEM_TERMINAL',
  'tool:start',
  'tool:progress',
  'tool:end',
  'vitals.phaseChanged',
]

describe('events', () => {
  it('are each emitted by product code', () => {
    expect(declared.size).toBeGreaterThan(40)
    expect([...declared].filter((name) => !isEmitted(name))).toEqual([])
  })

  it('include every promised name', () => {
    expect(promised.filter((name) => !declared.has(name))).toEqual([])
  })
})
