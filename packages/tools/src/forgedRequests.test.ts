import { transferCall } from '@bardo/chain'
import {
  BardoError,
  cage,
  caveatRegistry,
  comparePolicies,
  type Delegation,
  encodeContext,
  hashDelegation,
  readRequest,
  requestMethod,
  rootAuthority,
} from '@bardo/core'
import { walletPolicyHash, walletPolicySchema } from '@bardo/golem/action'
import type { OwnerRequestKind } from '@bardo/golem/events'
import { delegationSchema } from '@bardo/golem/permission'
import { describeRequest, mostGas, readAskOf, readGrantRequest, regrant } from '@bardo/golem/requests'
import { type Recorded, recordingOwner } from '@bardo/golem/testing/recordingOwner'
import type { Json, OwnerRequest } from '@bardo/store'
import fc from 'fast-check'
import { erc20Abi, type Hex, isAddressEqual, parseUnits, sha256, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { fund } from './fund.ts'
import { migrate } from './migrate.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

const seed = 20_261_114
const runs = 40
const lie = 'LIE: approved by MetaMask\u001b[2K, for at most $5'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>
let other: Awaited<ReturnType<typeof here.summon>>
let thief: Hex
let forged = 0

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
  other = await here.summon()
  thief = here.world.accounts.stranger
  await golem.wallet.upgrade(golem.owner.address)
  await here.world.fund(golem.owner.address, { USDC: parseUnits('1000', 6), ETH: parseUnits('100', 18) })
})
afterAll(() => here[Symbol.asyncDispose]())

/** Valid rows, as the tools file them. A new kind does not compile until it has one here. */
const honest: Readonly<Record<OwnerRequestKind, () => Promise<Json>>> = {
  fund: () => filedBody(callTool(golem.context, fund, { token: 'ETH', amount: '0.01', chain: 'devnet' })),
  runway: () =>
    filedBody(
      callTool(golem.context, requestRunway, { golems: [golem.id], dailyCapUsdc: 1, durationDays: 7 }),
    ),
  sessionKey: () =>
    filedBody(
      callTool(golem.context, provisionSessionKey, {
        permissions: [
          {
            contract: here.world.addresses.usdcVault,
            methods: ['withdraw'],
            maxAmount: 5,
            chains: [31_337],
          },
        ],
        expiry: 3_600,
        label: 'helper',
      }),
    ),
  policy: async () => {
    await callTool(golem.context, configurePolicy, { policyTemplate: 'read-only' })
    return filedBody(callTool(golem.context, configurePolicy, { policyTemplate: 'vault-manager' }))
  },
  permit: () =>
    filedBody(callTool(golem.context, migrate, { destinationWallet: golem.owner.address, chain: 'devnet' })),
  grant: async () => {
    await (await golem.context.open(golem.id)).rotate('suspected')
    const [request] = (await here.store.ownerRequests.pending(golem.id)).filter(
      ({ kind }) => kind === 'grant',
    )
    return takeBody(request)
  },
  redelegate: async () => ({ because: 'the chain refuses the key' }),
  missedTicks: async () => ({}),
  // Only co-signers answer it: an owner's yes to any such row changes nothing.
  cosign: async () => ({
    type: 'cosign',
    context: encodeContext([golem.root]),
    delegation: hashDelegation(golem.root),
    calls: [{ to: here.world.addresses.usdc, value: 0n, data: '0x' }],
    nonce: 1n,
    valueCents: 1n,
  }),
  revoke: async () => ({ because: 'killSwitch', delegations: [] }),
  // Declared, but no part of Bardo files it: every such row is forged.
  feed: async () => ({ type: 'feed', sentence: '', account: golem.account, amount: 1n }),
}

async function filedBody(call: Promise<{ readonly requestId: string | null }>): Promise<Json> {
  return takeBody(await here.store.ownerRequests.find((await call).requestId ?? ''))
}

/**
 * The body of a request, which is answered so that it is no longer pending: the number of pending requests is
 * limited.
 */
async function takeBody(request: OwnerRequest | undefined): Promise<Json> {
  if (!request) throw new Error('no request was filed')
  await here.store.ownerRequests.answer(request.id, 'refused', {})
  return request.body as Json
}

