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
import type { ChainPlace } from './findChain.ts'
import { ownerWallet } from './ownerWallet.ts'
import { readBook } from './readBook.ts'
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

/** A node that says only of which chain it is. */
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
  it('says what to do where none runs', async () => {
    const { exit, stderr, stdout } = await status()
    expect({ exit, stdout }).toEqual({ exit: 75, stdout: '' })
    expect(stderr).toContain('Start one with bardo up, or name a node with --rpc.')
    expect(JSON.parse((await status({}, '--json')).stdout)).toMatchObject({
      error: { code: 'RPC_UNAVAILABLE', outcome: 'not-sent' },
    })
  })

  it('names a node that does not answer by its host alone: the rest may be a key', async () => {
    const { exit, stderr } = await status({ BARDO_RPC_URL: 'http://127.0.0.1:1/v2/secretsecret' })
    expect(exit).toBe(75)
    expect(stderr).toContain('The node does not answer.\n  127.0.0.1:1\n')
    expect(stderr).not.toContain('secretsecret')
  })

  it.each([
    ['an unknown chain', 999_999, 'Bardo does not know chain 999999.', 64],
    ['a chain where nothing stands', 8_453, 'The chain does not have what Bardo needs there.', 69],
    ['a local world that is not ours', 31_337, 'No chain is running here.', 75],
  ])('refuses %s', async (_, chainId, message, exit) => {
    const said = await status({}, '--rpc', await nodeOf(chainId))
    expect(said.stderr).toContain(message)
    expect(said.exit).toBe(exit)
  })

  it('refuses nonsense for an address, and a node that talks nonsense', async () => {
    expect(await status({}, '--rpc', 'ftp://x')).toMatchObject({ exit: 64 })
    expect(await status({}, '--rpc', await nodeOf(1, '<html>'))).toMatchObject({ exit: 75 })
  })

  it('finds a file of the world that is half written, or of a chain that is another one now', async () => {
    writeFileSync(join(home, 'devnet.json'), '{"url": "http://127')
    const half = await status()
    expect(half).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Remove it and start the world again'),
    })
    const framework = { DelegationManager: '0x' }
    const url = await nodeOf(10)
    const whole = { url, chainId: 31_337, mnemonic: '', accounts: {}, addresses: {}, framework }
    writeFileSync(join(home, 'devnet.json'), JSON.stringify(whole))
    expect((await status()).stderr).toContain('The node is of another chain.')
  })
})

describe('secrets', () => {
  it('makes one that nobody else may read, and keeps it', () => {
    const made = sealingSecret({ home, env: {} })
    expect(statSync(join(home, 'secret')).mode & 0o777).toBe(0o600)
    expect(sealingSecret({ home, env: {} })).toEqual(made)
    const given = '12'.repeat(32)
    expect(sealingSecret({ home, env: { BARDO_KEY_SECRET: `0x${given}` } })).toEqual({
      kind: 'operator',
      secret: new Uint8Array(32).fill(0x12),
    })
  })

  it('refuses one that others may read, or that is none, and never repeats it', () => {
    sealingSecret({ home, env: {} })
    chmodSync(join(home, 'secret'), 0o644)
    expect(() => sealingSecret({ home, env: {} })).toThrow('others may read it')
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
  } as unknown as ChainPlace
  const open = (file?: string) => ownerWallet(real, { journal: createMemoryJournal() }, file)
  const keyFile = (text: string, mode = 0o600) => {
    const file = join(home, 'key')
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }

  it('is needed off the local world', () => {
    expect(() => open()).toThrow('Give the file that holds it with --owner-key.')
  })

  it.each(Array.from({ length: 10 }, (_, index) => index))(
    'is none of anvil’s: number %i',
    (addressIndex) => {
      const { privateKey } = mnemonicToAccount(devnetMnemonic, { addressIndex }).getHdKey()
      const key = toHex(privateKey ?? new Uint8Array())
      expect(() => open(keyFile(key))).toThrow(expect.objectContaining({ code: 'KEY_NOT_SECRET' }))
    },
  )

  it('is read from a file of its owner alone', () => {
    const key = `0x${'5a'.repeat(32)}`
    expect(() => open(keyFile(key, 0o644))).toThrow('others may read it')
    expect(() => open(keyFile('0x12'))).toThrow('This file holds no key.')
    expect(() => open(join(home, 'nothing'))).toThrow('there is no such file')
    expect(open(keyFile(`${key}\n`)).desk.account.kind).toBe('hybrid')
  })
})

describe('an address book', () => {
  const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const asset = { token, feed: token, maxAgeSeconds: 3_600, scale: 14 }

  it('is read with its checksums, or refused with the place', () => {
    const file = join(home, 'book.json')
    writeFileSync(file, JSON.stringify({ assets: { USDC: asset }, contracts: { swapRouter02: token } }))
    expect(readBook(file).assets.get('USDC')).toEqual(asset)
    writeFileSync(
      file,
      JSON.stringify({ assets: { USDC: { ...asset, token: token.replace('A', 'a') } }, contracts: {} }),
    )
    expect(() => readBook(file)).toThrow('assets.USDC.token is no address, or its checksum is wrong')
    writeFileSync(file, '{"assets":')
    expect(() => readBook(file)).toThrow('it is no JSON')
    expect(() => readBook(join(home, 'none.json'))).toThrow('it cannot be read')
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

describe('a folder', () => {
  it('is what a local world needs: a database server cannot be set aside with it', async () => {
    const env = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' }
    const { exit, stderr } = await runBardo(['up', '--home', home, '--port', '0'], env)
    expect({ exit, stderr }).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Unset DATABASE_URL'),
    })
    expect(stderr).not.toContain('hunter2')
  })

  it('that cannot be made is named', async () => {
    const { exit, stderr } = await runBardo(['up', '--home', '/dev/null/bardo', '--port', '0'])
    expect({ exit, stderr }).toMatchObject({ exit: 69, stderr: expect.stringContaining('cannot be made') })
  })

  it('with Golems of another chain is not taken over by a local world', async () => {
    mkdirSync(join(home, 'db'))
    writeFileSync(join(home, 'db.lock'), 'nonsense')
    const { exit, stderr } = await runBardo(['up', '--home', home, '--port', '0'])
    expect({ exit, stderr }).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('The lock cannot be read.'),
    })
    expect(readFileSync(join(home, 'db.lock'), 'utf8')).toBe('nonsense')
  })
})
