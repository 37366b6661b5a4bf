import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { importKey, keyOfImported } from './importKey.ts'

describe('an imported key', () => {
  it('shows only its address', () => {
    const text = generatePrivateKey()
    const imported = importKey({ reveal: () => text })
    expect(imported).toEqual({ address: privateKeyToAddress(text) })
    expect(keyOfImported(imported).address).toBe(imported.address)
  })

  it.each(['', '0x12', 'hello', `0x${'zz'.repeat(32)}`])('is refused if the text is %j', (text) => {
    expect(() => importKey({ reveal: () => text })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })

  it('cannot be made from an address', () => {
    const { address } = importKey({ reveal: generatePrivateKey })
    expect(() => keyOfImported({ address })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })
})
