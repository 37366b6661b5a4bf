import { parseEther, parseGwei } from 'viem'
import { describe, expect, it } from 'vitest'
import { checkGas, checkNonces } from './keyChecks.ts'

const key = { name: 'alpha', address: '0xA', wei: parseEther('0.045') }

describe('the gas check', () => {
  it('depends on the gas price: 0.045 ETH is enough at 1 gwei and too little at 243 gwei', () => {
    expect(checkGas([key], parseGwei('1'))).toBe('enough for one key at 1 gwei')
    expect(() => checkGas([key], parseGwei('243'))).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_FUNDS',
        details: ['alpha (0xA) has 0.045 ETH.'],
        remedy: 'Send at least 0.243 ETH to each of them.',
      }),
    )
  })

  it('does not claim that gas is enough when no Golem is alive', () => {
    expect(checkGas([], parseGwei('2'))).toBe('no Golem is alive; gas is at 2 gwei')
  })
})

describe('the nonce check', () => {
  const nonces = { of: 'alpha’s key', address: '0xA', expected: 5, lowestOpen: null, highest: 4 }

  it('passes if the chain expects the lowest open nonce, or the next one', () => {
    expect(checkNonces([nonces])).toBe('no gaps, no key has open transactions')
    expect(checkNonces([{ ...nonces, lowestOpen: 5, highest: 7 }])).toBe(
      'no gaps, one key has open transactions',
    )
    expect(checkNonces([{ ...nonces, highest: null }])).toBe('no gaps, no key has open transactions')
  })

  it.each([
    ['a nonce was claimed too high', { lowestOpen: 8, highest: 8 }, 'its lowest open nonce is 8'],
    ['a landing was undone', { lowestOpen: null, highest: 7 }, 'the journal’s next nonce is 8'],
  ] as const)('names the key and both nonces if %s', (_case, changed, nonce) => {
    expect(() => checkNonces([{ ...nonces, ...changed }])).toThrow(
      expect.objectContaining({
        details: [`alpha’s key (0xA): the chain expects nonce 5, ${nonce}.`],
        docsPath: 'operators.md#a-jammed-key',
      }),
    )
  })
})
