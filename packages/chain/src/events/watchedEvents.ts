import { golemVitals } from '@bardo/contracts'
import type { Delegation, Deployment } from '@bardo/core'
import { DelegationManager } from '@metamask/delegation-abis'
import { type Address, decodeEventLog, type Hex, toEventSelector } from 'viem'

/**
 * An event of the DelegationManager or GolemVitals. A heartbeat emits no event: it only changes the Golem's
 * vitals.
 */
export type WatchedEvent =
  | {
      readonly type: 'redeemed'
      readonly rootDelegator: Address
      readonly redeemer: Address
      readonly delegation: Delegation
    }
  | {
      readonly type: 'disabled' | 'enabled'
      readonly delegationHash: Hex
      readonly delegator: Address
      readonly delegate: Address
    }
  | { readonly type: 'paused' | 'unpaused'; readonly account: Address }
  | { readonly type: 'registered'; readonly golem: Hex; readonly owner: Address; readonly writer: Address }
  | { readonly type: 'deregistered'; readonly golem: Hex }
  | {
      readonly type: 'phase'
      readonly golem: Hex
      readonly fromPhase: number
      readonly toPhase: number
      readonly survivalScore: number
    }
  | { readonly type: 'dream'; readonly golem: Hex; readonly dreaming: boolean }
  | {
      readonly type: 'mood'
      readonly golem: Hex
      readonly pleasure: number
      readonly arousal: number
      readonly dominance: number
    }
  | { readonly type: 'writer'; readonly golem: Hex; readonly from: Address; readonly to: Address }

/** Which events to watch. An omitted filter selects everything. */
export type WatchFilters = {
  readonly kinds?: readonly WatchedEvent['type'][] | undefined
  /** Only delegations of these accounts. */
  readonly delegators?: readonly Address[] | undefined
  readonly golems?: readonly Hex[] | undefined
}

/** One `eth_getLogs` query. */
export type LogQuery = { readonly address: Address; readonly topics: readonly (readonly Hex[] | null)[] }

const abi = [
  ...DelegationManager.filter((item) => item.type === 'event'),
  ...golemVitals.abi.filter((item) => item.type === 'event'),
]

const selectors = new Map(abi.map((item) => [item.name, toEventSelector(item)]))

/** By selector: viem would hash every event again for each log. */
const bySelector = new Map(abi.map((item) => [toEventSelector(item), item]))

/**
 * Which events belong to which kind, which contract emits them, and which topic holds the account or the
 * Golem.
 */
const sources = [
  { by: 'manager', topic: 1, of: 'delegators', events: { redeemed: 'RedeemedDelegation' } },
  {
    by: 'manager',
    topic: 2,
    of: 'delegators',
    events: { disabled: 'DisabledDelegation', enabled: 'EnabledDelegation' },
  },
  { by: 'manager', topic: 0, of: undefined, events: { paused: 'Paused', unpaused: 'Unpaused' } },
  {
    by: 'vitals',
    topic: 1,
    of: 'golems',
    events: {
      registered: 'GolemRegistered',
      deregistered: 'GolemDeregistered',
      phase: 'PhaseTransition',
      dream: 'DreamChanged',
      mood: 'MoodChanged',
      writer: 'WriterChanged',
    },
  },
] as const

/** The queries that together return what the filters select. */
export function logQueries({ framework, contracts }: Deployment, filters: WatchFilters): readonly LogQuery[] {
  const kinds: readonly string[] | undefined = filters.kinds
  return sources.flatMap(({ by, topic, of, events }) => {
    const selected = Object.entries(events).filter(([kind]) => !kinds || kinds.includes(kind))
    if (selected.length === 0) return []
    const topics: (readonly Hex[] | null)[] = [selected.map(([, event]) => selectors.get(event) ?? '0x')]
    const values = of && filters[of]
    // To a node an empty list means "anything"; here it means "nothing".
    if (values?.length === 0) return []
    if (values) {
      while (topics.length < topic) topics.push(null)
      topics.push(values.map((value) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}` as const))
    }
    return [{ address: by === 'manager' ? framework.DelegationManager : contracts.golemVitals, topics }]
  })
}

/** Decodes a log. Throws if it is not one of the watched events. */
export function decodeWatched(topics: [] | [Hex, ...Hex[]], data: Hex): WatchedEvent {
  const definition = bySelector.get(topics[0] ?? '0x')
  const { eventName, args } = decodeEventLog({ abi: definition ? [definition] : [], topics, data })
  switch (eventName) {
    case 'RedeemedDelegation':
      return { type: 'redeemed', ...args }
    case 'DisabledDelegation':
    case 'EnabledDelegation': {
      const { delegationHash, delegator, delegate } = args
      return {
        type: eventName === 'DisabledDelegation' ? 'disabled' : 'enabled',
        delegationHash,
        delegator,
        delegate,
      }
    }
    case 'Paused':
    case 'Unpaused':
      return { type: eventName === 'Paused' ? 'paused' : 'unpaused', account: args.account }
    case 'GolemRegistered':
      return { type: 'registered', ...args }
    case 'GolemDeregistered':
      return { type: 'deregistered', ...args }
    case 'PhaseTransition':
      return { type: 'phase', ...args }
    case 'DreamChanged':
      return { type: 'dream', ...args }
    case 'MoodChanged':
      return { type: 'mood', ...args }
    case 'WriterChanged':
      return { type: 'writer', ...args }
    default:
      throw new RangeError(`unexpected event ${eventName}`)
  }
}
