import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findAnvil } from './findAnvil.ts'

describe('findAnvil', () => {
  it('finds the binary that npm installed', () => {
    expect(existsSync(findAnvil({}))).toBe(true)
  })

  it('prefers the binary in BARDO_ANVIL', () => {
    expect(findAnvil({ BARDO_ANVIL: process.execPath })).toBe(process.execPath)
  })

  it('names the path of a missing binary', () => {
    expect(() => findAnvil({ BARDO_ANVIL: '/nowhere/anvil' })).toThrow(
      expect.objectContaining({ code: 'ANVIL_MISSING', details: ['BARDO_ANVIL=/nowhere/anvil'] }),
    )
  })

  it('names the missing package on a platform without one', () => {
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'plan9' })
    try {
      expect(() => findAnvil({})).toThrow(/looked for @foundry-rs\/anvil-plan9-/)
    } finally {
      Object.defineProperty(process, 'platform', { value: platform })
    }
  })
})
