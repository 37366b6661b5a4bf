import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import type { CustodyMode } from '@bardo/core'
import { openStore, type Store } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { type Hash, pad, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSealedKey } from './createSealedKey.ts'
import { sealedKeySource } from './sealedKeySource.ts'

const secret = { kind: 'operator', secret: new Uint8Array(32).fill(7) } as const
const chainId = 31_337

let home: string
let store: Store
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bardo-wallets-'))
  await copyEmptyPglite(home)
  store = await openStore({ home, clock: systemClock })
})
afterAll(async () => {
  await store?.close()
  await rm(home, { recursive: true, force: true })
})

let golems = 0

/** A stored Golem with an active key. */
async function stored(custody: CustodyMode) {
  const golem: Hash = pad(toHex(++golems), { size: 32 })
  const { context: _, ...key } = await createSealedKey({ secret, contextOf: () => golem })
  await store.transaction(async (transaction) => {
    await transaction.golems.create({
      id: golem,
      owner: zeroAddress,
      name: `golem ${golems}`,
      custody,
      status: 'onboarding',
      phase: 'thriving',
      strategy: undefined,
      onboarding: { step: 'selectingCustody', owner: zeroAddress },
      nextTick: undefined,
    })
    await transaction.sessionKeys.add({ ...key, golem })
    await transaction.sessionKeys.advance(key.publicKey, 'active')
  })
  return { golem, ...key, source: sealedKeySource({ store, golem, secret, chainId }) }
}

describe('the sealed key source', () => {
  it.each(['delegation', 'localKey'] as const)('opens the active key as a %s wallet', async (custody) => {
    const { source, address } = await stored(custody)
    const wallet = await source.open()
    expect(wallet).toMatchObject({ address, capabilities: { custody, chains: [chainId] } })
    expect(await source.open()).toBe(wallet)
  })

  it('refuses a custody mode that has no provider', async () => {
    const { source } = await stored('embedded')
    await expect(source.open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('opens the key that a rotation made active', async () => {
    const { source, publicKey, address } = await stored('delegation')
    await source.open()
    const next = await source.vault.make('rotation')
    expect(await source.vault.make('rotation')).toBe(next)
    await store.sessionKeys.advance(publicKey, 'retired')
    await store.sessionKeys.advance(next, 'active')
    const wallet = await source.open()
    expect(wallet?.address).toBe((await source.vault.signerOf(next))?.address)
    expect(wallet?.address).not.toBe(address)
  })

  it('makes the wallet useless when it wipes the key', async () => {
    const { source, publicKey } = await stored('delegation')
    const wallet = await source.open()
    await source.wipe()
    expect(await wallet?.health()).toMatchObject({ type: 'unhealthy', code: 'SESSION_KEY_ZEROED' })
    expect(await source.open()).toBeUndefined()
    expect(await source.vault.signerOf(publicKey)).toBeUndefined()
  })
})
