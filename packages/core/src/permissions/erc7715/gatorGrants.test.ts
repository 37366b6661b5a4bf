import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { inspectGrant } from './inspectGrant.ts'
import { readGrants, readRequest } from './readGrant.ts'
// The answers of MetaMask's permission Snap 0.7.0 to Bardo's requests. `BARDO_RECORD=1 npm run test:snaps`
// records them.
import recorded from './testing/gatorGrants.json' with { type: 'json' }

const { DelegationManager: delegationManager, caveatEnforcers } = getSmartAccountsEnvironment(base.id)

/** What the owner changed, or the Snap omitted, by the name of the recording. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'edited by the owner': [
    'permission.data.periodAmount: asked 10000000, got 25000000, wider',
    'permission.data.periodDuration: asked 86400, got 604800, narrower',
    'rules.expiry: asked <asked>, got <asked + 30 days>, wider',
  ],
  'a payee that was not signed': [
    'rules.payee: asked 0x00000000000000000000000000000000000000AA, got none, wider',
  ],
}

describe('recorded grants of MetaMask’s permission Snap', () => {
  test('exist for every type that it grants', () => {
    expect(recorded.map(({ name }) => name)).toEqual([
      'runway (erc20-token-periodic)',
      'runway (native-token-periodic)',
      'native stream',
      'ERC-20 stream',
      ...Object.keys(expected),
    ])
  })

  test.for(recorded)(
    'are read and compared by their signed bytes: $name',
    async ({ name, request, answer }) => {
      const [grant] = readGrants(answer)
      if (!grant) throw new Error('No grant is recorded.')
      const asked = readRequest(request)
      expect(grant).toMatchObject({ delegationManager, dependencies: [], from: asked.from, to: asked.to })
      const { differences } = await inspectGrant(asked, grant, { delegationManager, caveatEnforcers })
      const lines = differences.map(({ field, asked: was, got, direction }) =>
        `${field}: asked ${was}, got ${got}, ${direction}`
          .replace(`${asked.expiry}`, '<asked>')
          .replace(`${(asked.expiry ?? 0) + 30 * 86_400}`, '<asked + 30 days>'),
      )
      expect(lines).toEqual(expected[name] ?? [])
    },
  )

  test('show a difference if the answer names another manager than the deployed one', async () => {
    const [first] = recorded
    const [grant] = readGrants(
      first?.answer.map((answer) => ({
        ...answer,
        signerMeta: { delegationManager: `0x${'9'.repeat(40)}` },
      })),
    )
    if (!first || !grant) throw new Error('No grant is recorded.')
    const asked = readRequest(first.request)
    const { differences } = await inspectGrant(asked, grant, { delegationManager, caveatEnforcers })
    expect(differences).toMatchObject([{ field: 'delegationManager', direction: 'other' }])
  })

  test.for([
    ['no manager', { signerMeta: {} }],
    ['a manager that is not an address', { signerMeta: { delegationManager: '0x12' } }],
    ['no signer', { signer: undefined }],
    ['a dependency without a factory', { dependencyInfo: [{}] }],
  ] as const)('are refused with %s', ([, change]) => {
    const [answer] = recorded[0]?.answer ?? []
    expect(() => readGrants([{ ...answer, ...change }])).toThrow(
      expect.objectContaining({ code: 'GRANT_MALFORMED' }),
    )
  })
})
