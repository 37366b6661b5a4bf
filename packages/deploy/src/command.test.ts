import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { BardoError, type ChainName, type ErrorCode, type SupportedChain, supportedChains } from '@bardo/core'
import { type Anvil, devnetMnemonic, startAnvil } from '@bardo/devnet'
import {
  bytesToHex,
  concat,
  createTestClient,
  type Hex,
  http,
  keccak256,
  parseEther,
  publicActions,
  stringToHex,
  toHex,
  walletActions,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command } from './command.ts'
import { create2Factory, deploymentCall } from './create2Factory.ts'
import { planFor } from './targets.ts'

const publicChains = ['base', 'ethereum', 'celo', 'arbitrum', 'base-sepolia', 'sepolia'] as const
const key = keccak256(stringToHex('a deployer of these tests'))
const deployer = privateKeyToAccount(key)
const withKey = { BARDO_DEPLOYER_KEY: key }

/** The output of a run of the command. */
async function run(args: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const printed: string[] = []
  await command(args.split(' ').filter(Boolean), env, (text) => printed.push(text))
  return printed.join('\n')
}

async function refusal(args: string, env: NodeJS.ProcessEnv = {}): Promise<BardoError> {
  const error = await run(args, env).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof BardoError) return error
  return expect.fail(`expected a refusal, got ${error}`)
}

type Row = { name: string; address: Hex; state: string; gas?: number }
const rows = async (args: string, env?: NodeJS.ProcessEnv) => JSON.parse(await run(args, env)) as Row[]
const states = (all: readonly Row[]) => [...new Set(all.map(({ state }) => state))]

let anvil: Anvil
let client: ReturnType<typeof connect>

