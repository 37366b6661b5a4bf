import { BardoError, type CageTerms } from '@bardo/core'
import {
  keepWalletPolicy,
  policyFrom,
  policySentence,
  policyTemplates,
  readWalletPolicy,
  type WalletPolicy,
  walletPolicyHash,
  widerIn,
} from '@bardo/golem/action'
import { askedBefore, askOwner, patienceSeconds, readAskOf } from '@bardo/golem/requests'
import type { OwnerRequest } from '@bardo/store'
import { type Hex, isAddressEqual, sha256, stringToHex, zeroHash } from 'viem'
import { z } from 'zod'
import { addressField, amountField, golemField, idempotencyField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import type { Stage } from './stage.ts'
import { stageOfLife } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

const selectorField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/, 'must be a selector: 0x and 8 hexadecimal digits')
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const customField = z.strictObject({
  allowedContracts: z
    .array(addressField)
    .max(64)
    .describe('The contracts that may be called. Each must be in the signed delegation.'),
  spendingLimits: z
    .strictObject({
      perActionUsd: amountField(2, 'The maximum per action in US dollars.'),
      actionsPerHour: z
        .int()
        .min(0)
        .max(60)
        .describe('The maximum number of actions per hour; 0 means read-only.'),
    })
    .describe('The limits on size and rate.'),
  chainRestrictions: z
    .array(chainField)
    .min(1)
    .max(8)
    .describe('The Golem’s chain; any other chain is refused.'),
  methodRestrictions: z
    .array(selectorField)
    .max(64)
    .optional()
    .describe('The function selectors that may be called. Default: every signed method.'),
})

/** Sets the wallet policy: a narrower policy applies at once, a wider one needs the owner's signature. */
export const configurePolicy = defineTool({
  name: 'wallet_configure_policy',
  title: 'Wallet policy',
  description:
    'Sets the wallet policy: which part of the signed delegation the runtime allows. Give a template or a custom policy. A narrower policy applies at once; a wider one is filed as an owner request and applies once the owner has signed it. No policy can allow more than the owner’s delegation. The settlement at the end of a life is not restricted by it.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'fast',
  progressSteps: ['Reading the policy', 'Comparing', 'Saving'],
  sprite: 'executing',
  promptSnippet: 'Narrows the wallet policy; widening it needs the owner’s signature.',
  guidelines: {
    thriving: 'Use defi-trading or vault-manager, as the strategy needs.',
    cautious: 'Tighten to vault-participant, which halves the size per action; widening is refused.',
    declining: 'Use read-only.',
    terminal: 'The policy stays as it is.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: true,
  input: z
    .strictObject({
      golem: golemField.optional(),
      policyTemplate: z
        .enum(policyTemplates)
        .optional()
        .describe('A ready-made policy. Give this or customPolicy, not both.'),
      customPolicy: customField
        .optional()
        .describe('A custom policy. Give this or policyTemplate, not both.'),
      idempotencyKey: idempotencyField.optional(),
    })
    .refine(({ policyTemplate, customPolicy }) => !policyTemplate !== !customPolicy, {
      message: 'give exactly one of policyTemplate and customPolicy',
    }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string().nullable().describe('The owner request; null if the policy applied at once'),
    appliedPolicy: z.string().describe('The policy in force now, in a sentence'),
    wider: z.array(z.string()).describe('In what the requested policy is wider than the policy in force'),
  }),
  eventFields: {
    start: ({ policyTemplate }) => ({ policyTemplate: policyTemplate ?? 'custom' }),
    end: ({ status, appliedPolicy }) => ({ status, appliedPolicy }),
  },
  say: ({ status, appliedPolicy, requestId }) =>
    status === 'done'
      ? `In force: ${appliedPolicy}`
      : `Waiting for the owner (${requestId}). Still in force: ${appliedPolicy}`,
  async run(context, { policyTemplate, customPolicy }, { id: call, subject, progress }) {
    const { store, deployment, clock, open } = context
    await progress('Reading the policy')
    const { terms } = (await (await open(subject.id)).status()).permission
    const signed = policyFrom('defi-trading', terms)
    const requestId = `policy:${call}`
    const previous = await askedBefore(context, requestId)
    if (previous) return resultOf(previous)
    for (const chain of customPolicy?.chainRestrictions ?? []) requireChain(deployment, chain)
    const after = customPolicy
      ? customOf(customPolicy, terms, signed)
      : policyFrom(policyTemplate ?? 'read-only', terms)
    const before = await inForce()
    await progress('Comparing')
    const wider = widerIn(before, after)
    requirePhase(stageOfLife(subject), after, wider)
    await progress('Saving')
    if (wider.length === 0) {
      await store.transaction((transaction) => keepWalletPolicy(transaction, subject.id, after, clock.now()))
      return { status: 'done' as const, requestId: null, appliedPolicy: policySentence(after), wider: [] }
    }
    const permit = {
      golem: subject.id,
      action: walletPolicyHash(after),
      riskTier: 2,
      policyHash: walletPolicyHash(before),
      simulationHash: zeroHash,
      nonce: BigInt(sha256(stringToHex(requestId))),
      deadline: BigInt(Math.floor(clock.now() / 1_000) + patienceSeconds),
    }
    const sentence = `From ${policySentence(before)} To ${policySentence(after)} Wider in: ${wider.join('; ')}.`
    const { account } = terms.mandate
    const ask = { type: 'policy', sentence, before, after, permit, account } as const
    return resultOf(await askOwner(context, { id: requestId, golem: subject.id, ask }))

    async function inForce(): Promise<WalletPolicy> {
      return (await readWalletPolicy(store, subject.id)) ?? signed
    }

    async function resultOf(request: OwnerRequest) {
      const { before: was, after: requested } = readAskOf('policy', request)
      return {
        status: request.state === 'pending' ? ('pending' as const) : ('done' as const),
        requestId: request.id,
        appliedPolicy: policySentence(await inForce()),
        wider: [...widerIn(was, requested)],
      }
    }
  },
})

function customOf(
  custom: z.output<typeof customField>,
  { mandate }: CageTerms,
  signed: WalletPolicy,
): WalletPolicy {
  const { allowedContracts: targets, spendingLimits, methodRestrictions: methods } = custom
  const unsigned = targets.filter(
    (target) => !signed.targets.some((signedTarget) => isAddressEqual(signedTarget, target)),
  )
  if (unsigned.length > 0)
    throw new BardoError('A policy cannot allow a contract that the owner did not sign.', {
      code: 'ACTION_NOT_ALLOWED',
      details: unsigned.map((target) => `${target} is not a signed contract`),
      remedy: 'Use only contracts that get_delegation_tree shows.',
      docsPath: 'requests.md#policies',
    })
  return {
    template: 'custom',
    targets,
    tokens: mandate.assets.map(({ token }) => token),
    methods: methods ?? null,
    maxValueCents: spendingLimits.perActionUsd,
    mostPerHour: spendingLimits.actionsPerHour,
  }
}

/** Policies only tighten as life runs out: no widening when cautious, read-only alone when declining. */
function requirePhase(stage: Stage, after: WalletPolicy, wider: readonly string[]): void {
  if (stage === 'thriving') return
  const isReadOnly = after.template === 'read-only'
  if (stage === 'declining' ? isReadOnly : wider.length === 0) return
  throw new BardoError(`A Golem in stage "${stage}" cannot use this policy.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: wider,
    remedy: stage === 'declining' ? 'Use read-only.' : 'Use a narrower policy, such as vault-participant.',
    docsPath: 'requests.md#policies',
  })
}
