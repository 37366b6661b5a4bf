import type { Address, Hash } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { CustodyMode } from './custodyMode.ts'

/** How an owner proves who they are. */
export type AuthMethod = 'browserHandoff' | 'qrCode' | 'deviceCode'

/** The six steps from nothing to a living Golem, and the state after them. What is known grows, and nothing is lost. */
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
      /** Undefined where the owner left the identity out. */
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

/** What ends a step. No secret passes here: a token stays with whoever got it. */
export type OnboardingEvent =
  | { readonly event: 'authenticated'; readonly owner: Address }
  | { readonly event: 'custodySelected'; readonly custody: CustodyMode }
  | { readonly event: 'walletReady' }
  | { readonly event: 'strategyAuthored'; readonly strategyHash: Hash }
  | { readonly event: 'identityRegistered'; readonly identity: bigint }
  | { readonly event: 'identitySkipped' }
  | { readonly event: 'firstHeartbeat'; readonly golem: string }

/** The steps in their order. Origin: spec 000 §6. */
export const onboardingSteps = [
  'authenticating',
  'selectingCustody',
  'settingUpWallet',
  'authoringStrategy',
  'registeringIdentity',
  'summoning',
  'live',
] as const satisfies readonly Onboarding['step'][]

/** The next step. An event that does not end the current one is refused: there is no way back, and none around. */
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
  throw new BardoError(`Onboarding is at "${state.step}", which "${event.event}" does not end.`, {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Onboarding goes forward only. Begin a new one to choose differently.',
  })
}
