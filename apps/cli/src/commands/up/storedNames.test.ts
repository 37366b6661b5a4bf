import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { readFamily, readModelList, readOwnerAsk } from '@bardo/golem'
import { openStore, type Store } from '@bardo/store'
import { readRawRows } from '@bardo/store/testing/restore'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { golemSettings } from '../../context/golemSettings.ts'
import { restoreV01 } from '../../testing/openV01.ts'
import { eventText } from '../../text/eventText.ts'

/** Events of version 0.1 that no screen shows. A name may move out of this list, but must not disappear. */
const hidden = [
  'GOLEM_TERMINAL',
  'PositionsUnwound',
  'action.waited',
  'custody.modeSelected',
  'golem.provisioned',
  'heartbeat.ticked',
  'mood.published',
  'sessionKey.delegationGranted',
  'sessionKey.generated',
  'sessionKey.operationSigned',
  'sessionKey.rotationTriggered',
  'tool:end',
  'tool:progress',
  'tool:start',
  'vitals.published',
]

const shown = [
  'DeathCompleted',
  'DeathProtocolStarted',
  'PERMISSION_REVOKED',
  'action.intended',
  'action.landed',
  'action.refused',
  'custody.delegationGranted',
  'custody.delegationRevoked',
  'custody.sessionKeyRotated',
  'golem.summoned',
  'identity.registered',
  'owner.requestAnswered',
  'owner.requestFiled',
  'permission.health',
  'replicant.spawned',
  'sessionKey.budgetWarning',
  'sessionKey.revoked',
]

describe('data that version 0.1 stored', { timeout: 60_000 }, () => {
  let home: string
  let store: Store
  let raw: Readonly<
    Record<'events' | 'requests' | 'grimoire' | 'journal' | 'capabilities', readonly string[]>
  >

  beforeAll(async () => {
    home = await restoreV01()
    const rows = await readRawRows(
      join(home, 'db'),
      `SELECT 'events' AS what, name AS value FROM bardo.events GROUP BY name
       UNION ALL SELECT 'requests', id FROM bardo.owner_requests
       UNION ALL SELECT 'grimoire', kind FROM bardo.grimoire GROUP BY kind
       UNION ALL SELECT 'journal', id FROM bardo.journal
       UNION ALL SELECT 'capabilities', permit_id FROM bardo.capabilities`,
    )
    const of = (what: string) =>
      rows
        .filter((row) => row['what'] === what)
        .map(({ value }) => `${value}`)
        .toSorted()
    raw = {
      events: of('events'),
      requests: of('requests'),
      grimoire: of('grimoire'),
      journal: of('journal'),
      capabilities: of('capabilities'),
    }
    store = await openStore({ home, clock: systemClock })
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    rmSync(home, { recursive: true, force: true })
  })

  it('shows every event as a sentence, or lists it as not shown', async () => {
    expect(raw.events).toEqual([...shown, ...hidden].toSorted())
    const events = await store.events.read({ after: 0, limit: 10_000 })
    for (const event of events) {
      const sentence = eventText(event)
      if (shown.includes(event.name)) expect(sentence, event.name).toMatch(/^[a-z].*\S$/)
      expect(sentence ?? '').not.toMatch(/undefined|\[object|NaN|unknown reason|\$\?/)
    }
  })

  it('reads every request, of every kind and in every state', async () => {
    const kinds = new Set<string>()
    expect(raw.requests.length).toBeGreaterThan(5)
    for (const id of raw.requests) {
      const request = await store.ownerRequests.find(id)
      if (!request) throw new Error(`lost: ${id}`)
      kinds.add(`${request.kind} ${request.state}`)
      if (request.kind === 'fund' || request.kind === 'runway')
        expect(readOwnerAsk(request)).toMatchObject({ type: request.kind })
    }
    expect([...kinds].toSorted()).toEqual([
      'fund pending',
      'grant approved',
      'revoke approved',
      'revoke pending',
      'runway pending',
    ])
  })

  it('reads every entry of the grimoire', async () => {
    const models = readModelList({ env: {}, allowsOthers: true })
    expect(raw.grimoire).toEqual(['family', 'settings', 'settlement', 'testament', 'warning'])
    const golems = await store.golems.list({ limit: 100 })
    for (const { id, name } of golems) {
      const entries = await store.grimoire.list({ golem: id, limit: 100 })
      for (const { kind, body } of entries) expect(body, `${name} ${kind}`).toBeTypeOf('object')
      expect(await golemSettings(store, id, { chainId: 31_337, env: {}, models })).toHaveProperty('schedule')
    }
    const parent = golems.find(({ name }) => name === 'parent')
    const child = golems.find(({ name }) => name === 'child')
    if (!parent || !child) throw new Error('lost')
    expect((await readFamily(store, child.id)).birth).toMatchObject({ parent: parent.id })
    expect((await readFamily(store, parent.id)).replicants).toHaveLength(1)
  })

  it('reads every intent of the journal, and every capability', async () => {
    expect(raw.journal.length).toBeGreaterThan(30)
    for (const id of raw.journal) {
      const record = await store.journal.find(id)
      expect(record?.intent).toMatchObject({ id, data: expect.stringMatching(/^0x/) })
    }
    expect(raw.capabilities.length).toBeGreaterThan(10)
    for (const id of raw.capabilities) expect((await store.capabilities.find(id))?.capability).toBeDefined()
  })

  it('reads every key, delegation and permission', async () => {
    for (const { id, name } of await store.golems.list({ limit: 100 })) {
      expect((await store.sessionKeys.list(id)).length, name).toBeGreaterThan(0)
      expect((await store.delegations.list(id)).length, name).toBeGreaterThan(0)
      expect((await store.golemStates.find(id))?.state, name).toBeDefined()
    }
  })
})
