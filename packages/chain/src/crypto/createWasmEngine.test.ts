import { nobleEngine } from '@bardo/core'
import fc from 'fast-check'
import { hexToBytes, keccak256, numberToHex } from 'viem'
import { sign } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createWasmEngine } from './createWasmEngine.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

it('hashes like the JavaScript engine that it replaces', async () => {
  const engine = await createWasmEngine()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (input) => {
      expect(engine.keccak256(input)).toEqual(nobleEngine.keccak256(input))
    }),
  )
})

it('recovers the same keys and rejects the same signatures as the JavaScript engine', async () => {
  const engine = await createWasmEngine()
  const outcome = (recover: () => Uint8Array) => {
    try {
      return recover()
    } catch {
      return 'refused'
    }
  }
  await fc.assert(
    fc.asyncProperty(bytes(32), fc.integer({ min: 1, max: 1_000 }), bytes(65), async (seed, key, noise) => {
      const digest = hexToBytes(keccak256(seed))
      const { r, s, yParity } = await sign({
        hash: keccak256(seed),
        privateKey: numberToHex(key, { size: 32 }),
      })
      const good = Uint8Array.of(yParity ?? 0, ...hexToBytes(r), ...hexToBytes(s))
      noise[0] = (noise[0] ?? 0) & 1
      for (const signature of [good, noise]) {
        expect(outcome(() => engine.recoverPublicKey(signature, digest))).toEqual(
          outcome(() => nobleEngine.recoverPublicKey(signature, digest)),
        )
      }
    }),
    { numRuns: 100 },
  )
})
