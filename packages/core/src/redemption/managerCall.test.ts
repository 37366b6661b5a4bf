import { describe, expect, it } from 'vitest'
import type { Delegation } from '../delegation/delegation.ts'
import { encodeExecution } from './encodeExecution.ts'
import { encodeRedemption } from './encodeRedemption.ts'
import { decodeManagerCall, encodeDisable, encodeEnable } from './managerCall.ts'

const delegation: Delegation = {
  delegate: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1',
  delegator: '0x1fdDfDC25344f65aBaA4c3C24CF5f08e7b81B57a',
  authority: `0x${'ff'.repeat(32)}`,
  caveats: [{ enforcer: '0x23d0820B6807c696Fa643aF7de254230AB937A4A', terms: '0x12', args: '0x' }],
  salt: 3n,
  signature: `0x${'11'.repeat(64)}1b`,
}

describe('decodeManagerCall', () => {
  it('decodes the delegation that a call disables or enables', () => {
    expect(decodeManagerCall(encodeDisable(delegation))).toEqual({ type: 'disable', delegation })
    expect(decodeManagerCall(encodeEnable(delegation))).toEqual({ type: 'enable', delegation })
  })

  it('decodes the links and the execution that a call redeems', () => {
    const calls = [
      { to: delegation.delegate, value: 1n },
      { to: delegation.delegator, data: '0x1234' as const },
    ]
    const data = encodeRedemption([{ links: [delegation], calls }])
    expect(decodeManagerCall(data)).toEqual({
      type: 'redeem',
      contexts: [{ links: [delegation], execution: encodeExecution(calls) }],
    })
  })

  it.each(['0x', '0x1234', '0x5c975abb', encodeDisable(delegation).slice(0, 600)] as const)(
    'returns undefined for %s',
    (data) => expect(decodeManagerCall(data as `0x${string}`)).toBeUndefined(),
  )
})
