import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryJournal } from '@bardo/core'
import { devnetMnemonic } from '@bardo/devnet'
import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import type { ChainConnection } from './findChain.ts'
import { ownerWallet } from './ownerWallet.ts'
import { bookOn, readBook } from './readBook.ts'
import { sealingSecret } from './sealingSecret.ts'
import { readSettings } from './settings.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bardo-place-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const status = (env: NodeJS.ProcessEnv = {}, ...words: string[]) =>
  runBardo(['status', '--home', home, ...words], env)

const nodes: Server[] = []
afterAll(() => {
  for (const node of nodes) node.close()
})

/** A node that only answers its chain id. */
async function nodeOf(chainId: number, answer?: string): Promise<string> {
  const node = createServer((_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(answer ?? JSON.stringify({ jsonrpc: '2.0', id: 1, result: toHex(chainId) })),
  )
  nodes.push(node)
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
}

describe('which chain', () => {
  it('names the remedies if no chain runs', async () => {
    const { exit, stderr, stdout } = await status()
    expect({ exit, stdout }).toEqual({ exit: 75, stdout: '' })
    expect(stderr).toContain('Start one with bardo up, or give an RPC node with --rpc.')
    expect(JSON.parse((await status({}, '--json')).stdout)).toMatchObject({
      error: { code: 'RPC_UNAVAILABLE', outcome: 'not-sent' },
    })
  })

  it('shows only the host of a node that does not answer: the path may hold a key', async () => {
    const { exit, stderr } = await status({ BARDO_RPC_URL: 'http://127.0.0.1:1/v2/secretsecret' })
    expect(exit).toBe(75)
    expect(stderr).toContain('The RPC node does not answer.\n  127.0.0.1:1\n')
    expect(stderr).not.toContain('secretsecret')
  })

  it.each([
    ['an unknown chain', 999_999, 'Bardo does not support chain 999999.', 64],
    ['a chain without the contracts', 8_453, 'Contracts that Bardo needs are missing on this chain.', 69],
    ['a local chain of another data folder', 31_337, 'No chain to connect to.', 75],
  ])('refuses %s', async (_, chainId, message, exit) => {
    const result = await status({}, '--rpc', await nodeOf(chainId))
    expect(result.stderr).toContain(message)
    expect(result.exit).toBe(exit)
  })

  it('refuses an invalid URL, and a node that answers nonsense', async () => {
    expect(await status({}, '--rpc', 'ftp://x')).toMatchObject({ exit: 64 })
    expect(await status({}, '--rpc', await nodeOf(1, '<html>'))).toMatchObject({ exit: 75 })
  })

  it('refuses a damaged devnet.json, and one whose port serves another chain', async () => {
    writeFileSync(join(home, 'devnet.json'), '{"url": "http://127')
    const half = await status()
    expect(half).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Remove it, then start the local chain again'),
    })
    const framework = { DelegationManager: '0x' }
    const url = await nodeOf(10)
    const whole = { url, chainId: 31_337, mnemonic: '', accounts: {}, addresses: {}, framework }
    writeFileSync(join(home, 'devnet.json'), JSON.stringify(whole))
    expect((await status()).stderr).toContain('The RPC node is on chain 10; expected 31337.')
  })
})

describe('secrets', () => {
  it('creates one with mode 600, and keeps it', () => {
    const made = sealingSecret({ home, env: {} })
    expect(statSync(join(home, 'secret')).mode & 0o777).toBe(0o600)
    expect(sealingSecret({ home, env: {} })).toEqual(made)
    const given = '12'.repeat(32)
    expect(sealingSecret({ home, env: { BARDO_KEY_SECRET: `0x${given}` } })).toEqual({
      kind: 'operator',
      secret: new Uint8Array(32).fill(0x12),
    })
  })

  it('refuses one that other users may read and an invalid one, and never prints it', () => {
    sealingSecret({ home, env: {} })
    chmodSync(join(home, 'secret'), 0o644)
    expect(() => sealingSecret({ home, env: {} })).toThrow('other users may read it')
    chmodSync(join(home, 'secret'), 0o600)
    writeFileSync(join(home, 'secret'), 'half')
    expect(() => sealingSecret({ home, env: {} })).toThrow('64 hexadecimal digits')
    expect(() => sealingSecret({ home, env: { BARDO_KEY_SECRET: 'hunter2' } })).toThrow(/^(?!.*hunter2)/s)
  })
})

