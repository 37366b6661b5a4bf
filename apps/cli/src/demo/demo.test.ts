import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeVitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { decodeRevert, deploymentOn } from '@bardo/core'
import {
  type Address,
  createPublicClient,
  erc20Abi,
  type Hash,
  type Hex,
  http,
  isAddress,
  parseAbi,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const bin = new URL('./bin.ts', import.meta.url).pathname
const hash = z.templateLiteral(['0x', z.string().length(64)])
const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value))
const units = z.string().regex(/^\d+$/).transform(BigInt)
const step = z.object({
  name: z.string(),
  verdict: z.enum(['done', 'refused']),
  milliseconds: z.int(),
  transaction: hash.optional(),
  gas: units.optional(),
  caveat: z.string().optional(),
  error: z.string().optional(),
  numbers: z.array(z.string()).optional(),
  link: z.int().optional(),
})
const line = z.object({
  name: z.string(),
  address,
  asset: z.enum(['USDC', 'WETH', 'ETH']),
  opening: units,
  received: units,
  sent: units,
  gas: units,
  closing: units,
})
const document = z.object({
  url: z.string(),
  steps: z.array(step),
  refusals: z.array(step),
  feeds: z.array(z.object({ transaction: hash, amount: units })),
  rotations: z.array(z.object({ oldKey: address, newKey: address, reason: z.literal('suspected') })),
  replicants: z.array(z.object({ id: hash, key: address, budgetCents: units, spent: units })),
  revocations: z.array(z.object({ delegation: hash, delegator: address, transaction: hash })),
  deaths: z.array(z.object({ golem: hash, trigger: z.string(), impossible: z.literal(0) })),
  leftBehind: z.literal(0),
  balanceSheet: z.object({
    lines: z.array(line),
    blocks: z.object({ first: units, last: units }),
    addsUp: z.literal(true),
  }),
  promises: z.array(z.object({ kept: z.boolean(), what: z.string() })),
  milliseconds: z.int(),
})

/** Starts the demo as a process, with its own temporary folder. */
function start(args: readonly string[], temporary = tmpdir()) {
  const env = { ...process.env, TMPDIR: temporary, DO_NOT_TRACK: '1' }
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { child, output, ended }
}

