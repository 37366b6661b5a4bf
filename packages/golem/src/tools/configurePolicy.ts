import { BardoError, type CageTerms } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { type Hex, isAddressEqual, sha256, stringToHex, zeroHash } from 'viem'
import { z } from 'zod'
import { askedBefore, askOwner, patienceSeconds } from '../owner/askOwner.ts'
import { readAskOf } from '../owner/ownerRequest.ts'
import {
  policyFrom,
  policyKey,
  policySentence,
  policyTemplates,
  readWalletPolicy,
  type WalletPolicy,
  walletPolicyHash,
  widerIn,
} from '../owner/walletPolicy.ts'
import { addressField, amountField, golemField, idempotencyField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import type { Stage } from './stage.ts'
import { stageOfLife } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

const selectorField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/, 'give a selector: 0x and 8 digits')
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const customField = z.strictObject({
  allowedContracts: z.array(addressField).max(64),
  spendingLimits: z.strictObject({
    perActionUsd: amountField(2, 'Dollars an action, at most.'),
    actionsPerHour: z.int().min(0).max(60),
  }),
  chainRestrictions: z.array(chainField).min(1).max(8),
  methodRestrictions: z.array(selectorField).max(64).optional().describe('Left out: any signed method.'),
})

/** Chooses what the wallet lets through: narrower at once, wider with the owner's signature. */
export const configurePolicy = defineTool({
  name: 'wallet_configure_policy',
  title: 'Wallet policy',
  description:
    'Chooses which part of what the owner signed the runtime lets through: a template or a policy of your own. A narrower one holds at once; a wider one is filed with the owner and holds once they have signed it. None can allow more than the owner’s delegation. Settling at the end of a life is not bound by it.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'fast',
  progressSteps: ['Reading the policy', 'Comparing', 'Writing it down'],
  sprite: 'executing',
  promptSnippet: 'Narrows what the wallet lets through; widening it is the owner’s.',
  guidelines: {
    thriving: 'Take defi-trading or vault-manager, as the strategy needs.',
    cautious: 'Tighten to vault-participant, which halves the size; nothing may be widened.',
    declining: 'Take read-only.',
    terminal: 'The policy stays as it is.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: true,
  input: z
    .strictObject({
      golem: golemField.optional(),
      policyTemplate: z.enum(policyTemplates).optional(),
      customPolicy: customField.optional(),
      idempotencyKey: idempotencyField.optional(),
    })
    .refine(({ policyTemplate, customPolicy }) => !policyTemplate !== !customPolicy, {
      message: 'give a template or a policy of your own, one of them',
    }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string().nullable().describe('Where the owner was asked'),
    appliedPolicy: z.string().describe('The policy that holds now, in a sentence'),
    wider: z.array(z.string()).describe('In what the one asked for is wider than the one before'),
  }),
  told: {
    start: ({ policyTemplate }) => ({ policyTemplate: policyTemplate ?? 'custom' }),
    end: ({ status, appliedPolicy }) => ({ status, appliedPolicy }),
  },
  say: ({ status, appliedPolicy, requestId }) =>
    status === 'done'
      ? `In force: ${appliedPolicy}`
      : `The owner is asked (${requestId}). Still in force: ${appliedPolicy}`,
  async run(context, { policyTemplate, customPolicy }, { id: call, subject, progress }) {
    const { store, deployment, clock, open } = context
    await progress('Reading the policy')
    const { terms } = (await (await open(subject.id)).status()).charter
    const signed = policyFrom('defi-trading', terms)
    const requestId = `policy:${call}`
    const known = await askedBefore(context, requestId)
    if (known) return told(known)
    for (const chain of customPolicy?.chainRestrictions ?? []) requireChain(deployment, chain)
    const after = customPolicy
      ? customOf(customPolicy, terms, signed)
      : policyFrom(policyTemplate ?? 'read-only', terms)
    const before = await inForce()
    await progress('Comparing')
    const wider = widerIn(before, after)
    requirePhase(stageOfLife(subject), after, wider)
    await progress('Writing it down')
    if (wider.length === 0) {
      await store.grimoire.put({ golem: subject.id, key: policyKey, kind: 'policy', body: { ...after } })
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
    const ask = { is: 'policy', sentence, before, after, permit, account } as const
    return told(await askOwner(context, { id: requestId, golem: subject.id, ask }))

    async function inForce(): Promise<WalletPolicy> {
      return (await readWalletPolicy(store, subject.id)) ?? signed
    }

    async function told(request: OwnerRequest) {
      const { before: was, after: asked } = readAskOf('policy', request)
      return {
        status: request.state === 'pending' ? ('pending' as const) : ('done' as const),
        requestId: request.id,
        appliedPolicy: policySentence(await inForce()),
        wider: [...widerIn(was, asked)],
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
  const strangers = targets.filter((target) => !signed.targets.some((known) => isAddressEqual(known, target)))
  if (strangers.length > 0)
    throw new BardoError('A policy cannot allow what was not signed.', {
      code: 'ACTION_NOT_ALLOWED',
      details: strangers.map((target) => `${target} is none of the signed contracts`),
      remedy: 'Name contracts that get_delegation_tree shows.',
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

/** Origin: the guidelines of spec 004. As life runs out policies only tighten. */
function requirePhase(stage: Stage, after: WalletPolicy, wider: readonly string[]): void {
  if (stage === 'thriving') return
  const isReadOnly = after.template === 'read-only'
  if (stage === 'declining' ? isReadOnly : wider.length === 0) return
  throw new BardoError(`A Golem that is ${stage} cannot take this policy.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: wider,
    remedy: stage === 'declining' ? 'Take read-only.' : 'Take a narrower one, such as vault-participant.',
    docsPath: 'requests.md#policies',
  })
}
