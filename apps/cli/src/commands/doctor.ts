import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { readGasPrice, verifyDeployment } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { unknownVariables } from '@bardo/golem'
import { type ChainConnection, findChain } from '../context/findChain.ts'
import { contextOf, openFolder } from '../context/openContext.ts'
import { operatorModels } from '../context/operatorModels.ts'
import { sealingSecret } from '../context/sealingSecret.ts'
import { readSettings, type Settings } from '../context/settings.ts'
import { connectOffice } from '../rpc/connectOffice.ts'
import { localOffice } from '../rpc/localOffice.ts'
import type { Answer, Office } from '../rpc/office.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { Run } from '../terminal/command.ts'
import { checkGas, checkNonces, type GasOfKey } from './keyChecks.ts'

/** The result of one check. `remedy` says how to fix a problem. */
type Finding = {
  readonly name: string
  readonly ok: boolean
  readonly note: string
  readonly remedy: string | null
}

/** With less free space than this, the database soon cannot write. */
const leastFreeBytes = 200_000_000
/** A chain whose last block is older may be stuck. The local chain mines only on demand, so its age is not checked. */
const mostDriftSeconds = 120n

/** `bardo doctor`: runs every check, even after one fails. Exit code 1 if a check fails. */
export const doctor: Run = async (call) => {
  const settings = readSettings(call)
  const findings: Finding[] = []
  const look = async <Seen>(
    name: string,
    work: () => Promise<readonly [string, Seen?]>,
  ): Promise<Seen | undefined> => {
    call.terminal.progress(`Checking ${name}`)
    try {
      const [note, seen] = await work()
      findings.push({ name, ok: true, note, remedy: null })
      return seen
    } catch (error) {
      findings.push({ name, ok: false, ...complaint(error) })
      return undefined
    }
  }
  await look('node', async () => [process.versions.node])
  await look('folder', async () => [folder(settings.home)])
  await look('secret', async () => [secret(settings)])
  await look('settings', async () => [variables(settings)])
  const chain = await look('chain', async () => {
    const chain = await findChain(settings)
    const { chainId } = chain.deployment
    return [chain.world ? `local chain, id ${chainId}` : `id ${chainId}`, chain] as const
  })
  if (chain) {
    await look('contracts', async () => {
      await verifyDeployment(chain.client, chain.deployment)
      return ['all deployed']
    })
    await look('clock', async () => [await clock(chain)])
    const office = await look('database', () => database(settings, chain))
    if (office) {
      await look('address book', async () => [bookNote(await office.ask('book', {}))])
      await look('gas', async () => [await gas(office, chain)])
      await look('nonces', async () => [checkNonces(await office.ask('nonces', {}))])
    }
    await office?.[Symbol.asyncDispose]()
  }
  const isWell = findings.every(({ ok }) => ok)
  const { stress } = call.terminal
  return {
    data: { ok: isWell, findings },
    text: findings
      .map(({ name, ok, note, remedy }) =>
        [
          `${ok ? stress('green', '✓') : stress('red', '✗')} ${name}: ${note}`,
          ...(remedy ? [`    ${remedy}`] : []),
        ].join('\n'),
      )
      .join('\n'),
    exit: isWell ? 0 : 1,
  }
}

function complaint(error: unknown): Pick<Finding, 'note' | 'remedy'> {
  if (error instanceof BardoError)
    return { note: [error.shortMessage, ...error.details].join(' '), remedy: error.remedy ?? null }
  return { note: error instanceof Error ? error.message : `${error}`, remedy: null }
}

function unwell(note: string, remedy: string): BardoError {
  return new BardoError(note, { code: 'CONFIG_INVALID', remedy })
}

function folder(home: string): string {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    accessSync(home, constants.W_OK)
  } catch {
    throw unwell(`${home} is not writable.`, 'Choose another folder with --home or BARDO_HOME.')
  }
  const { bavail, bsize } = statfsSync(home)
  const free = bavail * bsize
  if (free < leastFreeBytes)
    throw unwell(
      `Only ${(free / 1e6).toFixed(0)} MB are free in ${home}; ${leastFreeBytes / 1e6} MB are needed.`,
      'Free some disk space.',
    )
  return `${home}, ${(free / 1e9).toFixed(1)} GB free`
}