describe('the full lifecycle', () => {
  let running: ReturnType<typeof start>
  let temporary: string
  let life: z.output<typeof document>
  let client: ReturnType<typeof connect>
  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'bardo-demo-test-'))
    running = start(['--json', '--keep'], temporary)
    life = document.parse(JSON.parse(await firstDocument(running)))
    client = connect(life.url)
  }, 120_000)
  afterAll(async () => {
    running.child.kill('SIGKILL')
    await rm(temporary, { recursive: true, force: true })
  })

  const connect = (url: string) => createPublicClient({ chain: foundry, transport: http(url), cacheTime: 0 })
  const receiptOf = (transaction: Hash) => client.getTransactionReceipt({ hash: transaction })

  it('keeps every promise, within a minute', () => {
    expect(life.promises.filter(({ kept }) => !kept)).toEqual([])
    expect(life.promises.length).toBeGreaterThanOrEqual(25)
    expect(life.milliseconds).toBeLessThan(60_000)
    expect(running.output.err).toBe('')
  })

  it('reports each transaction with the status and gas of its receipt', async () => {
    expect(new Set(life.steps.map(({ name }) => name)).size).toBe(life.steps.length)
    const sent = life.steps.filter(({ transaction }) => transaction)
    expect(sent.length).toBeGreaterThanOrEqual(20)
    for (const { transaction = '0x', verdict, gas } of sent) {
      const { status, gasUsed } = await receiptOf(transaction)
      expect(status).toBe(verdict === 'done' ? 'success' : 'reverted')
      expect(gas).toBe(gasUsed)
    }
  })

  it('names the caveat that refused, and its error from the revert data', async () => {
    expect(life.refusals.map(({ name, caveat, error }) => [name, caveat, error])).toEqual([
      ['runway-theft', 'AllowedCalldata', 'AllowedCalldataEnforcer:invalid-calldata'],
      ['over-limit', 'Cage', 'SpendLimitExceeded'],
      ['stranger', 'Cage', 'RecipientNotAccount'],
      ['replicant-beyond', 'ReplicantBudget', 'AllowanceExceeded'],
      ['old-key', 'DelegationManager', 'CannotUseADisabledDelegation'],
      ['silent-swap', 'Cage', 'ClassNotAllowedInPhase'],
      ['late-deposit', 'Cage', 'ClassNotAllowedInPhase'],
    ])
    for (const { transaction = '0x', error, numbers, link } of life.refusals) {
      const revert = decodeRevert(await revertData(transaction))
      expect(error).toBe(revert.name === 'Error' ? revert.text : revert.name)
      expect(numbers).toEqual(revert.name === 'Error' ? [] : revert.args.map(String))
      expect(link).toBe(0)
    }
    const numbersOf = (name: string) => life.refusals.find((one) => one.name === name)?.numbers
    expect(numbersOf('over-limit')).toEqual(['20000', '25000', '30000'])
    expect(numbersOf('replicant-beyond')).toEqual(['1500', '500', '1500'])
  })

  it('has a balance sheet that matches the chain and adds up to the last unit', async () => {
    const { lines, blocks } = life.balanceSheet
    expect(lines).toHaveLength(15)
    expect(await client.getBlockNumber()).toBe(blocks.last)
    for (const { asset, address, opening, received, sent, gas, closing } of lines) {
      expect([opening, closing]).toEqual([
        await balanceOf(asset, address, blocks.first),
        await balanceOf(asset, address, blocks.last),
      ])
      expect(opening + received - sent - gas).toBe(closing)
    }
    // The owner's total: two dollars went to the operator, the rest to Uniswap.
    const total = (asset: string, side: 'opening' | 'closing') =>
      lines.filter((one) => one.asset === asset).reduce((sum, one) => sum + one[side], 0n)
    expect(total('USDC', 'opening') - total('USDC', 'closing')).toBe(137_000_000n)
    const fees = lines.reduce((sum, { gas }) => sum + gas, 0n)
    expect(total('ETH', 'opening') - total('ETH', 'closing')).toBe(fees)
    expect(fees).toBeGreaterThan(0n)
  })

  it('leaves no money in any session account', async () => {
    const [{ oldKey, newKey } = {}] = life.rotations
    const keys = [oldKey, newKey, ...life.replicants.map(({ key }) => key)]
    expect(keys).toHaveLength(3)
    for (const key of keys)
      for (const asset of ['USDC', 'WETH', 'ETH'] as const)
        expect(await balanceOf(asset, key ?? '0x', undefined)).toBe(0n)
  })

  it('returns all money to the owner’s wallet, by files that are signed elsewhere', async () => {
    const closing = life.balanceSheet.lines.filter(({ name, asset }) => name === 'account' && asset !== 'ETH')
    expect(closing.map(({ closing: left }) => left)).toEqual([0n, 0n])
    const steps = life.steps.filter(({ name }) => name.startsWith('withdraw-'))
    expect(steps.map(({ verdict, transaction }) => [verdict, typeof transaction])).toEqual([
      ['done', 'string'],
      ['done', 'string'],
    ])
    expect(life.steps.find(({ name }) => name === 'changed-file')?.transaction).toBeUndefined()
  })

  it('proves feeding, replication, rotation, revocation and death on the chain', async () => {
    expect(life.feeds).toHaveLength(1)
    for (const { transaction } of life.feeds) expect((await receiptOf(transaction)).logs).toHaveLength(1)
    expect(life.replicants).toMatchObject([{ budgetCents: 1_500n, spent: 15_000_000n }])
    // The child's, two runways, the old root and the new one.
    expect(life.revocations).toHaveLength(5)
    for (const { delegation } of life.revocations) expect(await isDisabled(delegation)).toBe(true)
    expect(life.deaths.map(({ trigger }) => trigger)).toEqual(['ownerRevocation', 'economicExhaustion'])
    for (const { golem } of life.deaths) expect((await vitalsOf(golem)).state).toBe('dead')
  })

  it('exits on Ctrl-C with its result, and leaves no process and no file', async () => {
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0, err: '' })
    expect(await readdir(temporary)).toEqual([])
    await expect.poll(() => answers(life.url), { timeout: 10_000 }).toBe(false)
  })

  async function balanceOf(
    asset: z.output<typeof line>['asset'],
    holder: Address,
    block: bigint | undefined,
  ) {
    const at = block === undefined ? {} : { blockNumber: block }
    if (asset === 'ETH') return client.getBalance({ address: holder, ...at })
    const token = await tokenOf(asset)
    return client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
      ...at,
    })
  }

  /** From the logs of two transactions of the demo: the feed transfers USDC, and the first swap brings WETH. */
  async function tokenOf(asset: 'USDC' | 'WETH'): Promise<Address> {
    const [feed] = life.feeds
    const swap = life.steps.find(({ name }) => name === 'swap-1')
    const usdc = (await receiptOf(feed?.transaction ?? '0x')).logs[0]?.address ?? '0x'
    if (asset === 'USDC') return usdc
    const account = life.balanceSheet.lines.find(({ name }) => name === 'account')?.address ?? '0x'
    const brought = (await receiptOf(swap?.transaction ?? '0x')).logs.find(
      ({ address, topics }) => address !== usdc && topics[2]?.endsWith(account.slice(2).toLowerCase()),
    )
    return brought?.address ?? '0x'
  }

  async function revertData(transaction: Hash): Promise<Hex> {
    const response = await fetch(life.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'debug_traceTransaction',
        params: [transaction, { tracer: 'callTracer' }],
      }),
    })
    const trace = z.object({ result: z.object({ output: z.templateLiteral(['0x', z.string()]) }) })
    return trace.parse(await response.json()).result.output
  }

  async function isDisabled(delegation: Hash): Promise<boolean> {
    const [{ transaction } = { transaction: delegation }] = life.revocations
    const { logs } = await receiptOf(transaction)
    const abi = parseAbi(['function disabledDelegations(bytes32) view returns (bool)'])
    const address = logs[0]?.address ?? '0x'
    return client.readContract({ address, abi, functionName: 'disabledDelegations', args: [delegation] })
  }

  async function vitalsOf(golem: Hash) {
    const { golemVitals: address } = deploymentOn(8453).contracts
    const { abi } = golemVitals
    return decodeVitals(await client.readContract({ address, abi, functionName: 'vitalsOf', args: [golem] }))
  }
})

