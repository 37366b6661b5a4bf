/** `npm run pictures`: runs each screen in its own terminal, and draws its content. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerSummon } from '../../apps/cli/src/testing/answerSummon.ts'
import {
  type Cell,
  type PseudoOptions,
  type PseudoTerminal,
  startInTerminal,
} from '../../apps/cli/src/testing/pseudoTerminal.ts'
import { isEvent, startUp } from '../../apps/cli/src/testing/startUp.ts'
import { serveStubOffice } from '../../apps/cli/src/testing/stubOffice.ts'
import { pictureAt, sampleWorld } from './sampleWorld.ts'
import { screenSvg } from './screenSvg.ts'
import { createSteadyText } from './steadyText.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const demo = join(import.meta.dirname, '../../apps/cli/src/demo/bin.ts')

/** Writes a picture of the cells that are not empty, with stable text for what differs from run to run. */
function write(name: string, title: string, cells: readonly (readonly Cell[])[]): void {
  const steady = createSteadyText()
  const text = steady(cells.map((row) => row.map((cell) => cell.text || ' ').join('')).join('\n')).split('\n')
  const same = cells.map((row, at) => {
    const letters = [...(text[at] ?? '')]
    return row.map((cell, column) => ({ ...cell, text: letters[column] ?? ' ' }))
  })
  const last = same.findLastIndex((row) => row.some((cell) => cell.text.trim() !== ''))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.svg`), screenSvg(same.slice(0, last + 1), title))
  console.log(`docs/pictures/${name}.svg`)
}

/** Runs a command to its end, or until `act` has finished. */
async function take(
  words: readonly string[],
  options: PseudoOptions,
  act: (terminal: PseudoTerminal) => Promise<unknown> = (terminal) => terminal.ended,
): Promise<readonly (readonly Cell[])[]> {
  using terminal = startInTerminal(words, options)
  await act(terminal)
  return terminal.cells()
}

const shows =
  (...texts: readonly string[]) =>
  (terminal: PseudoTerminal) =>
    terminal.until((screen) => texts.every((text) => screen.includes(text)))

async function pictureWatch(home: string): Promise<void> {
  await using _stub = await serveStubOffice(home, sampleWorld().answers)
  const options = {
    columns: 120,
    rows: 30,
    node: ['--import', join(import.meta.dirname, 'frozenClock.ts')],
    env: { BARDO_PICTURE_AT: `${pictureAt}` },
  }
  const isThere = shows(
    '● live',
    'all 7 checks pass',
    '0x7d1f:feed',
    '$96 of $100',
    '$40 of $200',
    '$2 of $10',
    '9 h',
  )
  write('watch', 'bardo watch', await take(['watch', '--home', home], options, isThere))
}

async function pictureWorld(home: string): Promise<void> {
  writeFileSync(
    join(home, 'STRATEGY.md'),
    'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n',
  )
  const up = startUp(home)
  try {
    await up.until(isEvent('action.landed'))
    const at = { rows: 60, cwd: home }
    const one = ['--home', home]
    write('status', 'bardo status', await take(['status', ...one], at))
    write('tree', 'bardo tree', await take(['tree', ...one], at))
    const request = ['explain', 'swap', '5000', 'USDC', 'to', 'WETH']
    write('explain', `bardo ${request.join(' ')}`, await take([...request, ...one], at))
    write('summon', 'bardo summon', await take(['summon', ...one], at, summon))
  } finally {
    up.signal('SIGINT')
    await up.ended
  }
}

async function summon(terminal: PseudoTerminal): Promise<void> {
  await answerSummon(terminal, 'STRATEGY.md', 'Harbour')
  terminal.type('y')
  await terminal.ended
}

/** The chapter in which the attempted theft is refused. */
async function pictureDemo(): Promise<void> {
  if (!existsSync(demo)) return console.log('The demo is missing: skipped.')
  const cells = await take([], { rows: 600, program: demo })
  const lines = cells.map((row) => row.map(({ text }) => text).join(''))
  const begin = lines.findIndex((line) => line.startsWith('5. '))
  const end = lines.findIndex((line) => line.startsWith('6. '))
  write('demo', 'npm run demo', cells.slice(Math.max(0, begin), end < 0 ? undefined : end))
}

const home = mkdtempSync(join(tmpdir(), 'bardo-pictures-'))
try {
  write('help', 'bardo --help', await take(['--help'], { rows: 60 }))
  await pictureWatch(join(home, 'sample'))
  await pictureWorld(home)
  await pictureDemo()
} finally {
  rmSync(home, { recursive: true, force: true })
}
