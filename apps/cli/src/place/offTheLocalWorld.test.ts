import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devnetMnemonic } from '@bardo/devnet'
import { createWalletClient, defineChain, http, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { startWorldAsBase, type WorldAsBase } from '../testing/worldAsBase.ts'

// A block comes every second, and what was sent counts after three.
describe('a chain that is not ours', { timeout: 90_000 }, () => {
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
    world = await startWorldAsBase(home)
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  it('is looked at, and summons nobody without its owner’s key, nor with one that everybody knows', async () => {
    expect(await json('doctor')).toMatchObject({ exit: 0, ok: true })
    expect(await json('summon', strategy, '--name', 'beta', '--yes')).toMatchObject({
      exit: 64,
      error: { message: expect.stringContaining('The owner’s key is needed.') },
    })
    const known = mnemonicToAccount(devnetMnemonic).getHdKey().privateKey ?? new Uint8Array()
    const file = join(home, 'known.key')
    writeFileSync(file, toHex(known), { mode: 0o600 })
    const refused = await json('summon', strategy, '--name', 'beta', '--yes', '--owner-key', file)
    expect(refused).toMatchObject({ error: { code: 'KEY_NOT_SECRET' } })
    expect(await bardo('status')).toMatchObject({ stdout: expect.stringContaining('No Golem lives here') })
  })

  it('has a Golem that trades for its owner, by a worker', async () => {
    const born = await asOwner('summon', strategy, '--name', 'beta', '--yes')
    expect(born).toMatchObject({ exit: 0, owner: world.owner, account: world.account })
    beta = born.golem
    const binary = join(import.meta.dirname, '../../bin/bardo.js')
    const words = ['worker', '--json', '--home', home, '--rpc', world.url]
    const worker = spawn(process.execPath, [binary, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(worker.stdout, 'data')
    // Its office answers meanwhile.
    while ((await json('status', 'beta')).day.spentCents !== '300');
    worker.kill('SIGTERM')
    expect(await once(worker, 'exit')).toEqual([0, null])
  })

  it('asks its owner for a grant, and takes it by their key', async () => {
    const asked = await json('rotate', 'beta', '--suspected')
    expect(asked).toMatchObject({ exit: 0, isRotated: false, waiting: [expect.stringContaining(beta)] })
    const [request] = asked.waiting
    expect(await json('requests', request, 'yes')).toMatchObject({ exit: 64 })
    expect(await asOwner('requests', request, 'yes')).toMatchObject({ exit: 0, isTaken: true })
    expect(await bardo('requests')).toMatchObject({ stdout: 'Nothing waits for you.\n' })
  })

  it('is left by a transaction that was printed, and sent from elsewhere', async () => {
    const { calls } = await asOwner('revoke', 'beta', '--print')
    expect(calls).toHaveLength(1)
    const chain = defineChain({
      id: 8_453,
      name: 'not ours',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [world.url] } },
    })
    const account = privateKeyToAccount(`0x${readFileSync(world.keyFile, 'utf8').slice(2)}`)
    const wallet = createWalletClient({ account, chain, transport: http(world.url) })
    const hash = await wallet.sendTransaction(calls[0])
    await world.client.waitForTransactionReceipt({ hash })
    expect((await asOwner('revoke', 'beta', '--print')).calls).toEqual([])
    expect(await asOwner('revoke', 'beta', '--yes')).toMatchObject({ exit: 0 })
  })
})