function secret(settings: Settings): string {
  sealingSecret(settings)
  return settings.env['BARDO_KEY_SECRET'] ? 'from BARDO_KEY_SECRET' : 'file in the data folder, mode 600'
}

/** Finds unknown BARDO_ variables, and a model key without an endpoint. */
function variables(settings: Settings): string {
  const unknown = unknownVariables(settings.env)
  if (unknown.length > 0)
    throw unwell(
      `Not a setting of Bardo: ${unknown.join(', ')}.`,
      'Correct or remove it; docs/golem.md lists the variables.',
    )
  const { entries } = operatorModels(settings)
  if (settings.env['BARDO_MODEL_KEY'] && !settings.env['BARDO_MODEL_ENDPOINT'])
    throw unwell(
      'BARDO_MODEL_KEY is set without BARDO_MODEL_ENDPOINT, so it is not used.',
      'Set BARDO_MODEL_ENDPOINT to the endpoint of this key.',
    )
  return entries.size === 0 ? 'no models' : `models: ${[...entries.keys()].join(', ')}`
}

async function clock({ client, world }: ChainConnection): Promise<string> {
  const { timestamp } = await client.getBlock()
  const behind = BigInt(Math.floor(Date.now() / 1_000)) - timestamp
  if (world ? behind < -mostDriftSeconds : behind > mostDriftSeconds || behind < -mostDriftSeconds)
    throw unwell(
      `The chain's clock is ${behind} seconds behind this machine's.`,
      'Correct this machine’s clock, or use another node with --rpc.',
    )
  return `the last block is ${behind} seconds old`
}

/** A problem counts if a living Golem has signed the address, or if the chain needs an entry that is missing. */
function bookNote({ chainId, entries, lacks }: Answer<'book'>): string {
  const problems = entries.filter(({ problem }) => problem !== null)
  const used = problems.filter(({ usedBy }) => usedBy.length > 0)
  if (used.length > 0)
    throw unwell(
      used.map(({ problem, usedBy }) => `${problem}; signed by ${usedBy.join(', ')}`).join('. '),
      `Check the RPC node. If it is right, revoke or adjust these Golems, and correct book-${chainId}.json if the entry is yours.`,
    )
  if (lacks) throw unwell(lacks.what, lacks.remedy ?? '')
  const unverified = entries.filter(({ isVerified }) => !isVerified)
  return [
    `${entries.length} addresses`,
    unverified.length === 0
      ? 'all verified'
      : `not verified: ${unverified.map(({ entry, address }) => `${entry} ${address}`).join(', ')}`,
    ...(problems.length > 0
      ? [`no Golem uses ${problems.map(({ problem }) => problem).join('; ')} (bardo book)`]
      : []),
  ].join('; ')
}

async function database(settings: Settings, chain: ChainConnection): Promise<readonly [string, Office]> {
  const there = settings.databaseUrl ? undefined : await connectOffice(socketPath(settings.home))
  const office = there ?? localOffice(contextOf(settings, chain, await openFolder(settings)))
  const golems = await office.ask('golems', {})
  const where = settings.databaseUrl
    ? 'PostgreSQL'
    : there
      ? 'held by a running Bardo process'
      : 'in the data folder'
  return [`${where}, ${golems.length} ${golems.length === 1 ? 'Golem' : 'Golems'}`, office]
}

async function gas(office: Office, { client }: ChainConnection): Promise<string> {
  const golems = await office.ask('golems', {})
  const living = golems.filter(({ status }) => status !== 'dead' && status !== 'onboarding')
  const keys: GasOfKey[] = []
  for (const { id, name } of living) {
    const { sessionKeys } = await office.ask('status', { golem: id })
    const key = sessionKeys.find(({ status }) => status === 'active')
    if (key?.gasWei) keys.push({ name, address: key.address, wei: BigInt(key.gasWei) })
  }
  return checkGas(keys, await readGasPrice(client))
}
