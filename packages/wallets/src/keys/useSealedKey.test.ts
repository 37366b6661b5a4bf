import { recoverTypedDataAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Wallet } from '../wallet.ts'
import { createSealedKey } from './createSealedKey.ts'
import { useSealedKey } from './useSealedKey.ts'

const secret = { kind: 'operator', secret: new Uint8Array(32).fill(7) } as const
const made = () => createSealedKey({ secret, contextOf: () => 'golem' })
const options = { secret, context: 'golem' }
const typedData = {
  domain: { name: 'Test', chainId: 8453 },
  types: { Greeting: [{ name: 'text', type: 'string' }] },
  primaryType: 'Greeting',
  message: { text: 'hello' },
} as const

type Kept = Pick<Wallet, 'signTypedData'> | undefined
const expectWiped = (kept: Kept) =>
  expect(kept?.signTypedData(typedData)).rejects.toMatchObject({ code: 'SESSION_KEY_ZEROED' })

describe('a sealed key that is used once', () => {
  it('signs during the work and not afterwards', async () => {
    const { sealed, address } = await made()
    let kept: Kept
    const signature = await useSealedKey(sealed, options, async (key) => {
      kept = key
      expect(key.address).toBe(address)
      return key.signTypedData(typedData)
    })
    expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(address)
    await expectWiped(kept)
  })

  it('is wiped if the work fails', async () => {
    const { sealed } = await made()
    let kept: Kept
    const work = useSealedKey(sealed, options, async (key) => {
      kept = key
      throw new Error('the node failed')
    })
    await expect(work).rejects.toThrow('the node failed')
    await expectWiped(kept)
  })
})
