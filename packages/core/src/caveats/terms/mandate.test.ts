import { expect, it } from 'vitest'
import { mandate, people } from '../testing/sample.ts'
import { encodeMandate, targetKinds } from './mandate.ts'

const targetOf = (kind: number, selector: `0x${string}`) => ({
  ...mandate,
  targets: [{ kind, address: people.vault, selector }],
})

it.each(Object.entries(targetKinds))(
  'encodes a target %s without a selector only if none is needed',
  (_, kind) => {
    const encode = () => encodeMandate(targetOf(kind, '0x00000000'))
    if (kind < targetKinds.spawn) expect(encode).not.toThrow()
    else
      expect(encode).toThrow(
        expect.objectContaining({
          code: 'TERMS_MALFORMED',
          details: expect.arrayContaining([`target ${people.vault}`]),
        }),
      )
    expect(() => encodeMandate(targetOf(kind, '0x12345678'))).not.toThrow()
  },
)
