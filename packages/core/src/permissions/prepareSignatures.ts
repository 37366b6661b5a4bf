import type { Address } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { rootDelegation } from '../delegation/rootDelegation.ts'
import { BardoError } from '../errors/BardoError.ts'
import { type RunwayParties, type RunwayRequest, runwayRequests } from './erc7715/permissionRequest.ts'
import { type SigningMoment, settlePlan } from './settlePlan.ts'
import {
  requireNoIdentityTarget,
  requireSeparateBalances,
  requireSignable,
  type SigningFacts,
} from './signingChecks.ts'
import { type CompiledStrategy, type CompileOptions, compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, type CageSubject, toCageTerms } from './toCageTerms.ts'

/** The parties and addresses: everything that the strategy's text does not contain. */
export type SignatureParties = {
  readonly chainId: number
  /** Unix seconds. */
  readonly now: bigint
  readonly book: AddressBook
  readonly subject: CageSubject
  readonly cageEnforcer: Address
  readonly delegate: Address
  readonly salt: bigint
  readonly runway: Pick<RunwayParties, 'from' | 'to'>
  /** Rules of a constitution beside those of the strategy. */
  readonly constitution?: CompileOptions['constitution']
  /** The portfolio and the price of gas. Without them, shares cannot be signed, and no default gas is signed. */
  readonly moment?: SigningMoment | undefined
  /** Chain reads. If omitted, the Golem's id and the scales of the assets are not checked. */
  readonly facts?: Omit<SigningFacts, 'chainId'> | undefined
}

/** What an owner is asked to sign for a strategy, and why. */
export type PreparedSignatures = {
  /** The plan with its reasons, and the open questions of the text. */
  readonly compiled: CompiledStrategy
  readonly terms: CageTerms
  /** Unsigned. */
  readonly root: Delegation
  /** For the wallet: USDC and gas per day. */
  readonly runway: readonly RunwayRequest[]
}

/**
 * From STRATEGY.md to what the owner signs: one root delegation, and the two requests of the runway.
 *
 * @example
 * const { root, compiled } = prepareSignatures('DCA $20 of USDC into WETH every week.', parties)
 */
export function prepareSignatures(text: string, parties: SignatureParties): PreparedSignatures {
  const { chainId, now, book, subject, cageEnforcer, delegate, salt, facts } = parties
  const { constitution } = parties
  const read = compileStrategy(text, { now, symbols: [...book.assets.keys()], constitution })
  const compiled = { ...read, plan: settlePlan(read.plan, parties.moment ?? {}) }
  if (compiled.plan.classes.length === 0) {
    throw new BardoError('There is nothing to sign: the strategy requests nothing that Bardo can grant.', {
      code: 'INVALID_INPUT',
      details: compiled.ambiguities.slice(0, 5).map(({ line, question }) => `line ${line}: ${question}`),
      docsPath: 'permissions.md#the-strategy',
    })
  }
  const terms = toCageTerms(compiled.plan, book, subject)
  requireSeparateBalances(terms.mandate, chainId)
  requireNoIdentityTarget(terms.mandate, chainId)
  if (facts) requireSignable(terms, { ...facts, chainId })
  const usdc = book.assets.get('USDC')?.token
  return {
    compiled,
    terms,
    root: rootDelegation({ terms, cageEnforcer, delegate, salt }),
    runway:
      compiled.runway && usdc
        ? runwayRequests(compiled.runway, { ...parties.runway, chainId, usdc, now })
        : [],
  }
}
