import { generateSessionKey, openSealedKey, sealSessionKey } from '@bardo/core'
import { bytesToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { Database } from './database/database.ts'
import { eachDatabase } from './testing/eachDatabase.ts'
import { account, id, sampleGolem } from './testing/samples.ts'

/** Every encoding in which the bytes could appear in a text. */
function spellings(bytes: Uint8Array): string[] {
  const hex: Hex = bytesToHex(bytes)
  const buffer = Buffer.from(bytes)
  return [hex.slice(2), BigInt(hex).toString(), buffer.toString('base64'), [...bytes].join(',')]
}

async function everything(database: Database): Promise<string> {
  const tables = await database.query(
    "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema LIKE 'bardo%'",
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await database.query(`SELECT t::text AS text FROM ${name} AS t`)
    texts.push(...rows.map((row) => String(row['text'])))
  }
  return texts.join('\n').toLowerCase()
}

eachDatabase('a secret', (newDatabase) => {
  it('is in no table after a key was created, sealed, stored and leaked into errors', async () => {
    const secret = crypto.getRandomValues(new Uint8Array(32))
    const operator = crypto.getRandomValues(new Uint8Array(32))
    const sealing = { kind: 'operator', secret: operator } as const
    const key = generateSessionKey('secp256k1', () => secret.slice())
    const sealed = await sealSessionKey(key, sealing, (n) => crypto.getRandomValues(new Uint8Array(n)), {
      context: id(1),
    })
    const testDatabase = await newDatabase()
    const store = await testDatabase.open()
    await store.golems.create(sampleGolem(1))
    const named = { publicKey: key.publicKey, curve: key.curve, golem: id(1), address: account(4) }
    await store.sessionKeys.add({ ...named, sealed })
    const smuggled = { golem: id(1), name: 'x', body: { secret } } as const
    // @ts-expect-error bytes are not data
    await expect(store.events.append([smuggled])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    // @ts-expect-error a key is not data
    await expect(store.grimoire.put({ golem: id(1), key: 'k', kind: 'x', body: key })).rejects.toThrow(
      /plain data/,
    )
    await store.jobs.schedule({ golem: id(1), at: Date.now() })
    const stop = new AbortController()
    await store.jobs.work({
      concurrency: 1,
      signal: stop.signal,
      onError: () => stop.abort(),
      tick: () => Promise.reject(new Error(`it is ${bytesToHex(secret)}`)),
    })
    await store.close()

    const database = await testDatabase.openDatabase()
    const stored = await everything(database)
    await database.close()
    // The search works: it finds the public key and the sealed bytes.
    expect(stored).toContain(key.publicKey.slice(2))
    expect(stored).toContain(sealed.sealed.slice(2))
    for (const spelling of [...spellings(secret), ...spellings(operator)]) {
      expect(stored.includes(spelling.toLowerCase())).toBe(false)
    }
    expect((await openSealedKey(sealed, sealing, { context: id(1) })).address).toBe(key.address)
  }, 60_000)
})
