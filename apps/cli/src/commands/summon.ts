import { resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import { openOffice } from '../office/openOffice.ts'
import { readSettings } from '../place/settings.ts'
import type { Call, Run } from '../shell/command.ts'
import { answered } from './answered.ts'
import { askSummons } from './askSummons.ts'
import { compiledText } from './compile.ts'
import { readText } from './readText.ts'
import { textOption } from './words.ts'

/** `bardo summon`. */
export const summon: Run = async (call) => {
  const { terminal } = call
  const { strategyFile, name, configFile, ownerKeyFile, identity } = await askSummons(call)
  const strategy = readText(strategyFile)
  const heartbeat = textOption(call, 'heartbeat')
  const ancestor = textOption(call, 'ancestor')
  const question = {
    name,
    strategy,
    heartbeat: heartbeat === undefined ? null : readText(heartbeat),
    config: configFile === undefined ? null : readText(configFile),
    ...(identity !== undefined && { identity }),
    ...(ancestor !== undefined && { ancestor }),
    ...(ownerKeyFile !== undefined && { ownerKey: resolve(ownerKeyFile) }),
  }
  await using office = await openOffice(readSettings(call))
  const compiled = await office.ask('compile', { strategy, config: question.config })
  if (!compiled.grants)
    throw new BardoError('The strategy asks for nothing that can be granted.', {
      code: 'INVALID_INPUT',
      details: compiled.questions.slice(0, 5).map(({ line, question: asked }) => `line ${line}: ${asked}`),
      docsPath: 'permissions.md#the-strategy',
    })
  if (!terminal.isJson) terminal.note(compiledText(compiled, terminal))
  await agree(call)
  const summoned = await office.ask('summon', question, { note: (text) => terminal.progress(text) })
  const seconds = (summoned.milliseconds.reduce((sum, one) => sum + one, 0) / 1_000).toFixed(1)
  return {
    data: summoned,
    text: [
      `${name} lives, in ${seconds} s: ${summoned.golem}`,
      `It works for ${summoned.account}, where the money stays.`,
      ...summoned.warnings,
    ].join('\n'),
  }
}

async function agree({ options, terminal }: Call): Promise<void> {
  if (options['yes'] === true) return
  if (!terminal.isInteractive)
    throw new BardoError('This is for you to sign, and nobody can be asked here.', {
      code: 'INVALID_INPUT',
      remedy: 'Add --yes.',
    })
  const { confirm } = await import('@clack/prompts')
  const isAgreed = await answered(confirm({ message: 'Sign this, and bring it to life?' }))
  if (!isAgreed) throw new BardoError('Nothing was done.', { code: 'USER_REJECTED' })
}
