import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { verifyDeployment } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { connectOffice } from '../office/connectOffice.ts'
import { localOffice } from '../office/localOffice.ts'
import type { Office } from '../office/office.ts'
import { socketPath } from '../office/socketPath.ts'
import { type ChainPlace, findChain } from '../place/findChain.ts'
import { openFolder, placeOf } from '../place/openPlace.ts'
import { sealingSecret } from '../place/sealingSecret.ts'
import { readSettings, type Settings } from '../place/settings.ts'
import type { Run } from '../shell/command.ts'

/** One look. `remedy` says what to do where it is not well. */
type Finding = {
  readonly name: string
  readonly ok: boolean
  readonly note: string
  readonly remedy: string | null
}

/** Below this a database soon cannot write. Origin: ours. */
const leastFreeBytes = 200_000_000
/** A chain whose last block is older may be stuck. The local one mines only when something happens. Origin: ours. */
const mostDriftSeconds = 120n
/** Less gas is not enough for a day. Origin: ours; a redemption takes about 250,000 gas. */
const leastGasWei = 1_000_000_000_000_000n

/** `bardo doctor`: looks at everything, whatever else is wrong. It ends with 1 if something is. */
export const doctor: Run = async (call) => {
  const settings = readSettings(call)
  const findings: Finding[] = []
  const look = async <Seen>(
    name: string,
    work: () => Promise<readonly [string, Seen?]>,
  ): Promise<Seen | undefined> => {
    call.terminal.progress(`Looking at ${name}`)
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
  const chain = await look('chain', async () => {
    const found = await findChain(settings)
    const { chainId } = found.deployment
    return [found.world ? `the local world, id ${chainId}` : `id ${chainId}`, found] as const
  })
  if (chain) {
    await look('contracts', async () => {
      await verifyDeployment(chain.client, chain.deployment)
      return ['all in their places']
    })
    await look('clock', async () => [await clock(chain)])
    const office = await look('database', () => database(settings, chain))
    if (office) await look('gas', async () => [await gas(office)])
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
    throw unwell(`${home} cannot be written.`, 'Choose another with --home or BARDO_HOME.')
  }
  const { bavail, bsize } = statfsSync(home)
  const free = bavail * bsize
  if (free < leastFreeBytes) throw unwell(`${home} has ${free} bytes left.`, 'Make room.')
  return `${home}, ${(free / 1e9).toFixed(1)} GB free`
}

function secret(settings: Settings): string {
  sealingSecret(settings)
  return settings.env['BARDO_KEY_SECRET'] ? 'from BARDO_KEY_SECRET' : 'in the folder, for its owner alone'
}

async function clock({ client, world }: ChainPlace): Promise<string> {
  const { timestamp } = await client.getBlock()
  const behind = BigInt(Math.floor(Date.now() / 1_000)) - timestamp
  if (world ? behind < -mostDriftSeconds : behind > mostDriftSeconds || behind < -mostDriftSeconds)
    throw unwell(
      `The chain's time is ${behind} seconds behind this machine's.`,
      'Set the clock, or ask another node.',
    )
  return `the last block is ${behind} seconds old`
}

async function database(settings: Settings, chain: ChainPlace): Promise<readonly [string, Office]> {
  const there = settings.databaseUrl ? undefined : await connectOffice(socketPath(settings.home))
  const office = there ?? localOffice(placeOf(settings, chain, await openFolder(settings)))
  const golems = await office.ask('golems', {})
  const where = settings.databaseUrl
    ? 'PostgreSQL'
    : there
      ? 'open in another process that answers'
      : 'in the folder'
  return [`${where}, ${golems.length} ${golems.length === 1 ? 'Golem' : 'Golems'}`, office]
}

async function gas(office: Office): Promise<string> {
  const golems = await office.ask('golems', {})
  const living = golems.filter(({ status }) => status === 'alive' || status === 'observing')
  const poor: string[] = []
  for (const { id, name } of living) {
    const { sessionKeys } = await office.ask('status', { golem: id })
    const key = sessionKeys.find(({ status }) => status === 'active')
    if (key?.gasWei && BigInt(key.gasWei) < leastGasWei) poor.push(`${name} (${key.address})`)
  }
  if (poor.length > 0) throw unwell(`Nearly without gas: ${poor.join(', ')}.`, 'Send some ETH to these keys.')
  if (living.length === 0) return 'nobody needs any'
  return living.length === 1 ? 'enough for the one that lives' : `enough for all ${living.length}`
}
