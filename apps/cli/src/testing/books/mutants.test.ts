import { describe, expect, it, vi } from 'vitest'
import { runBooks } from './runBooks.ts'
import { drawSequence } from './step.ts'

type Anything = (...given: never[]) => unknown
type Income = { readonly given?: bigint; readonly granted?: bigint }

/** The active mutant; none outside of a test. */
const planted = vi.hoisted(() => ({ mutant: 'none' }))

/** A module whose functions are replaced while their mutant is active. Each replacement gets the right function. */
const mutate = vi.hoisted(
  () =>
    (mutant: string, wrong: Readonly<Record<string, (right: never) => Anything>>) =>
    async (original: () => Promise<object>) => {
      const all: Record<string, unknown> = { ...(await original()) }
      for (const [name, make] of Object.entries(wrong)) {
        const right = all[name]
        if (typeof right !== 'function') throw new TypeError(`the module has no function ${name}`)
        const other = make(right as never)
        all[name] = (...given: never[]) => (planted.mutant === mutant ? other(...given) : right(...given))
      }
      return all
    },
)

// A suspected rotation is treated as an ordinary one, and the command does not check the chain.
vi.mock(
  '../../../../../packages/golem/src/keys/createKeyKeeper.ts',
  mutate('a root of a suspected key stays active', {
    createKeyKeeper:
      (right: (parts: object) => { rotate(permission: object, reason: string): unknown }) =>
      (parts: object) => {
        const keeper = right(parts)
        const rotate = (permission: object, reason: string) =>
          keeper.rotate(permission, reason === 'suspected' ? 'age' : reason)
        return { ...keeper, rotate }
      },
  }),
)
vi.mock(
  '../../../../../packages/golem/src/requests/rootExchange.ts',
  mutate('a root of a suspected key stays active', { standingRoots: () => async () => [] }),
)
// A suspended process counts that time as missed ticks, and the grace period is ignored.
vi.mock(
  '../../../../../packages/golem/src/worker/awake.ts',
  mutate('sleep is counted as missed ticks', {
    stayAwake: () => (known: { since: number } | undefined, now: number) => ({
      since: known?.since ?? now,
      at: now,
    }),
  }),
)
vi.mock(
  '../../../../../packages/core/src/death/decideDeath.ts',
  mutate('sleep is counted as missed ticks', {
    decideDeath: (right: (evidence: object) => unknown) => (evidence: object) =>
      'silence' in evidence ? ['heartbeatAnomaly'] : right(evidence),
  }),
)
// A disabled root ends the Golem, even if the owner has signed a new one.
vi.mock(
  '../../../../../packages/golem/src/requests/readRevocation.ts',
  mutate('feeding kills', {
    readRevocation:
      () =>
      async (_place: object, _charter: object, { revoked }: { revoked: boolean }) => ({
        seen: revoked,
        final: true,
        hasSuccessor: false,
        isReplacing: false,
      }),
  }),
)
vi.mock(
  '../../../../../packages/golem/src/death/writeState.ts',
  mutate('feeding kills', {
    writeDeath:
      (right: Anything) =>
      (...given: never[]) =>
        right(...(given.slice(0, 4) as never[])),
  }),
)
vi.mock(
  '../../../../../packages/golem/src/requests/regrant.ts',
  mutate('feeding kills', { followRevocation: () => async () => {} }),
)
// A runway replaces the Golem's own budget, and the Golem dies when it ends.
vi.mock(
  '../../../../../packages/golem/src/funding/economyAt.ts',
  mutate('an ended runway kills', {
    economyAt:
      (right: (ledger: object, prices: object, now: number, income?: Income) => object) =>
      (ledger: object, prices: object, now: number, income: Income = {}) =>
        income.granted === undefined
          ? right(ledger, prices, now, income)
          : { ...right(ledger, prices, now, income), remainingCents: income.granted },
  }),
)
// The old key does not pass its runway to the new one.
vi.mock(
  '../../../../../packages/golem/src/funding/storedRunway.ts',
  mutate('a rotation ends the runway', { keepHandedOn: () => async () => {} }),
)
// A sweep offers three times the price.
vi.mock(
  '../../../../../packages/chain/src/submission/fees.ts',
  mutate('a sweep triples the tip', {
    exactFees: (right: (price: bigint) => object) => (price: bigint) => right(price * 3n),
  }),
)
// A sweep holds back more than it costs.
vi.mock(
  '../../../../../packages/chain/src/submission/dataFee.ts',
  mutate('a sweep leaves gas in a wiped key', { readDataFee: () => async () => 1_000_000_000n }),
)
// A position is shown only while the current root names its vault.
vi.mock(
  '../../../../../packages/golem/src/positions/heldPositions.ts',
  mutate('a position vanishes', {
    heldPositions:
      (right: (...given: never[]) => Promise<readonly { managed: string }[]>) =>
      async (...given: never[]) =>
        (await right(...given)).filter(({ managed }) => managed === 'now'),
  }),
)

/**
 * Each mutant, the seed of its first sequence, and how the books report it. Counted from seed 1, six are found within six
 * sequences and all within 17.
 */
const mutants = [
  ['a root of a suspected key stays active', 1, /is active|can be redeemed|without another key/],
  [
    'sleep is counted as missed ticks',
    17,
    /died without a reason: heartbeatAnomaly|reported as missing ticks/,
  ],
  ['feeding kills', 9, /died without a reason: ownerRevocation/],
  ['an ended runway kills', 3, /died without a reason: economicExhaustion/],
  ['a rotation ends the runway', 10, /cannot draw on a runway that has not ended/],
  ['a sweep triples the tip', 1, /the tip grew|a sweep pays/],
  ['a sweep leaves gas in a wiped key', 1, /the wiped key .* holds \d+ wei/],
  ['a position vanishes', 6, /\d+ shares are shown in the vault/],
] as const

/** The most sequences until a mutant must be found. */
const mostSequences = 4

describe('the books find every mutant', { timeout: mostSequences * 20_000 }, () => {
  it.each(mutants)('%s', async (mutant, first, words) => {
    planted.mutant = mutant
    const sequences = Array.from({ length: mostSequences }, (_, index) => ({
      seed: first + index,
      steps: drawSequence(first + index),
    }))
    const lines: string[] = []
    const { failures } = await runBooks(sequences, {
      log: (line) => lines.push(line),
      mostFailures: 1,
      shortens: false,
    }).finally(() => {
      planted.mutant = 'none'
    })
    expect(failures[0]?.problems.join('\n'), lines.join('\n')).toMatch(words)
  })
})