describe('the owner’s key', () => {
  const framework = {
    SimpleFactory: `0x${'11'.repeat(20)}`,
    implementations: { HybridDeleGatorImpl: `0x${'22'.repeat(20)}` },
  }
  const real = {
    deployment: { chainId: 8_453, framework },
    submitter: {},
    world: undefined,
  } as unknown as ChainConnection
  const open = (file?: string) => ownerWallet(real, { journal: createMemoryJournal() }, file)
  const keyFile = (text: string, mode = 0o600) => {
    const file = join(home, 'key')
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }

  it('is needed on a real network', () => {
    expect(() => open()).toThrow('Give its file with --owner-key FILE.')
  })

  it.each(Array.from({ length: 10 }, (_, index) => index))(
    'must not be anvil’s test key %i',
    (addressIndex) => {
      const { privateKey } = mnemonicToAccount(devnetMnemonic, { addressIndex }).getHdKey()
      const key = toHex(privateKey ?? new Uint8Array())
      expect(() => open(keyFile(key))).toThrow(expect.objectContaining({ code: 'KEY_NOT_SECRET' }))
    },
  )

  it('is read only from a private file', () => {
    const key = `0x${'5a'.repeat(32)}`
    expect(() => open(keyFile(key, 0o644))).toThrow('other users may read it')
    expect(() => open(keyFile('0x12'))).toThrow('This file does not contain a private key.')
    expect(() => open(join(home, 'nothing'))).toThrow('the file does not exist')
    expect(open(keyFile(`${key}\n`)).signer.account.kind).toBe('hybrid')
  })
})

describe('an address book', () => {
  const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const asset = { token, feed: token, maxAgeSeconds: 3_600, scale: 14 }

  it('is refused with the field that has a wrong checksum', () => {
    const file = join(home, 'book.json')
    writeFileSync(file, JSON.stringify({ assets: { USDC: asset }, contracts: { swapRouter02: token } }))
    expect(readBook(file).assets.get('USDC')).toEqual(asset)
    writeFileSync(
      file,
      JSON.stringify({ assets: { USDC: { ...asset, token: token.replace('A', 'a') } }, contracts: {} }),
    )
    expect(() => readBook(file)).toThrow('assets.USDC.token is not an address, or its checksum is wrong')
    writeFileSync(file, '{"assets":')
    expect(() => readBook(file)).toThrow('the file is not valid JSON')
    expect(() => readBook(join(home, 'none.json'))).toThrow('the file does not exist or is not readable')
  })

  it('is the built-in one without a file, and a file cannot replace a built-in address', () => {
    const file = join(home, 'book-1.json')
    expect(bookOn(1, file).assets.get('USDC')?.token).toBe(token)
    writeFileSync(file, JSON.stringify({ vaults: { USDC: token } }))
    expect(bookOn(1, file)).toMatchObject({ unverified: [token] })
    const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
    writeFileSync(file, JSON.stringify({ contracts: { swapRouter02: token } }))
    expect(() => bookOn(1, file)).toThrow(`contract swapRouter02: ${token}, built in swapRouter02 ${router}`)
  })
})

describe('settings', () => {
  it('come from flags, then the environment, then the home folder', () => {
    const env = { BARDO_HOME: '/from/env', DATABASE_URL: 'postgres://x' }
    expect(readSettings({ options: { home: '/from/flag' }, env })).toMatchObject({ home: '/from/flag' })
    expect(readSettings({ options: {}, env })).toMatchObject({
      home: '/from/env',
      databaseUrl: 'postgres://x',
    })
    expect(readSettings({ options: {}, env: {} }).home).toMatch(/\.bardo$/)
  })
})

describe('the data folder', () => {
  it('is required by bardo up, which refuses DATABASE_URL', async () => {
    const env = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' }
    const { exit, stderr } = await runBardo(['up', '--home', home, '--port', '0'], env)
    expect({ exit, stderr }).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Unset DATABASE_URL'),
    })
    expect(stderr).not.toContain('hunter2')
  })

  it('is named if it cannot be created', async () => {
    const { exit, stderr } = await runBardo(['up', '--home', '/dev/null/bardo', '--port', '0'])
    expect({ exit, stderr }).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('Cannot create the data folder.'),
    })
  })

  it('is not taken over by bardo up if its lock cannot be read', async () => {
    mkdirSync(join(home, 'db'))
    writeFileSync(join(home, 'db.lock'), 'nonsense')
    const { exit, stderr } = await runBardo(['up', '--home', home, '--port', '0'])
    expect({ exit, stderr }).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('The lock file is unreadable.'),
    })
    expect(readFileSync(join(home, 'db.lock'), 'utf8')).toBe('nonsense')
  })
})
