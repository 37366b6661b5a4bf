import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devnetMnemonic } from '@bardo/devnet'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { createWalletClient, defineChain, erc20Abi, http, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { signPrinted } from '../testing/signPrinted.ts'
import { startWorldAsBase, type WorldAsBase } from '../testing/worldAsBase.ts'

// A block comes every second, and a transaction is final after three.
describe('a real network', { timeout: 90_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-base-'))
  const strategy = join(home, 'STRATEGY.md')
  let world: WorldAsBase
  let beta: string

  const bardo = (...words: string[]) => runBardo([...words, '--home', home, '--rpc', world.url])
  const asOwner = (...words: string[]) => json(...words, '--owner-key', world.keyFile)
  const json = async (...words: string[]) => {
    const { exit, stdout } = await bardo(...words, '--json')
    return { exit, ...JSON.parse(stdout) }
  }

  beforeAll(async () => {
    writeFileSync(strategy, 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n')
    await copyEmptyPglite(home)
    world = await startWorldAsBase(home)
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  it('refuses to summon without the owner’s key, and with a public test key', async () => {
    expect(await json('doctor')).toMatchObject({ exit: 0, ok: true })
    expect(await json('summon', strategy, '--name', 'beta', '--yes')).toMatchObject({
      exit: 64,
      error: { message: expect.stringContaining('The owner’s key is missing.') },
    })
    const testKey = mnemonicToAccount(devnetMnemonic).getHdKey().privateKey ?? new Uint8Array()
    const file = join(home, 'testKey.key')
    writeFileSync(file, toHex(testKey), { mode: 0o600 })
    const refused = await json('summon', strategy, '--name', 'beta', '--yes', '--owner-key', file)
    expect(refused).toMatchObject({ error: { code: 'KEY_NOT_SECRET' } })
    expect(await bardo('status')).toMatchObject({ stdout: expect.stringContaining('There is no Golem yet') })
  })

  it('shows the built-in addresses, and marks those of the owner’s file as not verified', async () => {
    const file = join(home, 'book-8453.json')
    const vault = world.addresses.usdcVault
    writeFileSync(file, JSON.stringify({ vaults: { USDC: vault } }))
    try {
      const { entries } = await json('book')
      const named = (name: string) => entries.find(({ entry }: { entry: string }) => entry === name)
      expect(named('token USDC')).toMatchObject({ isVerified: true, problem: null, address: world.usdc })
      expect(named('vault USDC')).toMatchObject({ isVerified: false, source: null, problem: null })
      // The local chain has no DAI.
      expect(named('token DAI').problem).toContain('expected a contract, found no code')
      expect((await bardo('book')).stdout).toMatch(new RegExp(`vault USDC +${vault} +not verified`))
      expect((await bardo('doctor')).stdout).toContain(`not verified: vault USDC ${vault}`)
      const deposit = join(home, 'DEPOSIT.md')
      writeFileSync(deposit, 'Deposit $5 of USDC into the vault every day.\nbudget: $10/day\n')
      const refused = await bardo('summon', deposit, '--name', 'vaulted')
      expect(`${refused.stdout}${refused.stderr}`).toContain(`vault USDC: ${vault}`)
    } finally {
      rmSync(file)
    }
  })

  it('refuses a file that replaces a built-in address, and names both addresses', async () => {
    const file = join(home, 'book-8453.json')
    const forged = world.addresses.wbtc
    const usdc = { token: forged, feed: world.addresses.wethFeed, maxAgeSeconds: 60, scale: 14 }
    writeFileSync(file, JSON.stringify({ assets: { USDC: usdc } }))
    try {
      const refused = await asOwner('summon', strategy, '--name', 'forged', '--yes')
      expect(refused).toMatchObject({ exit: 64, error: { code: 'CONFIG_INVALID' } })
      expect(refused.error.details[0]).toContain(`token USDC: ${forged}, built in USDC ${world.usdc}`)
    } finally {
      rmSync(file)
    }
  })

  it('refuses to summon if an address that the strategy uses is not what the book says', async () => {
    const { client, addresses } = world
    const code = (await client.getCode({ address: addresses.wethFeed })) ?? '0x'
    await client.setCode({ address: addresses.wethFeed, bytecode: '0x' })
    try {
      const refused = await asOwner('summon', strategy, '--name', 'early', '--yes')
      expect(refused).toMatchObject({ error: { code: 'CODE_MISMATCH' } })
      expect(refused.error.details[0]).toBe(
        `price feed of WETH ${addresses.wethFeed}: expected a contract, found no code`,
      )
      expect(await bardo('status')).toMatchObject({
        stdout: expect.stringContaining('There is no Golem yet'),
      })
    } finally {
      await client.setCode({ address: addresses.wethFeed, bytecode: code })
    }
  })

  it('runs a Golem that trades for its owner, with a worker', async () => {
    const born = await asOwner('summon', strategy, '--name', 'beta', '--yes')
    expect(born).toMatchObject({ exit: 0, owner: world.owner, account: world.account })
    beta = born.golem
    const binary = join(import.meta.dirname, '../../bin/bardo.js')
    const words = ['worker', '--json', '--home', home, '--rpc', world.url]
    const worker = spawn(process.execPath, [binary, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(worker.stdout, 'data')
    // It answers commands meanwhile.
    // USDC is priced by its feed, so the swap leaves room below the $3 for a moving price.
    while ((await json('status', 'beta')).day.spentCents !== '298');
    worker.kill('SIGTERM')
    expect(await once(worker, 'exit')).toEqual([0, null])
  })

  it('files a request for a new delegation, which the owner’s key approves', async () => {
    const asked = await json('rotate', 'beta', '--suspected')
    // The suspected key can act until the owner answers: the command reports that and fails.
    expect(asked).toMatchObject({ exit: 75, error: { code: 'GRANT_STANDS' } })
    const [, request = ''] = /bardo requests (\S+) yes/.exec((await bardo('requests')).stdout) ?? []
    expect(request).toMatch(/^\d+$/)
    expect(await json('requests', request, 'yes')).toMatchObject({ exit: 64 })
    expect(await asOwner('requests', request, 'yes')).toMatchObject({ exit: 0, isTaken: true })
    expect(await bardo('requests')).toMatchObject({ stdout: 'No request is waiting for you.\n' })
  })

  it('registers and attests an identity with a key that only another process has', async () => {
    for (const [action, kind] of [
      ['attest', 'identityAttest'],
      ['register', 'identityRegister'],
    ] as const) {
      const prepared = await json('identity', action, 'beta', '--owner', world.owner, '--print')
      expect(await finishElsewhere(prepared, 'identity', action)).toMatchObject({ type: 'done', kind })
    }
    const { identity, attestation } = await json('identity', 'show', 'beta')
    expect(identity).toMatchObject({
      agent: { owner: world.account, belongs: 'account', walletIs: 'current' },
    })
    expect(attestation).toMatchObject({ chainId: 8_453, owner: world.owner, golem: beta })
  })

  it('revokes with a presigned transaction that another wallet sends', async () => {
    const { calls } = await asOwner('revoke', 'beta', '--presign')
    expect(calls).toHaveLength(1)
    const chain = defineChain({
      id: 8_453,
      name: 'test network',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [world.url] } },
    })
    const account = privateKeyToAccount(`0x${readFileSync(world.keyFile, 'utf8').slice(2)}`)
    const wallet = createWalletClient({ account, chain, transport: http(world.url) })
    const hash = await wallet.sendTransaction(calls[0])
    await world.client.waitForTransactionReceipt({ hash })
    expect((await asOwner('revoke', 'beta', '--presign')).calls).toEqual([])
    expect(await asOwner('revoke', 'beta', '--yes')).toMatchObject({ exit: 0 })
  })

  it('moves money out and in with a key that only another process has', async () => {
    const usdc = () =>
      world.client.readContract({
        address: world.usdc,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [world.owner],
      })
    const before = await usdc()
    for (const kind of ['withdraw', 'deposit']) {
      const prepared = await json(kind, '12.5', 'USDC', '--owner', world.owner, '--print')
      expect(await finishElsewhere(prepared, kind)).toMatchObject({ exit: 0, type: 'done', kind })
      expect((await usdc()) - before).toBe(kind === 'withdraw' ? 12_500_000n : 0n)
    }
    const [wrong, damaged] = ['wrong.json', 'damaged.json'].map((name) => join(home, name))
    writeFileSync(`${damaged}`, '{"operation":"0x12"}')
    expect(await json('deposit', '--signed', `${damaged}`)).toMatchObject({
      error: { code: 'INVALID_INPUT', details: [expect.stringContaining('expected: '), expect.anything()] },
    })
    expect(await json('deposit', '--signed', `${wrong}`)).toMatchObject({ error: { code: 'INVALID_INPUT' } })
    expect(await json('deposit', '1', 'USDC', '--print')).toMatchObject({
      error: { message: expect.stringContaining('The owner’s address is missing.') },
    })
  })

  /** Answers a printed operation round by round, until it is done. */
  async function finishElsewhere(prepared: Awaited<ReturnType<typeof json>>, ...words: string[]) {
    let file = prepared
    for (let rounds = 0; file.type === 'prepared' && rounds < 4; rounds += 1) {
      const signed = await signPrinted(world, home, file)
      file = await json(...words, '--signed', signed)
    }
    return file
  }
})
