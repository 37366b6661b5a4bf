import { golemVitals } from '@bardo/contracts'
import type { Delegation } from '@bardo/core'
import { DelegationManager } from '@metamask/delegation-abis'
import { type Address, decodeEventLog, type Hex, toEventSelector } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'

/** What happened, as the manager and the vitals tell it. A heartbeat leaves no event: it only shows in the vitals' row. */
export type WatchedEvent =
  | {
      readonly is: 'redeemed'
      readonly rootDelegator: Address
      readonly redeemer: Address
      readonly delegation: Delegation
    }
  | {
      readonly is: 'disabled' | 'enabled'
      readonly delegationHash: Hex
      readonly delegator: Address
      readonly delegate: Address
    }
  | { readonly is: 'paused' | 'unpaused'; readonly account: Address }
  | { readonly is: 'registered'; readonly golem: Hex; readonly owner: Address; readonly writer: Address }
  | { readonly is: 'deregistered'; readonly golem: Hex }
  | {
      readonly is: 'phase'
      readonly golem: Hex
      readonly fromPhase: number
      readonly toPhase: number
      readonly survivalScore: number
    }
  | { readonly is: 'dream'; readonly golem: Hex; readonly dreaming: boolean }
  | {
      readonly is: 'mood'
      readonly golem: Hex
      readonly pleasure: number
      readonly arousal: number
      readonly dominance: number
    }
  | { readonly is: 'writer'; readonly golem: Hex; readonly from: Address; readonly to: Address }

/** What to watch; everything where left out. */
export type WatchFilters = {
  readonly kinds?: readonly WatchedEvent['is'][] | undefined
  /** Accounts whose delegations are meant. */
  readonly delegators?: readonly Address[] | undefined
  readonly golems?: readonly Hex[] | undefined
}

/** One question for logs, in the node's own words. */
export type LogQuery = { readonly address: Address; readonly topics: readonly (readonly Hex[] | null)[] }

const abi = [
  ...DelegationManager.filter((item) => item.type === 'event'),
  ...golemVitals.abi.filter((item) => item.type === 'event'),
]

const selectors = new Map(abi.map((item) => [item.name, toEventSelector(item)]))

/** By selector: viem would hash every event anew for each log. */
const bySelector = new Map(abi.map((item) => [toEventSelector(item), item]))

/** Which events belong to which kind, who emits them, and where the account or the Golem stands among the topics. */
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

/** The questions whose answers together are what the filters let through. */
export function logQueries({ framework, contracts }: Deployment, filters: WatchFilters): readonly LogQuery[] {
  const kinds: readonly string[] | undefined = filters.kinds
  return sources.flatMap(({ by, topic, of, events }) => {
    const wanted = Object.entries(events).filter(([kind]) => !kinds || kinds.includes(kind))
    if (wanted.length === 0) return []
    const topics: (readonly Hex[] | null)[] = [wanted.map(([, event]) => selectors.get(event) ?? '0x')]
    const chosen = of && filters[of]
    // To a node an empty list means anything; here it means nothing.
    if (chosen?.length === 0) return []
    if (chosen) {
      while (topics.length < topic) topics.push(null)
      topics.push(chosen.map((value) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}` as const))
    }
    return [{ address: by === 'manager' ? framework.DelegationManager : contracts.golemVitals, topics }]
  })
}

/** What a log says. Throws where it is none of those that were asked for. */
export function decodeWatched(topics: [] | [Hex, ...Hex[]], data: Hex): WatchedEvent {
  const known = bySelector.get(topics[0] ?? '0x')
  const { eventName, args } = decodeEventLog({ abi: known ? [known] : [], topics, data })
  switch (eventName) {
    case 'RedeemedDelegation':
      return { is: 'redeemed', ...args }
    case 'DisabledDelegation':
    case 'EnabledDelegation': {
      const { delegationHash, delegator, delegate } = args
      return {
        is: eventName === 'DisabledDelegation' ? 'disabled' : 'enabled',
        delegationHash,
        delegator,
        delegate,
      }
    }
    case 'Paused':
    case 'Unpaused':
      return { is: eventName === 'Paused' ? 'paused' : 'unpaused', account: args.account }
    case 'GolemRegistered':
      return { is: 'registered', ...args }
    case 'GolemDeregistered':
      return { is: 'deregistered', ...args }
    case 'PhaseTransition':
      return { is: 'phase', ...args }
    case 'DreamChanged':
      return { is: 'dream', ...args }
    case 'MoodChanged':
      return { is: 'mood', ...args }
    case 'WriterChanged':
      return { is: 'writer', ...args }
    default:
      throw new RangeError(`nobody asked for ${eventName}`)
  }
}
