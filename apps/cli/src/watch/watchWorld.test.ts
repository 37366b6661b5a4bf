import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerSummon } from '../testing/answerSummon.ts'
import { type PseudoTerminal, startInTerminal } from '../testing/pseudoTerminal.ts'
import { isEvent, startUp, type Up } from '../testing/startUp.ts'

describe('the screens with a running local chain', () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-screens-'))
  let up: Up
  const open: PseudoTerminal[] = []

  const start = (...words: readonly string[]) => {
    const terminal = startInTerminal([...words, '--home', home], { cwd: home, rows: 40 })
    open.push(terminal)
    return terminal
  }
  const shows = (terminal: PseudoTerminal, ...texts: readonly string[]) =>
    terminal.until((screen) => texts.every((text) => screen.includes(text)))

  beforeAll(async () => {
    writeFileSync(
      join(home, 'S.md'),
      'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n',
    )
    await copyEmptyPglite(home)
    up = startUp(home)
    await up.until(({ type }) => type === 'ready')
  })
  afterAll(async () => {
    for (const terminal of open) terminal[Symbol.dispose]()
    up.signal('SIGINT')
    await up.ended
    rmSync(home, { recursive: true, force: true })
  })

  it('shows help, status and doctor within 80 columns', async () => {
    for (const [words, text] of [
      [['watch', '--help'], 'Usage: bardo watch [GOLEM] [options]'],
      [['status'], 'Alpha DCA is alive and thriving'],
      [['doctor'], 'contracts'],
    ] as const) {
      const terminal = start(...words)
      expect(await terminal.ended, words[0]).toMatchObject({ exit: 0 })
      // A longer line would continue in the next row.
      expect(terminal.lines().join('\n')).toContain(text)
    }
  })

  it('prompts for the missing arguments of summon', async () => {
    const terminal = start('summon')
    const shown = await answerSummon(terminal, 'S.md', 'beta')
    expect(shown).toContain('At most $30.00 leaves your account in any 24 hours, without gas.')
    terminal.type('y')
    await shows(terminal, 'beta is alive')
    expect(await terminal.ended).toMatchObject({ exit: 0 })
  })

  it('shows trades as they land, and feeds, revokes and kills Golems', async () => {
    const terminal = start('watch', 'Alpha DCA')
    await shows(
      terminal,
      '▸ Alpha DCA',
      'beta',
      'Alpha DCA completed an action',
      'all 6 checks pass',
      '$2880',
    )
    terminal.type('f')
    await shows(terminal, 'Feed Alpha DCA')
    terminal.type('y')
    await shows(terminal, 'Alpha DCA is renewed until')
    terminal.type('j')
    await shows(terminal, '▸ beta')
    terminal.type('r')
    await shows(terminal, 'Revoke every delegation of beta?')
    terminal.type('y')
    await shows(terminal, 'beta is revoked on the chain')
    await up.until(isEvent('custody.delegationRevoked'))
    await shows(terminal, 'beta is dying')
    terminal.type('k')
    await shows(terminal, '▸ Alpha DCA')
    terminal.type('K')
    await shows(terminal, 'Kill Alpha DCA permanently?')
    terminal.type('Alpha DCA\r')
    await shows(terminal, 'Alpha DCA is dead after')
    terminal.type('q')
    expect(await terminal.ended).toMatchObject({ exit: 0 })
    expect(terminal.isAlternate()).toBe(false)
  })
})