/** Values that a thief would write into a row. */
const planted = (): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom<Json>(
      thief,
      other.id,
      other.root.delegate,
      other.account,
      golem.owner.address,
      here.world.addresses.usdc,
      here.world.addresses.weth,
      zeroAddress,
      'eth_sendTransaction',
      'eth_sign',
      'wallet_grantPermissions',
      lie,
      '0x',
      10n ** 30n,
      parseUnits('0.5', 18),
      0n,
      -1n,
      9_999_999_999,
      0,
      true,
      false,
    ),
    fc.constant<Json>([]),
    fc.constant<Json>({ to: thief, value: '0x6f05b59d3b20000', data: '0x' }),
    fc.constant<Json>({ ...other.root, caveats: [], delegate: thief, signature: '0x' } as Json),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  )

type Change = { readonly at: number; readonly value: Json; readonly type: 'set' | 'add' | 'drop' }
const changes = () =>
  fc.array(
    fc.record({
      at: fc.nat(200),
      value: planted(),
      type: fc.constantFrom<Change['type']>('set', 'set', 'set', 'add', 'drop'),
    }),
    { minLength: 1, maxLength: 4 },
  )

/** Every path of a value, the root apart. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

function mutate(body: Json, list: readonly Change[]): Json {
  const copy = structuredClone(body)
  for (const { at, value, type } of list) {
    const paths = pathsOf(copy)
    const path = paths[at % Math.max(1, paths.length)] ?? []
    const parent = path.slice(0, -1).reduce<unknown>((part, key) => Object(part)[key], copy)
    const last = path.at(-1)
    if (typeof parent !== 'object' || parent === null || last === undefined) continue
    if (type === 'set') Reflect.set(parent, last, structuredClone(value))
    else if (type === 'add') Reflect.set(parent, 'extra', structuredClone(value))
    else if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else Reflect.deleteProperty(parent, last)
  }
  return copy
}

/** Rows with one field changed to a thief's value, for each field. */
function oneChanged(body: Json): readonly Json[] {
  return pathsOf(body).flatMap((path) => {
    const parent = (value: unknown) =>
      path.slice(0, -1).reduce<unknown>((part, key) => Object(part)[key], value)
    const last = path.at(-1) ?? ''
    return plantedFor(Object(parent(body))[last]).map((value) => {
      const copy = structuredClone(body)
      Reflect.set(Object(parent(copy)), last, value)
      return copy
    })
  })
}

function plantedFor(value: unknown): readonly Json[] {
  if (typeof value === 'bigint') return [10n ** 30n, parseUnits('0.5', 18)]
  if (typeof value === 'number') return [9_999_999_999]
  if (typeof value !== 'string') return []
  if (/^0x[0-9a-f]{40}$/i.test(value)) return [thief, other.root.delegate, other.account]
  return /^0x[0-9a-f]{64}$/i.test(value) ? [other.id] : [lie, 'eth_sendTransaction']
}

/** Computes the permit's nonce and hashes for a forged row, as a thief would. */
function consistent(id: string, body: Json): Json {
  const parts = Object(body)
  if (typeof parts.permit !== 'object' || parts.permit === null) return body
  const after = walletPolicySchema.safeParse(parts.after)
  return {
    ...parts,
    permit: {
      ...parts.permit,
      nonce: BigInt(sha256(stringToHex(id))),
      ...(after.success && { action: walletPolicyHash(after.data) }),
    },
  }
}

async function forge(kind: string, body: Json): Promise<OwnerRequest> {
  forged += 1
  const id = `forged-${forged}`
  await here.store.ownerRequests.file({ id, golem: golem.id, kind, body: consistent(id, body) })
  return (await here.store.ownerRequests.find(id)) as OwnerRequest
}

/** Approves as the owner, and returns what their key and wallet did. Any refusal must be a BardoError. */
async function sayYes(request: OwnerRequest): Promise<Recorded & { readonly isAnswered: boolean }> {
  const { signer, book, owner, wallet } = golem
  const { responder, ...recorded } = recordingOwner(signer, { store: here.store, book, owner, wallet })
  try {
    return { ...recorded, isAnswered: (await responder.answer(request)) !== undefined }
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    return { ...recorded, isAnswered: false }
  } finally {
    await here.store.ownerRequests.answer(request.id, 'refused', {})
  }
}

const sameAddress = (a: unknown, b: Hex) => typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

