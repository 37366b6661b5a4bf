import type { Onboarding } from '@bardo/core'
import { z } from 'zod'
import { address, hex } from '../database/columns.ts'

const owner = { owner: address }
const custody = { ...owner, custody: z.enum(['delegation', 'embedded', 'localKey']) }
const strategy = { ...custody, strategyHash: hex }
const identity = { ...strategy, identity: z.bigint().optional() }

/** Parses core's onboarding state. */
export const onboardingSchema = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('authenticating'),
    method: z.enum(['browserHandoff', 'qrCode', 'deviceCode']),
  }),
  z.object({ step: z.literal('selectingCustody'), ...owner }),
  z.object({ step: z.literal('settingUpWallet'), ...custody }),
  z.object({ step: z.literal('authoringStrategy'), ...custody }),
  z.object({ step: z.literal('registeringIdentity'), ...strategy }),
  z
    .object({ step: z.literal('summoning'), ...identity })
    .transform(({ identity, ...state }) => ({ ...state, identity })),
  z
    .object({ step: z.literal('live'), ...identity, golem: z.string() })
    .transform(({ identity, ...state }) => ({ ...state, identity })),
]) satisfies z.ZodType<Onboarding>
