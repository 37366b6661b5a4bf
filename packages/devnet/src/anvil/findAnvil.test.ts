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

  it('names the missing package and the command that installs it', () => {
    expect(() => findAnvil({}, 'plan9')).toThrow(
      expect.objectContaining({
        remedy: expect.stringMatching(
          /`npm install --no-save @foundry-rs\/anvil-plan9-\w+@\d+\.\d+\.\d+`.* BARDO_ANVIL/,
        ),
      }),
    )
  })
})