describe('the command', () => {
  it('prints help without starting a chain', async () => {
    expect(await start(['--help']).ended).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('--json'),
    })
  })

  it.each([['--jsn'], ['--port', '65536']])('reports a wrong option in one line: %s', async (...args) => {
    const { code, out, err } = await start(args).ended
    expect([code, out]).toEqual([64, ''])
    expect(err).toMatch(/^INVALID_INPUT: .*--help\.\n$/)
  })

  it('exits on Ctrl-C during the start, and leaves nothing behind', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'bardo-demo-test-'))
    const { port, close } = await listen()
    await close()
    const { child, ended } = start(['--port', port], temporary)
    const isThere = () => answers(`http://127.0.0.1:${port}`)
    await expect.poll(isThere, { timeout: 50_000 }).toBe(true)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, err: '' })
    expect(await readdir(temporary)).toEqual([])
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false)
    await rm(temporary, { recursive: true })
  }, 70_000)

  it.each([
    ['no writable folder', ['--json'], 'STORE_UNWRITABLE'],
    ['an invalid option', ['--json', '--port', 'x'], 'INVALID_INPUT'],
  ])('prints its error as JSON with --json: %s', async (_, args, expected) => {
    const { code, out, err } = await start(args, join(tmpdir(), 'there', 'is', 'no', 'such', 'folder')).ended
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      error: { code: expected, remedy: expect.any(String) },
      steps: [],
    })
    expect(err).toMatch(new RegExp(`^${expected}: .*\\n$`))
  })

  it('reports a taken port, and leaves nothing behind', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'bardo-demo-test-'))
    const { port, close } = await listen()
    const { code, err } = await start(['--port', port], temporary).ended
    const { ended } = start(['--json', '--port', port], temporary)
    const failed = await ended
    await close()
    expect(code).toBe(69)
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({
      error: { code: 'PORT_TAKEN', message: expect.stringContaining(port), outcome: 'not-sent' },
      steps: [],
      refusals: [],
      promises: [],
    })
    expect(err).toMatch(new RegExp(`^PORT_TAKEN: Port ${port} is taken\\..*\\n$`))
    expect(await readdir(temporary)).toEqual([])
    await rm(temporary, { recursive: true })
  }, 70_000)
})

/** A server that occupies a port. */
async function listen() {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const taken = server.address()
  const port = typeof taken === 'object' && taken ? `${taken.port}` : ''
  return { port, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** The whole document as soon as it is printed; its process keeps running. */
async function firstDocument({ child, output, ended }: ReturnType<typeof start>): Promise<string> {
  let isOver = false
  const over = ended.then(() => {
    isOver = true
  })
  while (!isOver && !output.out.endsWith('\n}\n')) await Promise.race([once(child.stdout, 'data'), over])
  return output.out
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )
}
