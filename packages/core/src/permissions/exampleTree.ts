import type { Address, Hex } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { targetKinds } from '../caveats/terms/mandate.ts'
import { type ChildEnforcers, crossGolemDelegation } from '../delegation/crossGolemDelegation.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { hashDelegation } from '../delegation/hashDelegation.ts'
import { rootDelegation } from '../delegation/rootDelegation.ts'
import { buildTree, type DelegationTree } from '../delegation/tree.ts'
import type { Capability } from './permissionPlan.ts'
import { daySeconds, supportedCapabilities } from './planLimits.ts'
import { compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, toCageTerms } from './toCageTerms.ts'

/** The parties of the example. */
export type ExampleParties = {
  /** Unix seconds. */
  readonly now: bigint
  readonly account: Address
  readonly book: AddressBook
  readonly enforcers: ChildEnforcers
  readonly alpha: { readonly golem: Hex; readonly key: Address }
  readonly replicant: { readonly golem: Hex; readonly key: Address }
  readonly sleepwalker: Address
  readonly beta: { readonly golem: Hex; readonly key: Address }
  /** The only method that the Sleepwalker may call. */
  readonly publisher: { readonly address: Address; readonly selector: Hex }
  /** The constitution, with a maximum drawdown of 15 %. */
  readonly constitution: Hex
  /** The portfolio in whole dollars; a position is 30 % or 20 % of it. */
  readonly portfolioDollars: number
}

/** A name in the example. */
export type ExampleName = 'D1' | 'D1.1' | 'D1.2' | 'D2'

/** The example tree, ready to sign and to render. */
export type ExampleTree = {
  readonly delegations: Readonly<Record<ExampleName, Delegation>>
  readonly tree: DelegationTree
  readonly labels: ReadonlyMap<Hex, string>
}

const alphaStrategy = `Deposit USDC into the vault.
Withdraw USDC from the vault.
Trade between USDC and WETH.
Provide liquidity to the USDC/WETH pool.
Spawn replicants.

budget: $1,000/day
lifespan: 30 days`

// The example has liquidity, which the runtime does not use yet.
const supported: ReadonlySet<Capability> = new Set<Capability>([...supportedCapabilities, 'ProvideLiquidity'])

const betaStrategy = `Swap $100 of USDC into WETH every week.

lifespan: 30 days`

/**
 * An example tree of real caveats: a vault manager with a Replicant and a Sleepwalker, and a DCA executor
 * beside it. The phases D1.P0 to D1.P4 are in D1's Cage, because a thief would redeem D1 itself; a rendering
 * shows them.
 *
 * @example
 * const { tree, labels } = exampleTree(parties)
 * console.log(treeToText(tree, { registry, names, facts, labels }))
 */
export function exampleTree(parties: ExampleParties): ExampleTree {
  const { now, book, enforcers, account, alpha, replicant, sleepwalker, beta } = parties
  const cageFor = (text: string, golem: Hex) =>
    toCageTerms(compileStrategy(text, { now, supported }).plan, book, {
      golem,
      account,
      graceSeconds: daySeconds,
    })
  const { cageEnforcer } = enforcers
  const alphaTerms = vaultManagerTerms(cageFor(alphaStrategy, alpha.golem), parties)
  const d1 = rootDelegation({ terms: alphaTerms, cageEnforcer, delegate: alpha.key, salt: 1n })
  const delegations = {
    D1: d1,
    'D1.1': crossGolemDelegation({
      parent: d1,
      child: replicant,
      budgetCents: 5_000n,
      born: Number(now),
      lifespanSeconds: daySeconds,
      methods: ['approve', 'exactInputSingle'],
      calls: 100,
      isFinal: true,
      enforcers,
      salt: 1n,
    }),
    'D1.2': {
      delegate: sleepwalker,
      delegator: alpha.key,
      authority: hashDelegation(d1),
      caveats: [{ enforcer: cageEnforcer, terms: cage.encode(publishOnly(alphaTerms)), args: '0x' }],
      salt: 2n,
      signature: '0x',
    },
    D2: rootDelegation({
      terms: cageFor(betaStrategy, beta.golem),
      cageEnforcer,
      delegate: beta.key,
      salt: 2n,
    }),
  } satisfies Record<ExampleName, Delegation>
  const labels = new Map(
    Object.entries(delegations).map(([name, delegation]) => [hashDelegation(delegation), name]),
  )
  return { delegations, tree: buildTree(Object.values(delegations)), labels }
}

/**
 * The plan of the strategy, with the example's sizes and constitution, and room for the Sleepwalker below.
 */
function vaultManagerTerms(terms: CageTerms, parties: ExampleParties): CageTerms {
  const { portfolioDollars, constitution, publisher } = parties
  const share = (percent: number) => Math.floor((portfolioDollars * percent) / 100)
  return {
    ...terms,
    classes: terms.classes | classBits.publish,
    methods: terms.methods | methodBits.signed,
    dollarsByPhase: [share(30), share(20), share(20), share(20), 0],
    constitution,
    mandate: {
      ...terms.mandate,
      targets: [...terms.mandate.targets, { kind: targetKinds.publish, ...publisher }],
    },
  }
}

/**
 * No class that moves value, and a limit of $0. All assets are still measured around the one signed method.
 */
function publishOnly(terms: CageTerms): CageTerms {
  const { mandate } = terms
  return {
    ...terms,
    classes: classBits.publish,
    methods: methodBits.signed,
    pairs: 0n,
    dayCents: 0n,
    dollarsByPhase: [0, 0, 0, 0, 0],
    mandate: { ...mandate, targets: mandate.targets.filter(({ kind }) => kind === targetKinds.publish) },
  }
}