function connect(url: string) {
  return createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

async function open(chain: ChainName) {
  anvil = await startAnvil({ port: 0, chainId: supportedChains[chain].id })
  client = connect(anvil.url)
  await client.setBalance({ address: deployer.address, value: parseEther('10') })
  const { identityRegistry }: SupportedChain = supportedChains[chain]
  if (identityRegistry) await client.setCode({ address: identityRegistry, bytecode: '0xfe' })
}

const sent = () => client.getTransactionCount({ address: deployer.address })

describe('without a node', () => {
  it('prints the address of every contract', async () => {
    const lines = (await run('--chain base')).split('\n')
    for (const { address } of planFor('base')) expect(lines.join()).toContain(address)
    expect(lines).toHaveLength(planFor('base').length + 2)
  })

  it('accepts a chain by its id, and prints JSON', async () => {
    expect(await run('--chain 8453 --json')).toBe(await run('--chain base --dry-run --json'))
    expect(await rows('--chain 1 --json')).toContainEqual({
      name: 'CageEnforcer',
      address: planFor('base').find(({ name }) => name === 'cageEnforcer')?.address,
    })
  })

  it.each([
    ['', 'INVALID_INPUT', '--chain is missing.'],
    ['--chain polygon', 'UNSUPPORTED_CHAIN', 'base (8453)'],
    ['--chain base --broadcast', 'INVALID_INPUT', '--broadcast needs --rpc-url.'],
    [
      '--chain base --rpc-url http://127.0.0.1:1 --broadcast --dry-run',
      'INVALID_INPUT',
      'cannot be combined',
    ],
    ['--chain base --send', 'INVALID_INPUT', '--send'],
    ['--chain base --rpc-url http://127.0.0.1:1', 'RPC_UNAVAILABLE', 'Check --rpc-url'],
  ] satisfies [string, ErrorCode, string][])('refuses `%s` with %s', async (args, code, text) => {
    const error = await refusal(args)
    expect(error.code).toBe(code)
    expect(error.message).toContain(text)
  })

  it('reports a node without state overrides, without the API key in its URL', async () => {
    const answers: Record<string, unknown> = { eth_chainId: '0x2105', eth_getCode: create2Factory.code }
    const node = createServer(async (request, response) => {
      const { id, method } = (await json(request)) as { id: number; method: string }
      const error = { code: -32602, message: 'too many arguments, want at most 2' }
      const answer = answers[method] ? { result: answers[method] } : { error }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    }).listen(0, '127.0.0.1')
    await once(node, 'listening')
    const { port } = node.address() as AddressInfo
    const error = await refusal(`--chain base --rpc-url http://127.0.0.1:${port}/my-api-key`)
    node.close()
    expect(error.code).toBe('RPC_UNAVAILABLE')
    expect(error.message).toContain('state overrides')
    expect(error.message).not.toContain('my-api-key')
  })

  it('refuses to broadcast without a valid key', async () => {
    const args = '--chain base --rpc-url http://127.0.0.1:1 --broadcast'
    expect((await refusal(args)).message).toContain('BARDO_DEPLOYER_KEY is not set.')
    for (const notAKey of ['secret', '0x1234', toHex(0, { size: 32 }), `0x${'f'.repeat(64)}`]) {
      const error = await refusal(args, { BARDO_DEPLOYER_KEY: notAKey })
      expect(error.code).toBe('INVALID_INPUT')
      expect(error.message).not.toContain(notAKey)
    }
  })

  it.each([0, 9, 19])('refuses anvil’s public key %i, on any chain but the devnet', async (addressIndex) => {
    const { privateKey } = mnemonicToAccount(devnetMnemonic, { addressIndex }).getHdKey()
    const env = { BARDO_DEPLOYER_KEY: bytesToHex(privateKey ?? new Uint8Array()) }
    for (const chain of publicChains) {
      const error = await refusal(`--chain ${chain} --rpc-url http://127.0.0.1:1 --broadcast`, env)
      expect(error.code).toBe('KEY_NOT_SECRET')
      expect(error.remedy).toContain('your own key')
      expect(error.message).not.toContain(env.BARDO_DEPLOYER_KEY)
    }
    // There it is accepted: the error is that no node answers.
    const args = '--chain devnet --rpc-url http://127.0.0.1:1 --broadcast'
    expect((await refusal(args, env)).code).toBe('RPC_UNAVAILABLE')
  })
})

describe.each(publicChains)('on a chain with the id of %s', (chain) => {
  beforeEach(() => open(chain))
  afterEach(() => anvil.stop())

  it('deploys every contract at its planned address, once', async () => {
    const args = `--chain ${chain} --rpc-url ${anvil.url} --json`
    const deployed = await rows(`${args} --broadcast`, withKey)
    expect(states(deployed)).toEqual(['deployed'])
    expect(deployed.map(({ address }) => address)).toEqual(planFor(chain).map(({ address }) => address))
    for (const { address, name } of deployed) expect(await client.getCode({ address }), name).toBeDefined()
    expect(await sent()).toBe(deployed.length)

    expect(await rows(`${args} --broadcast`, withKey)).toEqual(deployed)
    expect(await sent()).toBe(deployed.length)
  })
})

describe('on one chain', () => {
  const chain = 'base'
  const plan = planFor(chain)
  const args = () => `--chain ${chain} --rpc-url ${anvil.url}`
  beforeEach(() => open(chain))
  afterEach(() => anvil.stop())

  it('sends nothing without --broadcast, and prints the cost', async () => {
    const block = await client.getBlockNumber()
    const text = await run(args(), withKey)
    expect(text).toMatch(/CageEnforcer +0x[0-9a-fA-F]{40} {2}missing {2}[\d,]+\n/)
    expect(text).toMatch(/[\d,]+ gas to deploy the missing contracts, 0\.\d+ ETH at the current price\.$/)
    expect(await client.getBlockNumber()).toBe(block)
    expect(await sent()).toBe(0)
  })

  it('continues after an earlier run, and skips contracts that others deployed', async () => {
    const [stranger] = await client.getAddresses()
    for (const contract of plan.slice(3, 6)) {
      const hash = await client.sendTransaction({
        account: stranger ?? deployer.address,
        chain: null,
        ...deploymentCall(contract),
      })
      await client.waitForTransactionReceipt({ hash })
    }
    const text = await run(`${args()} --broadcast`, withKey)
    expect(text).toContain(`${plan.length} of ${plan.length} contracts are deployed`)
    expect(await sent()).toBe(plan.length - 3)
  })

  it('skips the guardian without an identity registry, and deploys the rest', async () => {
    await client.setCode({ address: supportedChains[chain].identityRegistry, bytecode: '0x' })
    const text = await run(`${args()} --broadcast`, withKey)
    expect(text).toContain(`${plan.length - 1} of ${plan.length} contracts are deployed`)
    expect(text).toContain(
      `IdentityGuardian is not deployed: it needs ${supportedChains[chain].identityRegistry}`,
    )
  })

  it('never prints the key', async () => {
    const text = await run(`${args()} --broadcast`, withKey)
    expect(text.toLowerCase()).not.toContain(key.slice(2))
  })

  it('refuses a node on another chain', async () => {
    const error = await refusal(`--chain ethereum --rpc-url ${anvil.url} --broadcast`, withKey)
    expect(error.code).toBe('CHAIN_MISMATCH')
    expect(error.details).toEqual(['ethereum is chain 1', expect.stringContaining('chain 8453')])
    expect(await sent()).toBe(0)
  })

  it.each([
    ['no code', '0x'],
    ['other code', '0x6001'],
  ] as const)('refuses a chain whose CREATE2 factory has %s', async (what, bytecode) => {
    await client.setCode({ address: create2Factory.address, bytecode })
    const error = await refusal(args())
    expect(error.code).toBe('FACTORY_MISSING')
    expect(error.details[0]).toBe(`${create2Factory.address} has ${what}`)
    expect(error.remedy).toContain('pre-signed transaction')
  })

  it('refuses to start without enough balance', async () => {
    await client.setBalance({ address: deployer.address, value: parseEther('0.001') })
    const error = await refusal(`${args()} --broadcast`, withKey)
    expect(error.code).toBe('INSUFFICIENT_FUNDS')
    expect(error.details).toEqual([
      `${deployer.address} on base`,
      'balance: 0.001 ETH',
      expect.stringMatching(/^needed: up to 0\.\d+ ETH, at \d+ wei per unit of gas$/),
    ])
    expect(await sent()).toBe(0)
  })

  it('refuses a contract whose code differs by a single byte', async () => {
    await run(`${args()} --broadcast`, withKey)
    const { address, name } = plan[4] ?? expect.fail('no such contract')
    const code = await client.getCode({ address })
    await client.setCode({ address, bytecode: concat([code ?? '0x', '0x00']) })
    const error = await refusal(args())
    expect(error.code).toBe('CODE_MISMATCH')
    expect(error.message).toContain(name)
    expect(error.details).toEqual([`address: ${address}`])
  })
})
