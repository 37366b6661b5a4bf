import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import type { CommandInput, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { answered } from './answered.ts'
import { configText, type TemplateName, templates } from './init/templates.ts'
import { numberOption, textOption } from './words.ts'

/** The chain of `bardo up`. */
const localChain = 31_337
const names = Object.keys(templates).filter((name): name is TemplateName => Object.hasOwn(templates, name))

/** `bardo init`. */
export const init: Run = async (call) => {
  const folder = resolve(call.arguments['FOLDER'] ?? '.')
  const chain = numberOption(call, 'chain', { least: 1, most: 999_999_999, otherwise: localChain })
  const name = await chooseTemplate(call)
  const template = templates[name]
  const files = {
    'STRATEGY.md': template.strategy,
    'HEARTBEAT.md': template.heartbeat,
    'golem.toml': configText(template, chain),
  }
  writeAll(folder, files)
  const config = join(folder, 'golem.toml')
  const written = Object.keys(files).map((file) => join(folder, file))
  return {
    data: { template: name, chain, files: written },
    text: [
      `${name}: ${template.summary}.`,
      ...written.map((file) => `  ${file}`),
      'Change STRATEGY.md as you like: docs/strategy.md has every kind of sentence. Then:',
      `  bardo compile ${quoted(join(folder, 'STRATEGY.md'))}`,
      `  bardo summon --config ${quoted(config)} --name NAME`,
    ].join('\n'),
  }
}

async function chooseTemplate(call: CommandInput): Promise<TemplateName> {
  const given = textOption(call, 'template')
  const known = names.find((name) => name === given)
  if (known) return known
  if (given !== undefined)
    throw new UsageError(`Unknown template "${given}".`, `Templates: ${names.join(', ')}.`)
  if (!call.terminal.isInteractive)
    throw new BardoError('Missing --template, and this is not an interactive terminal.', {
      code: 'INVALID_INPUT',
      details: names.map((name) => `${name}: ${templates[name].summary}`),
      remedy: 'Name one: bardo init FOLDER --template weekly-buyer',
    })
  const { select } = await import('@clack/prompts')
  const options = names.map((value) => ({ value, label: value, hint: templates[value].summary }))
  return answered(select<TemplateName>({ message: 'What should the Golem do?', options }))
}

/** Writes all files or none: a file that exists is never changed. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new BardoError('Cannot create the folder.', { code: 'INVALID_INPUT', details: [folder], cause })
  }
  const existing = Object.keys(files).filter((file) => existsIn(folder, file))
  if (existing.length > 0)
    throw new BardoError('The folder already has files of a Golem. Nothing was written.', {
      code: 'INVALID_INPUT',
      details: existing.map((file) => join(folder, file)),
      remedy: 'Name another folder, or move these files away.',
    })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text, { flag: 'wx' })
}

function existsIn(folder: string, file: string): boolean {
  return lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined
}

/** A path as a word of a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