/** Nothing that was signed, sent or requested exceeds what the owner signed at summoning. */
async function expectBounded({ signed, sent, asked: requests }: Recorded): Promise<void> {
  const { account, owner, signer, root, id } = golem
  const keys = (await here.store.sessionKeys.list(id)).map(({ address }) => address)
  const isKey = (address: unknown) => keys.some((key) => sameAddress(address, key))
  for (const { primaryType, domain, message } of signed) {
    expect(domain['chainId']).toBe(31_337)
    if (primaryType === 'Delegation') {
      const caveats = (message['caveats'] as object[]).map((caveat) => ({ args: '0x', ...caveat }))
      const delegation = delegationSchema.parse({ signature: '0x', ...message, caveats })
      expect(sameAddress(delegation.delegator, account)).toBe(true)
      // A veto can only disable.
      if (sameAddress(delegation.delegate, owner.address)) continue
      expect(isKey(delegation.delegate)).toBe(true)
      if (delegation.authority === rootAuthority) expectPartOf(root, delegation)
      // A runway draw: only into the account.
      else
        expect(delegation.caveats.map(({ terms }) => terms.toLowerCase()).join()).toContain(
          account.slice(2).toLowerCase(),
        )
      continue
    }
    if (primaryType === 'ResetWriter') {
      expect(message['golem']).toBe(id)
      expect(isKey(message['writer'])).toBe(true)
      continue
    }
    expect(primaryType).toBe('ActionPermit')
    expect(message['golem']).toBe(id)
    expect(sameAddress(domain['verifyingContract'], account)).toBe(true)
  }
  for (const { to, value = 0n, data = '0x' } of sent) {
    const isContract = [
      signer.deployment.framework.DelegationManager,
      signer.deployment.contracts.golemVitals,
    ]
    if (isContract.some((contract) => sameAddress(to, contract))) expect(value).toBe(0n)
    else if (isKey(to)) expect([data, value <= (await mostGas(signer.client))]).toEqual(['0x', true])
    else {
      const asset = [...golem.book.assets.values()].find(({ token }) => sameAddress(to, token))
      const prefix = transferCall({ token: asset?.token ?? zeroAddress, amount: 0n, account }).data ?? '0x'
      expect([asset !== undefined, value]).toEqual([true, 0n])
      expect(data.slice(0, 74)).toBe(prefix.slice(0, 74))
    }
  }
  for (const { method, params } of requests) {
    // A query that shows nothing and signs nothing: the supported request types.
    if (method === 'wallet_getSupportedExecutionPermissions') continue
    expect(method).toBe(requestMethod)
    for (const param of params as unknown[]) {
      const { to, from, type, chainId, data } = readRequest(param)
      expect([type, chainId]).toEqual(['erc20-token-periodic', 31_337n])
      expect(isAddressEqual(to, account) && isAddressEqual(from ?? zeroAddress, owner.address)).toBe(true)
      expect(sameAddress(data.tokenAddress, here.world.addresses.usdc)).toBe(true)
    }
  }
}

function expectPartOf(root: Delegation, signed: Delegation): void {
  const names = { token: () => undefined, label: () => undefined }
  const before = { ...root, delegate: signed.delegate }
  const { changes: differences } = comparePolicies(
    before,
    signed,
    caveatRegistry(golem.signer.deployment),
    names,
  )
  expect(differences.filter(({ direction }) => direction !== 'narrower')).toEqual([])
}

// A grant revokes the old root permanently, so it comes last.
const kinds: readonly OwnerRequestKind[] = [
  'feed',
  'revoke',
  'redelegate',
  'missedTicks',
  'cosign',
  'fund',
  'runway',
  'sessionKey',
  'policy',
  'permit',
  'grant',
]

