import type { Address, Hash } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { CustodyMode } from './custodyMode.ts'

/** How an owner proves who they are. */
export type AuthMethod = 'browserHandoff' | 'qrCode' | 'deviceCode'

/** The six onboarding steps, and the state after each. Data accumulates; no step removes any. */
export type Onboarding =
  | { readonly step: 'authenticating'; readonly method: AuthMethod }
  | { readonly step: 'selectingCustody'; readonly owner: Address }
  | { readonly step: 'settingUpWallet'; readonly owner: Address; readonly custody: CustodyMode }
  | { readonly step: 'authoringStrategy'; readonly owner: Address; readonly custody: CustodyMode }
  | {
      readonly step: 'registeringIdentity'
      readonly owner: Address
      readonly custody: CustodyMode
      readonly strategyHash: Hash
    }
  | {
      readonly step: 'summoning'
      readonly owner: Address
      readonly custody: CustodyMode
      readonly strategyHash: Hash
      /** Undefined if the owner skipped the identity. */
      readonly identity: bigint | undefined
    }
  | {
      readonly step: 'live'
      readonly owner: Address
      readonly custody: CustodyMode
      readonly strategyHash: Hash
      readonly identity: bigint | undefined
      readonly golem: string
    }

/** What completes a step. No secret is passed here: a token stays with its holder. */
export type OnboardingEvent =
  | { readonly event: 'authenticated'; readonly owner: Address }
  | { readonly event: 'custodySelected'; readonly custody: CustodyMode }
  | { readonly event: 'walletReady' }
  | { readonly event: 'strategyAuthored'; readonly strategyHash: Hash }
  | { readonly event: 'identityRegistered'; readonly identity: bigint }
  | { readonly event: 'identitySkipped' }
  | { readonly event: 'firstHeartbeat'; readonly golem: string }

/** The steps in order. */
export const onboardingSteps = [
  'authenticating',
  'selectingCustody',
  'settingUpWallet',
  'authoringStrategy',
  'registeringIdentity',
  'summoning',
  'live',
] as const satisfies readonly Onboarding['step'][]

/**
 * The next step. Refuses an event that does not complete the current step: steps cannot be skipped or undone.
 */
export function advanceOnboarding(state: Onboarding, event: OnboardingEvent): Onboarding {
  if (state.step === 'authenticating' && event.event === 'authenticated') {
    return { step: 'selectingCustody', owner: event.owner }
  }
  if (state.step === 'selectingCustody' && event.event === 'custodySelected') {
    return { ...state, step: 'settingUpWallet', custody: event.custody }
  }
  if (state.step === 'settingUpWallet' && event.event === 'walletReady')
    return { ...state, step: 'authoringStrategy' }
  if (state.step === 'authoringStrategy' && event.event === 'strategyAuthored') {
    return { ...state, step: 'registeringIdentity', strategyHash: event.strategyHash }
  }
  if (state.step === 'registeringIdentity') {
    if (event.event === 'identityRegistered') return { ...state, step: 'summoning', identity: event.identity }
    if (event.event === 'identitySkipped') return { ...state, step: 'summoning', identity: undefined }
  }
  if (state.step === 'summoning' && event.event === 'firstHeartbeat') {
    return { ...state, step: 'live', golem: event.golem }
  }
  throw new BardoError(`Onboarding is at "${state.step}"; "${event.event}" does not complete this step.`, {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Steps cannot be undone. Start onboarding again to choose differently.',
  })
}
