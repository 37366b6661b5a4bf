import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BardoError } from '@bardo/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PseudoOptions, type PseudoTerminal, startInTerminal } from '../testing/pseudoTerminal.ts'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { type SampleOffice, sampleOffice } from '../testing/sampleOffice.ts'
import { type StubAnswers, type StubOffice, serveStubOffice } from '../testing/stubOffice.ts'
import { widthOf } from './cells.ts'

const alpha = sampleId('Alpha DCA')
let home: string
let office: SampleOffice
let stub: StubOffice
let acts: StubAnswers
const open: PseudoTerminal[] = []

function start(words: readonly string[] = [], options: PseudoOptions = {}): PseudoTerminal {
  const terminal = startInTerminal(['watch', '--home', home, ...words], options)
  open.push(terminal)
  return terminal
}

/** Waits until all of these are on the screen. */
function shows(terminal: PseudoTerminal, ...texts: readonly string[]): Promise<string> {
  return terminal.until((screen) => texts.every((text) => screen.includes(text)))
}

/** Whether the screen shows one complete frame and nothing of another. */
function isWhole(screen: string): boolean {
  const lines = screen.split('\n')
  const frames = lines.filter((line) => line.includes('Bardo'))
  return frames.length === 1 && lines[0] === frames[0] && lines.at(-1)?.includes('q quit') === true
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'bardo-watch-'))
  const now = Date.now()
  office = sampleOffice(
    [
      sampleGolem({ name: 'Alpha DCA', vitality: [100, 99, 97] }, now),
      sampleGolem({ name: 'Beta', phase: 'conservation', vitality: [80, 60, 41], health: 'low' }, now),
    ],
    Date.now,
  )
  acts = {
    regrant: () => ({
      endedChildren: [],
      golem: alpha,
      name: 'Alpha DCA',
      order: 'x',
      endsAt: 1_900_000_000,
      dayCents: '50000',
      closed: [],
      unmanaged: [],
    }),
    revoke: () => {
      throw new BardoError('This account has signed no delegation for the Golem.', {
        code: 'STEP_OUT_OF_ORDER',
      })
    },
    kill: () => ({ name: 'Alpha DCA', sessionAccountInvalidated: true, disabledOnChain: true, left: [] }),
    compile: () => ({
      grants: true,
      permissions: [{ sentence: 'It may swap USDC for WETH on Uniswap V3.', because: [], isDefault: false }],
      questions: [],
      setNothing: [],
      children: [],
      dropped: [],
      against: null,
      changes: [{ field: 'dayCents', before: '50000', after: '90000', direction: 'wider' }],
      day: { beforeCents: '50000', afterCents: '90000' },
    }),
  }
  stub = await serveStubOffice(home, { ...office.answers, ...acts })
})