describe('forged request rows', () => {
  it('are tested for every kind', () => {
    expect(kinds.toSorted()).toEqual(Object.keys(honest).toSorted())
  })

  it.each(kinds)(
    'of kind %s cannot get anything signed or sent beyond what the owner signed',
    async (kind) => {
      const body = await honest[kind]()
      const before = await balances()
      let refused = 0
      for (const changed of oneChanged(body)) await expectBounded(await sayYes(await forge(kind, changed)))
      await fc.assert(
        fc.asyncProperty(changes(), async (list) => {
          const request = await forge(kind, mutate(body, list))
          const done = await sayYes(request)
          if (!done.isAnswered) refused += 1
          await expectBounded(done)
          const { book, signer, owner } = golem
          const shown = describeRequest(request, {
            book,
            deployment: signer.deployment,
            owner: owner.address,
          })
          expect(shown).not.toContain('\u001b')
          if (kind !== 'sessionKey') expect(shown).not.toContain('LIE')
        }),
        { seed, numRuns: runs },
      )
      expect(await balances()).toEqual(before)
      // The unchanged row is answered, so the property is not vacuous. No owner answers a feed or a proposal.
      const isAnswerable = kind !== 'feed' && kind !== 'cosign'
      if (kind !== 'feed') expect((await sayYes(await forge(kind, body))).isAnswered).toBe(isAnswerable)
      // These kinds have no field that matters: a changed row is the same request.
      if (!['revoke', 'redelegate', 'missedTicks'].includes(kind)) expect(refused).toBeGreaterThan(runs / 4)
    },
  )
})

async function balances() {
  const { client, addresses } = here.world
  return Promise.all([
    client.getBalance({ address: thief }),
    client.getBalance({ address: other.root.delegate }),
    ...[thief, other.root.delegate].map((account) =>
      client.readContract({
        address: addresses.usdc,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    ),
  ])
}

it('sends no money for a runway row that names another method', async () => {
  const summoned = await here.summon()
  golem = summoned
  await summoned.wallet.upgrade(summoned.owner.address)
  const body = await honest.runway()
  const theft = { from: summoned.owner.address, to: thief, value: '0x6f05b59d3b20000' }
  const before = await here.world.client.getBalance({ address: thief })
  const request = await forge('runway', { ...Object(body), method: 'eth_sendTransaction', requests: [theft] })
  const { asked: calls, isAnswered } = await sayYes(request)
  expect([calls, isAnswered]).toEqual([[], false])
  expect(await here.world.client.getBalance({ address: thief })).toBe(before)
})

it('decides by the numbers whether explicit confirmation is needed, not by the row', async () => {
  const input = { golems: [golem.id], dailyCapUsdc: 5, durationDays: 120 }
  const body = await filedBody(callTool(golem.context, requestRunway, input))
  const request = await forge('runway', { ...Object(body), needsOverride: false })
  const responder = await golem.responder()
  expect(await responder.answer(request)).toBeUndefined()
})

it('signs no additional key under the other Cage version, which has a second budget', async () => {
  // Version 1 has no section for gas.
  golem = await here.summon(
    undefined,
    'Buy WETH with USDC. Deposit USDC into the vault. At most $300 a day.\n\ngas: none',
  )
  const body = await honest.sessionKey()
  const { root: requested, ...rest } = readAskOf('sessionKey', { kind: 'sessionKey', body } as OwnerRequest)
  const [caveat] = requested.caveats
  if (!caveat) throw new Error('no Cage')
  const terms = cage.encode({ ...cage.decode(caveat.terms), floors: undefined, version: 1 })
  const { cageEnforcer: enforcer } = golem.signer.deployment.earlier
  const root = { ...requested, caveats: [{ ...caveat, enforcer, terms }] }
  const { signed, isAnswered } = await sayYes(await forge('sessionKey', { ...rest, root } as unknown as Json))
  expect([signed, isAnswered]).toEqual([[], false])
  expect((await sayYes(await forge('sessionKey', body))).isAnswered).toBe(true)
})

it('signs no outdated, wider limits for a new key', async () => {
  const wide = await here.summon()
  golem = wide
  const { context, id, root } = wide
  const narrow = 'Buy WETH with USDC, $10 every day. At most $20 a day. Close within 30 days.'
  await regrant(wide.signer, { id, ...context }, narrow)
  const honestGrant = await honest.grant()
  const { root: narrowed, ...rest } = readGrantRequest({ kind: 'grant', body: honestGrant } as OwnerRequest)
  const again = {
    ...rest,
    root: { ...root, delegate: narrowed.delegate, signature: '0x' },
  } as unknown as Json
  const { signed, isAnswered } = await sayYes(await forge('grant', again))
  expect([signed, isAnswered]).toEqual([[], false])
  expect((await sayYes(await forge('grant', honestGrant))).isAnswered).toBe(true)
})
