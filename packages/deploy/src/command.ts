import { parseArgs } from 'node:util'
import { BardoError, type ChainName, supportedChains } from '@bardo/core'
import { BaseError, formatEther, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { broadcast } from './broadcast.ts'
import { openChain } from './chainClient.ts'
import { contractTitle } from './contractTitle.ts'
import { deployerFrom } from './deployer.ts'
import { type Inspected, inspect } from './inspect.ts'
import { planFor, targetNamed } from './targets.ts'

const usage = `Usage: npm run deploy -- --chain NAME [options]

Shows the addresses of Bardo's contracts on a chain, and deploys them only with --broadcast.

  --chain NAME     ${Object.keys(supportedChains).join(', ')}, or a chain id
  --rpc-url URL    a node on that chain: shows what is deployed and what the rest would cost
  --dry-run        send nothing (default)
  --broadcast      deploy what is missing; needs --rpc-url, and BARDO_DEPLOYER_KEY in the environment
  --json           print JSON instead of a table
  --help           print this text`

/** Runs `npm run deploy`. */
export async function command(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void = console.log,
): Promise<void> {
  const options = parse(args)
  if (options.help) return print(usage)

  const chain = targetNamed(options.chain)
  const { rpcUrl } = options
  if (!rpcUrl) return print(options.json ? asJson(planFor(chain)) : asTable(chain, planFor(chain)))

  // Before the first request to the node: an unusable key is refused first.
  const account = options.broadcast ? deployerFrom(env, chain) : undefined
  const client = await openChain(rpcUrl, chain)
  try {
    await show(client, { ...options, chain, rpcUrl, account }, print)
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new BardoError('The RPC node could not answer a request.', {
      code: 'RPC_UNAVAILABLE',
      // Only the first line: the rest repeats the RPC URL, which may contain an API key.
      details: [cause.shortMessage],
      outcome: account ? 'unknown' : 'not-sent',
      remedy: 'Run the command again, or use another node: it must support state overrides in eth_call.',
      docsPath: 'deployment.md#when-it-refuses',
      cause,
    })
  }
}

type Shown = {
  readonly chain: ChainName
  readonly rpcUrl: string
  readonly json: boolean
  /** Pays for the deployment. Undefined in a dry run. */
  readonly account: PrivateKeyAccount | undefined
}

async function show(
  client: PublicClient,
  { chain, rpcUrl, json, account }: Shown,
  print: (text: string) => void,
): Promise<void> {
  const before = await inspect(client, planFor(chain))
  if (!json) print(`${asTable(chain, before)}\n\n${await costLine(client, chain, before)}`)
  if (!account) {
    if (json) print(asJson(before))
    return
  }

  const onDeployed = ({ name, address }: Row) => {
    if (!json) print(`deployed ${contractTitle(name)} at ${address}`)
  }
  await broadcast({ client, rpcUrl, chain, account, inspected: before, onDeployed })
  const after = await inspect(client, planFor(chain))
  print(json ? asJson(after) : summary(after))
}

function parse(args: readonly string[]) {
  const refuse = (message: string, cause?: unknown) =>
    new BardoError(message, { code: 'INVALID_INPUT', remedy: usage, docsPath: 'deployment.md', cause })
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        chain: { type: 'string', default: '' },
        'rpc-url': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        broadcast: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.chain && !values.help) throw refuse('--chain is missing.')
    if (values.broadcast && values['dry-run']) throw refuse('--broadcast and --dry-run cannot be combined.')
    if (values.broadcast && !values['rpc-url']) throw refuse('--broadcast needs --rpc-url.')
    return { ...values, rpcUrl: values['rpc-url'] }
  } catch (cause) {
    if (cause instanceof BardoError) throw cause
    throw refuse(cause instanceof Error ? cause.message : `${cause}`, cause)
  }
}

type Row = { readonly name: string; readonly address: string; readonly state?: string; readonly gas?: bigint }

function asTable(chain: ChainName, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, address, state, gas }) =>
    [contractTitle(name).padEnd(width), address, state, gas?.toLocaleString('en')].filter(Boolean).join('  '),
  )
  return [`${chain}, chain ${supportedChains[chain].id}`, '', ...lines].join('\n')
}

function asJson(rows: readonly Row[]): string {
  const plain = rows.map(({ name, address, state, gas }) => ({
    name: contractTitle(name),
    address,
    ...(state && { state }),
    ...(gas !== undefined && { gas: Number(gas) }),
  }))
  return JSON.stringify(plain, null, 2)
}

async function costLine(client: PublicClient, chain: ChainName, inspected: readonly Inspected[]) {
  const gas = inspected.reduce(
    (sum, contract) => sum + (contract.state === 'missing' ? contract.gas : 0n),
    0n,
  )
  if (gas === 0n) return summary(inspected)
  const cost = formatEther(gas * (await client.getGasPrice()))
  return `${gas.toLocaleString('en')} gas to deploy the missing contracts, ${cost} ${supportedChains[chain].currency} at the current price.`
}

function summary(inspected: readonly Inspected[]): string {
  const count = (state: string) => inspected.filter((contract) => contract.state === state).length
  const waiting = inspected.filter(({ state }) => state === 'waiting')
  return [
    `${count('deployed')} of ${inspected.length} contracts are deployed with the expected code.`,
    ...waiting.map(
      ({ name, needs }) =>
        `${contractTitle(name)} is not deployed: it needs ${needs}, which has no code on this chain.`,
    ),
  ].join('\n')
}
