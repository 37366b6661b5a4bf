import { getAddress, type Hash, keccak256, stringToHex } from 'viem'
import { isoTime } from '../rpc/waitingFor.ts'
import type { OfficeEvent } from '../watch/reduceEvent.ts'
import type { RosterRow, Seen } from '../watch/watchState.ts'

/** The properties of a sample Golem. */
export type Sample = {
  readonly row: RosterRow
  readonly status: Seen
  /** Its vitality before now, oldest first, 0 to 100. */
  readonly before: readonly number[]
}

type SampleGolem = {
  readonly name: string
  readonly status?: RosterRow['status']
  readonly paused?: boolean
  readonly phase?: RosterRow['phase']
  readonly vitality?: readonly number[]
  readonly spentCents?: number
  readonly limitCents?: number
  /** The signed days, and the days that are left. */
  readonly days?: readonly [signed: number, left: number]
  readonly health?: string
  readonly nextTickSeconds?: number
  readonly tick?: number
  readonly request?: string
  readonly positions?: Seen['positions']
}

/** A fixed id for a name. */
export const sampleId = (name: string): Hash => keccak256(stringToHex(name))

/** A sample Golem at a given time. */
export function sampleGolem(sample: SampleGolem, now: number): Sample {
  const { name, status = 'alive', phase = 'thriving', vitality = [100], health = 'healthy' } = sample
  const {
    spentCents = 1_200,
    limitCents = 50_000,
    days = [30, 29.4],
    nextTickSeconds = 9,
    tick = 42,
  } = sample
  const id = sampleId(name)
  const address = getAddress(`0x${id.slice(2, 42)}`)
  const survivalScore = (vitality.at(-1) ?? 0) * 100
  const nextTick = status === 'dead' ? null : now + nextTickSeconds * 1_000
  const endsAt = Math.floor(now / 1_000 + days[1] * 86_400)
  const check = (check: string, note: string) => ({ name: check, ok: true, note })
  return {
    row: { id, name, status, paused: sample.paused === true, phase, nextTick, survivalScore, health },
    before: vitality,
    status: {
      golem: id,
      name,
      owner: address,
      account: address,
      custody: 'delegation',
      chainId: 31_337,
      status,
      pausedAt: sample.paused ? Math.floor(now / 1_000) - 300 : null,
      route: 'direct',
      sessionAccount: null,
      phase,
      stage: 'thriving',
      tick,
      survivalScore,
      dreaming: false,
      stale: null,
      activePolicy: 'Swaps of USDC and WETH, to its owner alone.',
      policyHistory: [],
      balances: [
        { symbol: 'USDC', cents: '998800', vaultCents: '0' },
        { symbol: 'WETH', cents: `${spentCents}`, vaultCents: '0' },
      ],
      positions: sample.positions ?? [],
      day: status === 'dead' ? null : { spentCents: `${spentCents}`, limitCents: `${limitCents}` },
      calls: null,
      totals: [],
      gas: null,
      mostPerActionDollars: 2,
      sessionKeys: [
        {
          keyId: id,
          address,
          signer: address,
          curve: 'secp256k1',
          status: 'active',
          gasWei: '98700000000000000',
        },
      ],
      ownerRequests: sample.request
        ? [{ id: sample.request, kind: 'feed', filedAt: Math.floor(now / 1_000) - 60 }]
        : [],
      operations: [],
      healthChecks: [
        check('permission', 'active on the chain'),
        check('row', 'the chain shows it alive'),
        check('manager', 'redemptions work'),
        check('constitution', 'matches the signed one'),
        check('key', 'a key is active'),
        check('heartbeat', 'no tick is missed'),
        check('acting', 'it acts'),
      ],
      waits: null,
      nextTick,
      endsAt,
      beganAt: endsAt - days[0] * 86_400,
      times: {
        nextTick: nextTick === null ? null : isoTime(nextTick),
        began: isoTime((endsAt - days[0] * 86_400) * 1_000),
        ends: isoTime(endsAt * 1_000),
      },
      ended: status === 'dead' ? { because: 'killSwitch', at: Math.floor(now / 1_000) - 3_600 } : null,
      parent: null,
      coSigners: null,
      given: [],
      received: [],
      children: [],
      identity: null,
      legacy: null,
      ledger: {
        earnedCents: '120',
        spentCents: '45',
        netCents: '75',
        revenue: { gains: '120', yield: '0', payments: '0' },
        costs: { gas: '45', inference: '0', compute: '0', data: '0' },
        inferenceByTier: {},
        gasWei: '180000000000000',
        gasUnpricedWei: '0',
        allottedCents: '3000',
        owed: [],
        tokens: [],
      },
    },
  }
}

/** The vitality events of a sample, for its history. */
export function pastVitality({ row, before }: Sample, now: number, first: number): readonly OfficeEvent[] {
  return before.map((vitality, index) => ({
    sequence: first + index,
    golem: row.id,
    name: 'vitals.published',
    at: now - (before.length - index) * 15_000,
    body: { phase: row.phase, survivalScore: vitality * 100 },
  }))
}