afterEach(async () => {
  for (const terminal of open.splice(0)) terminal[Symbol.dispose]()
  await stub[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

describe('bardo watch in a terminal', () => {
  it.each([
    [80, 24],
    [120, 40],
  ])('draws %d by %d, shows activity, and restores the terminal', async (columns, rows) => {
    const terminal = start([], { columns, rows })
    const screen = await shows(terminal, '▸ Alpha DCA', 'Beta', '● live', 'all 7 checks pass', 'q quit')
    expect(terminal.isAlternate()).toBe(true)
    for (const line of screen.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    const transaction = `0x${'ab'.repeat(32)}`
    office.happen(alpha, 'action.landed', { spentCents: '200', transaction })
    await shows(terminal, 'Alpha DCA completed an action ($2.00 spent)')
    terminal.type('q')
    expect(await terminal.ended).toMatchObject({ exit: 0 })
    expect(terminal.isAlternate()).toBe(false)
    expect(terminal.lines().join('').trim()).toBe('')
    expect(terminal.bytes().endsWith('\u001b[?25h')).toBe(true)
  })

  it('exits with 0 on Ctrl-C and SIGTERM, and restores the terminal', async () => {
    const typed = start()
    await shows(typed, '▸ Alpha DCA')
    typed.type('\u0003')
    expect(await typed.ended).toMatchObject({ exit: 0 })
    expect(typed.isAlternate()).toBe(false)
    const killed = start()
    await shows(killed, '▸ Alpha DCA')
    process.kill(killed.pid, 'SIGTERM')
    expect(await killed.ended).toMatchObject({ exit: 0 })
    expect(killed.isAlternate()).toBe(false)
  })

  it('follows the window size, and asks for a larger window', async () => {
    const terminal = start([], { columns: 120, rows: 40 })
    await shows(terminal, '▸ Alpha DCA', 'PERMISSION')
    terminal.resize(80, 24)
    await terminal.until((screen) => isWhole(screen) && screen.includes('STATE'))
    terminal.resize(50, 12)
    await shows(terminal, 'Make the window larger.')
    terminal.resize(100, 30)
    await terminal.until((screen) => isWhole(screen) && screen.includes('▸ Alpha DCA'))
  })

  it('feeds after a yes, and shows the error of a refused command in one line', async () => {
    const terminal = start()
    await shows(terminal, '▸ Alpha DCA')
    terminal.type('f')
    await shows(terminal, 'Feed Alpha DCA: renew it with the same limits? y or n')
    expect(stub.asked).toEqual([])
    terminal.type('y')
    await shows(terminal, 'Alpha DCA is renewed until 2030-03-17 17:46 UTC, $500.00 a day.')
    expect(stub.asked).toEqual([{ task: 'regrant', question: { golem: alpha } }])
    terminal.type('j')
    await shows(terminal, '▸ Beta')
    terminal.type('r')
    await shows(terminal, 'Revoke every delegation of Beta?')
    terminal.type('y')
    await shows(terminal, 'This account has signed no delegation for the Golem.')
    expect(stub.asked.at(-1)).toEqual({ task: 'revoke', question: { golem: sampleId('Beta') } })
  })

  it('kills a Golem after its name is typed, and adjusts after the changes are shown', async () => {
    const terminal = start()
    await shows(terminal, '▸ Alpha DCA')
    terminal.type('K')
    await shows(terminal, 'Kill Alpha DCA permanently? Type its name:')
    terminal.type('Alpha DCA')
    await shows(terminal, 'Type its name: Alpha DCA')
    expect(stub.asked).toEqual([])
    terminal.type('\r')
    await shows(terminal, 'Alpha DCA is dead. No position is left open.')
    const file = join(home, 'S.md')
    writeFileSync(file, 'budget: $900/day\n')
    terminal.type('a')
    await shows(terminal, 'File with the new strategy for Alpha DCA:')
    terminal.type(`${file}\r`)
    await shows(
      terminal,
      'in any 24 hours: $500.00 → $900.00',
      'Sign this and revoke the current delegation?',
    )
    terminal.type('y')
    await shows(terminal, 'Alpha DCA has a new strategy.')
    expect(stub.asked.at(-1)).toMatchObject({ task: 'regrant', question: { strategy: 'budget: $900/day\n' } })
    terminal.type('a')
    await shows(terminal, 'File with the new strategy')
    terminal.type('/no/such/file\r')
    await shows(terminal, 'Cannot read the file.')
  })

  it('reports a lost connection, and shows missed events after it reconnects', async () => {
    const terminal = start()
    await shows(terminal, '▸ Alpha DCA', '● live')
    await stub[Symbol.asyncDispose]()
    await shows(terminal, '● reconnecting', '▸ Alpha DCA')
    office.happen(alpha, 'dream.began', { number: 1 })
    stub = await serveStubOffice(home, { ...office.answers, ...acts })
    await shows(terminal, '● live', 'Alpha DCA started dreaming.')
  })

  it('waits for a Bardo process, and names the commands to start and summon', async () => {
    await stub[Symbol.asyncDispose]()
    const terminal = start()
    await shows(terminal, 'No Bardo process is running for this data folder.', 'bardo up')
    office.replace([])
    stub = await serveStubOffice(home, { ...office.answers, ...acts })
    await shows(terminal, 'There is no Golem yet.', 'bardo summon STRATEGY.md')
  })

  it('selects the named Golem first, and reports an unknown one without a screen', async () => {
    await shows(start(['Beta']), '▸ Beta')
    const unknown = start(['Nobody'])
    expect(await unknown.ended).toMatchObject({ exit: 64 })
    expect(unknown.bytes()).toContain('There is no such Golem.')
    expect(unknown.bytes()).not.toContain('\u001b[?1049h')
  })

  it('uses no colour with NO_COLOR, and only ASCII if the locale is not UTF-8', async () => {
    const grey = start([], { env: { NO_COLOR: '1' } })
    await shows(grey, '▸ Alpha DCA', '● live')
    for (const code of [31, 32, 33, 36]) expect(grey.bytes()).not.toContain(`\u001b[${code}m`)
    const old = start([], { env: { LANG: 'de_DE.ISO-8859-1' } })
    const screen = await shows(old, '> Alpha DCA', '* live', 'all 7 checks pass')
    expect(screen).toMatch(/^[\n\x20-\x7e]*$/)
  })

  it.each([
    ['--plain', ['--plain'], {}],
    ['TERM=dumb', [], { TERM: 'dumb' }],
  ] as const)('prints lines without escape codes with %s', async (_name, words, env) => {
    const terminal = start(words, { env })
    await shows(terminal, 'Alpha DCA is alive and thriving, vitality 97 of 100, permission healthy.')
    office.happen(alpha, 'dream.began', { number: 1 })
    await shows(terminal, 'Alpha DCA started dreaming.')
    expect(terminal.bytes()).not.toContain('\u001b')
    terminal.type('\u0003')
    expect(await terminal.ended).toMatchObject({ exit: 0 })
  })
})

describe('bardo watch without a terminal', () => {
  const binary = join(import.meta.dirname, '../../bin/bardo.js')
  const run = (...words: readonly string[]) =>
    spawn(process.execPath, [binary, 'watch', '--home', home, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  it('prints states and events as JSON lines until it is interrupted', async () => {
    const child = run('--json')
    const printed: Record<string, unknown>[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(JSON.parse(line))
      const { type } = printed.at(-1) ?? {}
      if (type === 'status') office.happen(alpha, 'dream.began', { number: 1 })
      if (type === 'event') child.kill('SIGINT')
    }
    expect(printed).toContainEqual({ type: 'link', link: { type: 'live' } })
    expect(printed).toContainEqual({ type: 'golem', golem: expect.objectContaining({ name: 'Alpha DCA' }) })
    expect(printed).toContainEqual({ type: 'event', event: expect.objectContaining({ name: 'dream.began' }) })
    expect(child.exitCode ?? (await once(child, 'close'))[0]).toBe(0)
  })

  it.each([['--plain'], ['--json']])('reports with %s that it waits, and exits with 0', async (word) => {
    await stub[Symbol.asyncDispose]()
    const child = run(word)
    let notes = ''
    for await (const text of child.stderr.setEncoding('utf8')) {
      notes += text
      if (notes.includes('bardo up')) child.kill('SIGINT')
    }
    expect(notes).toContain('No Bardo process is running for this data folder. Waiting for a connection.')
    expect(child.exitCode ?? (await once(child, 'close'))[0]).toBe(0)
  })

  it('reports that keys are off, and prints lines', async () => {
    const child = run('Beta')
    let notes = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      notes += text
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (lines.length === 1) {
        office.happen(alpha, 'dream.began', { number: 1 })
        office.happen(sampleId('Beta'), 'dream.ended', { number: 1 })
      } else child.kill('SIGINT')
    }
    expect(lines[0]).toBe('Beta is alive, in conservation, vitality 41 of 100, permission low.')
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d Beta stopped dreaming\.$/)
    expect(notes).toContain('keys are off')
  })
})
