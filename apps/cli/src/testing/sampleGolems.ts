import { getAddress, type Hash, keccak256, stringToHex } from 'viem'
import type { OfficeEvent } from '../watch/happen.ts'
import type { RosterRow, Seen } from '../watch/watchState.ts'

/** A Golem as a test or a picture wants it. */
export type Sample = {
  readonly row: RosterRow
  readonly status: Seen
  /** Its vitality before now, oldest first, 0 to 100. */
  readonly before: readonly number[]
}

type Wish = {
  readonly name: string
  readonly status?: RosterRow['status']
  readonly phase?: RosterRow['phase']
  readonly vitality?: readonly number[]
  readonly spentCents?: number
  readonly limitCents?: number
  /** Days that were signed for, and are left. */
  readonly days?: readonly [signed: number, left: number]
  readonly health?: string
  readonly nextTickSeconds?: number
  readonly tick?: number
  readonly request?: string
}

/** An id that is always the same for a name. */
export const sampleId = (name: string): Hash => keccak256(stringToHex(name))

/** A Golem made up for a moment. */
export function sampleGolem(wish: Wish, now: number): Sample {
  const { name, status = 'alive', phase = 'thriving', vitality = [100], health = 'healthy' } = wish
  const { spentCents = 1_200, limitCents = 50_000, days = [30, 29.4], nextTickSeconds = 9, tick = 42 } = wish
  const id = sampleId(name)
  const address = getAddress(`0x${id.slice(2, 42)}`)
  const survivalScore = (vitality.at(-1) ?? 0) * 100
  const nextTick = status === 'dead' ? null : now + nextTickSeconds * 1_000
  const endsAt = Math.floor(now / 1_000 + days[1] * 86_400)
  const check = (check: string, note: string) => ({ name: check, ok: true, note })
  return {
    row: { id, name, status, phase, nextTick, survivalScore, health },
    before: vitality,
    status: {
      golem: id,
      name,
      owner: address,
      account: address,
      custody: 'delegation',
      chainId: 31_337,
      status,
      phase,
      stage: 'thriving',
      tick,
      survivalScore,
      dreaming: false,
      stale: null,
      activePolicy: 'Swaps of USDC and WETH, to its owner alone.',
      balances: [
        { symbol: 'USDC', cents: '998800', vaultCents: '0' },
        { symbol: 'WETH', cents: `${spentCents}`, vaultCents: '0' },
      ],
      day: { spentCents: `${spentCents}`, limitCents: `${limitCents}` },
      sessionKeys: [{ keyId: id, address, status: 'active', gasWei: '98700000000000000' }],
      ownerRequests: wish.request
        ? [{ id: wish.request, kind: 'feed', filedAt: Math.floor(now / 1_000) - 60 }]
        : [],
      operations: [],
      healthChecks: [
        check('permission', 'it stands on the chain'),
        check('row', 'the chain shows it alive'),
        check('manager', 'redemptions work'),
        check('constitution', 'it is the signed one'),
        check('key', 'there is one in use'),
        check('heartbeat', 'no tick is missed'),
        check('acting', 'it acts'),
      ],
      nextTick,
      endsAt,
      beganAt: endsAt - days[0] * 86_400,
    },
  }
}

/** The events of a sample's vitality, so that its history is drawn. */
export function pastVitality({ row, before }: Sample, now: number, first: number): readonly OfficeEvent[] {
  return before.map((vitality, place) => ({
    sequence: first + place,
    golem: row.id,
    name: 'vitals.published',
    at: now - (before.length - place) * 15_000,
    body: { phase: row.phase, survivalScore: vitality * 100 },
  }))
}
