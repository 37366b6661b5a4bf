import { describe, expect, it } from 'vitest'
import { findSessionKeyUses } from './sessionKeyUses.ts'

const uses = (path: string, text: string) =>
  findSessionKeyUses([{ path, text }]).map(({ line, name }) => `${line} ${name}`)

describe('findSessionKeyUses', () => {
  it.each([
    'packages/golem/src/a.ts',
    'packages/tools/src/a.ts',
    'packages/store/src/a.ts',
    'apps/cli/src/a.tsx',
  ])('refuses a session key in %s', (path) => {
    expect(uses(path, `import type { SessionKey } from '@bardo/core'`)).not.toEqual([])
    for (const name of ['generateSessionKey', 'openSealedKey', 'sealSessionKey', 'sessionKeyFrom'])
      expect(uses(path, `import { ${name} } from '@bardo/core'`)).not.toEqual([])
    for (const name of ['sessionKeyAccount', 'sessionKeySigner', 'sessionSigner'])
      expect(uses(path, `import { ${name} } from '@bardo/chain'`)).not.toEqual([])
  })

  it('refuses it under another name, in a namespace, in a re-export and in a dynamic import', () => {
    for (const text of [
      `import { sessionKeyAccount as account } from '@bardo/chain'`,
      `import * as chain from '@bardo/chain'\nchain.sessionKeyAccount(key)`,
      `export { sealSessionKey } from '@bardo/core'`,
      `const { openSealedKey } = await import('@bardo/core')`,
      `type Key = import('@bardo/core').SessionKey`,
    ])
      expect(uses('packages/golem/src/a.ts', text)).not.toEqual([])
  })

  it('allows it in core, chain, wallets and tests', () => {
    const text = `import { generateSessionKey } from '@bardo/core'`
    for (const path of [
      'packages/core/src/session/a.ts',
      'packages/chain/src/accounts/a.ts',
      'packages/wallets/src/keys/a.ts',
      'packages/golem/src/a.test.ts',
      'packages/golem/src/testing/a.ts',
    ])
      expect(uses(path, text)).toEqual([])
  })

  it('allows wallets, signers, events and words in comments', () => {
    const text = `import { type SessionKeyEvent } from '@bardo/core'
import type { SessionSigner } from '@bardo/chain'
import type { Wallet } from '@bardo/wallets'
// A SessionKey is not used here.
const kind = 'SessionKey'`
    expect(uses('packages/golem/src/a.ts', text)).toEqual([])
  })

  it('names the line', () => {
    expect(uses('packages/golem/src/a.ts', `\n\nconst key = generateSessionKey('p256', random)`)).toEqual([
      '3 generateSessionKey',
    ])
  })
})
