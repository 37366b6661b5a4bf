import { isDisabled, verifyDeployment } from '@bardo/chain'
import { canonicalFramework, type Delegation, decodeContext } from '@bardo/core'
import { readFamily } from '@bardo/golem'
import { type Address, getAddress, type Hash, isAddressEqual, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainConnection } from '../../context/findChain.ts'
import { madeByV01, type OpenV01, openV01 } from '../../testing/openV01.ts'

const living = ['Alpha DCA', 'buyer', 'saver', 'parent', 'local', 'child']
const traders = ['Alpha DCA', 'buyer', 'local', 'parent', 'child']

/** Everything that an owner can do with the Golems of an earlier version. */
function promises(open: () => Promise<OpenV01>) {
  let v01: OpenV01
  const ids = new Map<string, Hash>()
  beforeAll(async () => {
    v01 = await open()
  }, 120_000)
  afterAll(() => v01?.[Symbol.asyncDispose]())

  const idOf = (name: string): Hash => {
    const id = ids.get(name)
    if (!id) throw new Error(`no ${name}`)
    return id
  }
  const tick = async (name: string) => (await v01.context.open(idOf(name))).tick()
  const landed = async (name: string) => {
    const events = await v01.context.store.events.read({ after: 0, golem: idOf(name), limit: 10_000 })
    return events.filter((event) => event.name === 'action.landed').length
  }

  it('finds the audit log intact, with the head that version 0.1 printed', async () => {
    const { head, events } = madeByV01.verified
    expect(await v01.office.ask('auditVerify', {})).toMatchObject({ type: 'intact' })
    expect(await v01.office.ask('auditVerify', { anchor: head })).toMatchObject({ type: 'intact' })
    expect(events).toBeGreaterThan(300)
  })

  it('keeps the contracts of version 1 and deploys those of version 2 beside them', async () => {
    const { contracts, earlier, framework } = v01.context.chain.deployment
    expect(framework.DelegationManager).not.toBe(canonicalFramework.DelegationManager)
    await verifyDeployment(v01.world.client, v01.context.chain.deployment)
    for (const address of [...Object.values(earlier), contracts.cageEnforcer])
      expect(await v01.world.client.getCode({ address }), address).toBeDefined()
    expect(contracts.cageEnforcer).not.toBe(earlier.cageEnforcer)
    expect(v01.world.addresses).toMatchObject(contracts)
  })

  it('lists every Golem', async () => {
    const golems = await v01.office.ask('golems', {})
    for (const { name, id } of golems) ids.set(name, id)
    expect(golems.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual(
      [...living.map((name) => `${name} alive`), 'killed dead', 'revoked dead'].toSorted(),
    )
  })

  it.each([...living, 'killed', 'revoked'])('shows the status and the delegations of %s', async (name) => {
    const status = await v01.office.ask('status', { golem: idOf(name) })
    expect(status).toMatchObject({ name, stale: null })
    const tree = await v01.office.ask('tree', { golem: idOf(name) })
    expect(JSON.stringify(tree)).toContain('0x')
  })

  it.each(traders)('lets %s trade again', async (name) => {
    // A child shares its parent's interval.
    await v01.pass(61)
    const before = await landed(name)
    expect(await tick(name)).toMatchObject({ type: 'ticked' })
    expect(await landed(name)).toBe(before + 1)
  })

  it('lists the pending requests, and accepts a yes and a no', async () => {
    const waiting = await v01.office.ask('requests', {})
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual(['fund', 'fund', 'revoke', 'runway'])
    const [first, second] = waiting.filter(({ kind }) => kind === 'fund')
    const runway = waiting.find(({ kind }) => kind === 'runway')
    const answer = (request: string | undefined, says: 'yes' | 'no') =>
      v01.office.ask('answer', { request: request ?? '', says })
    expect(await answer(first?.id, 'yes')).toMatchObject({ says: 'yes', isTaken: true })
    expect(await answer(second?.id, 'no')).toMatchObject({ says: 'no', isTaken: true })
    expect(await answer(runway?.id, 'yes')).toMatchObject({ says: 'yes', isTaken: true })
    const revocation = waiting.find(({ kind }) => kind === 'revoke')
    expect(await answer(revocation?.id, 'yes')).toMatchObject({ says: 'yes', isTaken: true })
  })

  it('feeds a Golem, which trades under the new delegation', async () => {
    const { endsAt: old } = await v01.office.ask('status', { golem: idOf('Alpha DCA') })
    expect(await v01.office.ask('regrant', { golem: idOf('Alpha DCA') })).toMatchObject({ name: 'Alpha DCA' })
    const { endsAt } = await v01.office.ask('status', { golem: idOf('Alpha DCA') })
    expect(endsAt).toBeGreaterThan(old)
    await v01.pass(61)
    const before = await landed('Alpha DCA')
    await tick('Alpha DCA')
    expect(await landed('Alpha DCA')).toBe(before + 1)
    // It moved to version 2, and its root of version 1, which has a separate budget, is disabled.
    const { contracts, earlier } = v01.context.chain.deployment
    const records = await v01.context.store.delegations.list(idOf('Alpha DCA'))
    const roots = records.flatMap(({ context }) => decodeContext(context).slice(-1))
    const isOff = (root: Delegation) => isDisabled(v01.context.chain, root)
    const signedWith = (enforcer: Address) =>
      roots.filter(({ caveats }) => caveats.some((caveat) => isAddressEqual(caveat.enforcer, enforcer)))
    expect(await Promise.all(signedWith(contracts.cageEnforcer).map(isOff))).toEqual([false])
    const first = await Promise.all(signedWith(earlier.cageEnforcer).map(isOff))
    expect(first).toEqual(first.map(() => true))
    expect(first.length).toBeGreaterThan(0)
  })

  it('revokes a Golem, which then dies', async () => {
    const { revoked } = await v01.office.ask('revoke', { golem: idOf('local') })
    expect(revoked.length).toBeGreaterThan(0)
    for (let ticks = 0; ticks < 5; ticks += 1) if ((await tick('local')).type !== 'ticked') break
    const { status } = await v01.office.ask('status', { golem: idOf('local') })
    expect(['dying', 'dead']).toContain(status)
  })

  it('kills a Golem and leaves no active delegation', async () => {
    await v01.office.ask('kill', { golem: idOf('saver') })
    const { status, healthChecks } = await v01.office.ask('status', { golem: idOf('saver') })
    expect(status).toBe('dead')
    expect(healthChecks).toContainEqual(expect.objectContaining({ name: 'permission', ok: false }))
  })

  it('lets a successor inherit the testament of a dead Golem', async () => {
    const strategy = 'Every minute, swap $2 of USDC into WETH.\nbudget: $100/day\nlifespan: 30 days\n'
    const { golem } = await v01.office.ask('summon', { name: 'heir', strategy, ancestor: idOf('killed') })
    expect(await readFamily(v01.context.store, golem)).toMatchObject({ ancestor: idOf('killed') })
  })

  it('does not change the old part of the audit log', async () => {
    const { head } = madeByV01.verified
    const report = await v01.office.ask('auditVerify', { anchor: head })
    expect(report).toMatchObject({ type: 'intact' })
    expect(await v01.context.store.audit.head({ sequence: head.sequence })).toEqual(head)
  })
}

describe('a data folder of version 0.1', { timeout: 90_000 }, () => {
  promises(() => openV01('folder'))
})

describe('a PostgreSQL dump of version 0.1', { timeout: 90_000 }, () => {
  promises(() => openV01('server'))
})

/** Each token has another address, so every strategy of version 0.1 compiles to other terms than it was signed with. */
function otherBook(chain: ChainConnection): ChainConnection {
  const moved = (address: Address): Address => getAddress(numberToHex(BigInt(address) ^ 1n, { size: 20 }))
  const assets = new Map(
    [...chain.book.assets].map(([symbol, asset]) => [symbol, { ...asset, token: moved(asset.token) }]),
  )
  return { ...chain, book: { ...chain.book, assets } }
}

describe('a data folder of version 0.1 whose strategies now compile to other limits', {
  timeout: 90_000,
}, () => {
  let v01: OpenV01
  beforeAll(async () => {
    v01 = await openV01('folder', otherBook)
  }, 120_000)
  afterAll(() => v01?.[Symbol.asyncDispose]())

  it('lists the Golems, and verifies the audit log', async () => {
    expect(await v01.office.ask('golems', {})).toHaveLength(8)
    const { head } = madeByV01.verified
    expect(await v01.office.ask('auditVerify', { anchor: head })).toMatchObject({ type: 'intact' })
  })

  it('shows what was signed, and revokes it', async () => {
    expect(JSON.stringify(await v01.office.ask('tree', { golem: 'buyer' }))).toContain('$500')
    const { revoked } = await v01.office.ask('revoke', { golem: 'buyer' })
    expect(revoked.length).toBeGreaterThan(0)
  })

  it('kills a Golem', async () => {
    await v01.office.ask('kill', { golem: 'saver' })
    expect(await v01.context.store.golems.list({ name: 'saver' })).toMatchObject([{ status: 'dead' }])
  })
})
