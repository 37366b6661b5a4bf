import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalog } from '../commands/catalog.ts'
import { runBardo } from '../testing/runBardo.ts'
import { asciiText } from './asciiText.ts'
import { completionFor } from './completion.ts'
import { commandHelp, overview } from './help.ts'
import { nearestName } from './nearestName.ts'
import { parseCommand } from './parseCommand.ts'
import { table } from './table.ts'
import { createTerminal } from './terminal.ts'
import { UsageError } from './UsageError.ts'
import { wrapLines } from './wrapLines.ts'

const binary = join(import.meta.dirname, '../../bin/bardo.js')

describe('help', () => {
  it('lists every command, within 80 columns', () => {
    const text = overview(catalog)
    for (const { name } of catalog) expect(text).toContain(`  ${name} `)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it.each(catalog.map((command) => [command.name, command] as const))(
    'shows the options and examples of %s',
    (name, command) => {
      const text = commandHelp(command)
      expect(text).toContain(`Usage: bardo ${name}`)
      for (const { name: option } of command.options) expect(text).toContain(`--${option}`)
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
      for (const example of command.examples) expect(example).toContain(`bardo ${name}`)
    },
  )

  it('imports no chain, database or schema library', () => {
    const script = `
      import { registerHooks } from 'node:module'
      registerHooks({ load: (url, context, next) => {
        if (/node_modules|packages\\//.test(url)) console.log('LOADED', url)
        return next(url, context)
      } })
      const { main } = await import(${JSON.stringify(join(import.meta.dirname, '../main.ts'))})
      await main(['--help'])`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    expect(stdout).toContain('Usage: bardo COMMAND')
    expect(stdout).not.toContain('LOADED')
  })
})

describe('parseCommand', () => {
  const run = (...words: string[]) => {
    const parsed = parseCommand(words, catalog)
    if (parsed.type !== 'run') throw new Error(parsed.type)
    return parsed.call
  }

  it('parses arguments, options and rest arguments', () => {
    expect(run('adjust', 'Alpha DCA', 'S.md', '--yes').arguments).toEqual({
      GOLEM: 'Alpha DCA',
      STRATEGY: 'S.md',
    })
    expect(run('explain', 'swap', '500', 'USDC', 'to', 'WETH').arguments).toEqual({
      SUBJECT: 'swap 500 USDC to WETH',
    })
    expect(run('status', '--json', '--home', '/x').options).toMatchObject({ json: true, home: '/x' })
    expect(run('status', '--', '--odd').arguments).toEqual({ GOLEM: '--odd' })
  })

  it.each([
    [['stauts'], 'Unknown command "stauts".', 'Did you mean "bardo status"?'],
    [['xyzzy'], 'Unknown command "xyzzy".', 'See bardo --help.'],
    [['--json'], 'Options go after a command: bardo COMMAND --json.', 'See bardo --help.'],
    [['status', '--jsn'], 'Unknown option --jsn for bardo status.', 'Did you mean --json?'],
    [['status', '--frobnicate'], 'Unknown option --frobnicate for bardo status.', 'See bardo status --help.'],
    [['status', '-x'], 'Unknown option -x for bardo status.', 'See bardo status --help.'],
    [['status', '--json=1'], '--json takes no value.', 'See bardo status --help.'],
    [['status', '--home'], '--home needs a value: --home DIR.', 'See bardo status --help.'],
    [['kill'], 'Missing argument GOLEM (name or id of the Golem).', 'See bardo kill --help.'],
    [['tree', 'a', 'b'], 'Unexpected argument "b" for bardo tree.', 'See bardo tree --help.'],
    [['audit', 'verfiy'], '"verfiy" is not a valid WHAT.', 'Did you mean "verify"?'],
    [['completion', 'powershell'], '"powershell" is not a valid SHELL.', 'Choose one of: bash, zsh, fish.'],
    [['\u001b[2J'], 'Unknown command "?[2J".', 'See bardo --help.'],
  ])('refuses %j with a message and a remedy', (words, message, remedy) => {
    expect(() => parseCommand(words, catalog)).toThrow(new UsageError(message, remedy))
    try {
      parseCommand(words, catalog)
    } catch (error) {
      expect(error).toMatchObject({ message, remedy })
    }
  })

  it('exits with 2 and one line for a usage error', async () => {
    const { exit, stderr, stdout } = await runBardo(['stauts'])
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toBe('Unknown command "stauts". Did you mean "bardo status"?\n')
    const json = await runBardo(['stauts', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'USAGE' } })
  })
})

describe('nearestName', () => {
  it('finds the most similar name, and none for an unrelated one', () => {
    const names = ['status', 'summon', 'up', 'kill']
    expect(nearestName('sumon', names)).toBe('summon')
    expect(nearestName('klil', names)).toBe('kill')
    expect(nearestName('stat', names)).toBe('status')
    expect(nearestName('zz', names)).toBeUndefined()
  })
})

describe('the terminal', () => {
  const open = (options: { tty?: boolean; env?: NodeJS.ProcessEnv; isJson?: boolean; isPlain?: boolean }) => {
    const { tty = false, env = {}, ...rest } = options
    const out: string[] = []
    const err: string[] = []
    const stream = (list: string[]) => ({ isTTY: tty, columns: 80, write: (text: string) => list.push(text) })
    const terminal = createTerminal({
      stdin: { isTTY: tty },
      stdout: stream(out),
      stderr: stream(err),
      env,
      ...rest,
    })
    return { terminal, out, err }
  }

  it('wraps a long sentence at spaces on a screen, and keeps it on one line in a pipe', () => {
    const sentence =
      `Alpha DCA is renewed until 2026-12-16 14:56 UTC. ${'Today’s spending still counts. '.repeat(3)}`.trim()
    const screen = open({ tty: true })
    screen.terminal.print(sentence)
    screen.terminal.note(sentence)
    for (const text of [screen.out.join(''), screen.err.join('').replace('\r\u001b[2K', '')]) {
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
      expect(text.replaceAll('\n', ' ').trim()).toBe(sentence)
    }
    const command = `  bardo requests 0x${'ab'.repeat(32)}:death:1794841859:fileRevocation yes`
    screen.out.length = 0
    screen.terminal.print(command)
    expect(screen.out.join('')).toBe(`${command}\n`)
    const pipe = open({})
    pipe.terminal.print(sentence)
    expect(pipe.out.join('')).toBe(`${sentence}\n`)
  })

  it('uses colours only on a screen', () => {
    expect(open({ tty: true }).terminal.stress('red', 'x')).toBe('\u001b[31mx\u001b[39m')
    for (const plain of [
      open({}),
      open({ tty: true, env: { NO_COLOR: '1' } }),
      open({ tty: true, env: { TERM: 'dumb' } }),
      open({ tty: true, isPlain: true }),
    ])
      expect(plain.terminal.stress('red', 'x')).toBe('x')
  })

  it('overwrites progress on a screen, and prints lines elsewhere', () => {
    const screen = open({ tty: true })
    screen.terminal.progress('one')
    screen.terminal.progress('two')
    screen.terminal.print('done')
    expect(screen.err.join('')).toBe('\r\u001b[2Kone\r\u001b[2Ktwo\r\u001b[2K')
    expect(screen.out).toEqual(['done\n'])
    const file = open({})
    file.terminal.progress('one')
    expect(file.err).toEqual(['one\n'])
    const json = open({ isJson: true })
    json.terminal.progress('one')
    expect(json.err).toEqual([])
  })

  it('prints only ASCII if the locale is not UTF-8', () => {
    const { terminal, out } = open({ env: { LC_ALL: 'C' } })
    terminal.print('✓ the owner’s → 1 … └─ é')
    expect(out).toEqual(["ok the owner's -> 1 ... `- ?\n"])
    expect(asciiText('a\nb')).toBe('a\nb')
    expect(asciiText('\u001b[1m• é\u001b[22m \u001b[2J')).toBe('\u001b[1m* ?\u001b[22m ?[2J')
    const plain = open({ isPlain: true, env: { LANG: 'en_GB.UTF-8' } })
    expect([plain.terminal.width, open({ env: { LANG: 'en_GB.UTF-8' } }).terminal.width]).toEqual([76, 80])
    plain.terminal.print('…')
    expect(plain.out).toEqual(['...\n'])
  })

  it('removes control characters', () => {
    expect(table([['\u001b[2J\u0007evil\u202e']], 80)).toBe('?[2J?evil?')
  })

  it('fits tables and trees to the width', () => {
    const long = 'x'.repeat(200)
    const text = table(
      [
        ['NAME', 'WHAT'],
        ['a', long],
      ],
      80,
    )
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(wrapLines(`├╴ ${'word '.repeat(40)}end`, 40).split('\n')[1]).toMatch(/^│ {2}word/)
  })
})

describe('completion', () => {
  it('completes every command and option, with a valid script for each shell', () => {
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const script = completionFor(shell, catalog)
      for (const { name } of catalog) expect(script).toContain(name)
    }
    const script = `${completionFor('bash', catalog)}
      bardo() { printf 'Alpha DCA\\nbeta\\n'; }
      COMP_WORDS=(bardo "$1" "$2"); COMP_CWORD=$3; _bardo; printf '%s\\n' "\${COMPREPLY[@]}"`
    const complete = (...words: string[]) =>
      spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')
    expect(complete('sta', '', '1')).toEqual(['status'])
    expect(complete('status', '--js', '2')).toEqual(['--json'])
    expect(complete('tree', 'Al', '2')).toEqual(['Alpha\\ DCA'])
    expect(complete('audit', 'v', '2')).toEqual(['verify'])
  })
})

describe('the process', () => {
  it('starts as a program and prints its version', () => {
    const { stdout, status } = spawnSync(process.execPath, [binary, '--version'], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '0.1.0\n', status: 0 })
  })
})
