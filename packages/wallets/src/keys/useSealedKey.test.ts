import type { SessionSigner } from '@bardo/chain'
import { describe, expect, it } from 'vitest'
import { createSealedKey } from './createSealedKey.ts'
import { useSealedKey } from './useSealedKey.ts'

const secret = { kind: 'operator', secret: new Uint8Array(32).fill(7) } as const
const made = () => createSealedKey({ secret, contextOf: () => 'golem' })

const expectWiped = async (signer: SessionSigner | undefined) =>
  expect(signer?.account?.signMessage({ message: 'hello' })).rejects.toMatchObject({
    code: 'SESSION_KEY_ZEROED',
  })

describe('a sealed key that is used once', () => {
  it('signs during the work and not afterwards', async () => {
    const { sealed, address } = await made()
    let kept: SessionSigner | undefined
    const signature = await useSealedKey(sealed, { secret, context: 'golem' }, async (signer) => {
      kept = signer
      expect(signer.address).toBe(address)
      return signer.account?.signMessage({ message: 'hello' })
    })
    expect(signature).toMatch(/^0x/)
    await expectWiped(kept)
  })

  it('is wiped if the work fails', async () => {
    const { sealed } = await made()
    let kept: SessionSigner | undefined
    const work = useSealedKey(sealed, { secret, context: 'golem' }, async (signer) => {
      kept = signer
      throw new Error('the node failed')
    })
    await expect(work).rejects.toThrow('the node failed')
    await expectWiped(kept)
  })
})
