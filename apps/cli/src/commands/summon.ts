import { resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import { splitProvider } from '@bardo/golem'
import { summonedResult } from '@bardo/operations'
import type { RouteOptions } from '../context/golemSettings.ts'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { readText } from '../text/readText.ts'
import { answered } from './answered.ts'
import { askSummons } from './askSummons.ts'
import { compiledText, requireAddresses } from './compile.ts'
import { signedElsewhere, toSign } from './signedElsewhere.ts'
import { readSignedExposure } from './signedExposure.ts'
import { textOption } from './words.ts'

/** `bardo summon`. */
export const summon: Run = async (call) => {
  const { terminal } = call
  const golemOf = (result: unknown) => summonedResult.parse(result).golem
  const continued = await signedElsewhere(call, summonedText, golemOf)
  if (continued) return continued
  const { strategyFile, heartbeatFile, config, name, configFile, ownerKeyFile, identity } =
    await askSummons(call)
  const strategy = readText(strategyFile)
  const ancestor = textOption(call, 'ancestor')
  const question = {
    name,
    strategy,
    heartbeat: heartbeatFile === undefined ? null : readText(heartbeatFile),
    config: configFile === undefined ? null : readText(configFile),
    ...(identity !== undefined && { identity }),
    ...(ancestor !== undefined && { ancestor }),
    ...routeOption(call),
    ...(ownerKeyFile !== undefined && { ownerKey: resolve(ownerKeyFile) }),
    // From this process's environment: another process may hold the data folder.
    provider: splitProvider(call.env).provider,
  }
  await using office = await openOffice(readSettings(call, config?.rpc?.reveal()))
  const signer = textOption(call, 'owner')
  const compiled = await office.ask('compile', {
    strategy,
    config: question.config,
    ...(signer !== undefined && { owner: signer }),
    ...(question.ownerKey !== undefined && { ownerKey: question.ownerKey }),
  })
  if (!compiled.grants)
    throw new BardoError('The strategy asks for no permission that can be granted.', {
      code: 'INVALID_INPUT',
      details: compiled.questions.slice(0, 5).map(({ line, question: asked }) => `line ${line}: ${asked}`),
      docsPath: 'permissions.md#the-strategy',
    })
  if (!terminal.isJson) terminal.note(compiledText(compiled, terminal))
  requireAddresses(compiled)
  if (call.options['print'] === true) {
    const whose = signer === undefined ? {} : { owner: signer }
    const prepared = await office.ask('prepareSummon', { ...question, ...whose })
    return toSign(call, prepared, compiled.exposure)
  }
  await agree(call)
  const summoned = await office.ask('summon', question, { note: (text) => terminal.progress(text) })
  const ask = (asked: { golem: string }) => office.ask('exposure', asked)
  const { signedExposure, lines } = await readSignedExposure(ask, summoned.golem)
  return {
    data: { ...summoned, exposure: compiled.exposure, together: compiled.together, signedExposure },
    text: [summonedText(summoned), ...lines].join('\n'),
  }
}

/** `--route`, `--bundler` and `--paymaster`. */
function routeOption(call: CommandInput): {
  readonly route?: RouteOptions
} {
  const type = textOption(call, 'route')
  const [bundler, paymaster] = [textOption(call, 'bundler'), textOption(call, 'paymaster')]
  if (type === undefined && (bundler ?? paymaster) === undefined) return {}
  if (type !== 'direct' && type !== 'userOperation')
    throw new UsageError(
      '--route takes direct or userOperation.',
      '--bundler and --paymaster need --route userOperation. Default: what golem.toml says.',
    )
  return { route: { type, ...(bundler && { bundler }), ...(paymaster && { paymaster }) } }
}

function summonedText(result: unknown): string {
  const { name, golem, account, milliseconds, warnings } = summonedResult.parse(result)
  const seconds = (milliseconds.reduce((sum, one) => sum + one, 0) / 1_000).toFixed(1)
  return [
    `${name} is alive after ${seconds} s: ${golem}`,
    `It works for your account ${account}, where the money stays.`,
    ...warnings,
  ].join('\n')
}

async function agree({ options, terminal }: CommandInput): Promise<void> {
  if (options['yes'] === true) return
  if (!terminal.isInteractive)
    throw new BardoError('Your signature is needed, but this is not an interactive terminal.', {
      code: 'INVALID_INPUT',
      remedy: 'Add --yes to sign.',
    })
  const { confirm } = await import('@clack/prompts')
  const isAgreed = await answered(confirm({ message: 'Sign this and start the Golem?' }))
  if (!isAgreed) throw new BardoError('Cancelled. Nothing was signed.', { code: 'USER_REJECTED' })
}
