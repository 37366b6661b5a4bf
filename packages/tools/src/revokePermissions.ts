import {
  BardoError,
  type DeathTrigger,
  type Delegation,
  decideDeath,
  fatalRefusals,
  type Phase,
  type RevocationReason,
  revocationReasons,
} from '@bardo/core'
import type { LivingGolem } from '@bardo/golem/heartbeat'
import { answerUnattended, areDisabled, knownGrants } from '@bardo/golem/requests'
import type { Snapshot } from '@bardo/golem/snapshot'
import { phaseAt } from '@bardo/golem/state'
import { isReported, missedTicks } from '@bardo/golem/worker'
import { z } from 'zod'
import { golemField, idempotencyField } from './fields.ts'
import { findSubject } from './findSubject.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** The reasons to revoke permissions, and the death trigger of each. */
const triggers = {
  terminal: 'economicExhaustion',
  policy_violation: 'policyViolation',
  owner_kill_switch: 'killSwitch',
  heartbeat_anomaly: 'heartbeatAnomaly',
} as const satisfies Readonly<Record<RevocationReason, DeathTrigger>>

/** Revokes all permissions of a Golem, which ends its life. */
export const revokePermissions = defineTool({
  name: 'metamask_revoke_permissions',
  title: 'Revoke permissions',
  description:
    'Ends Golems and gives up all their permissions: open positions return to the owner, the Golem’s row on the chain is surrendered, so that its caveats refuse everything, and its key is wiped. This cannot be undone. Only the owner can disable the delegations on the chain: an owner request is filed for it. Accepts only the four reasons, and only if the record confirms the reason; owner_kill_switch needs no evidence.',
  category: 'wallet',
  capability: 'privileged',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Reading the grants', 'Ending the Golem', 'Asking the owner to disable the delegations'],
  sprite: 'failure',
  promptSnippet: 'Ends a Golem and gives up its permissions permanently.',
  guidelines: {
    thriving: 'Only on the owner’s explicit kill switch, or after a policy violation.',
    cautious: 'Only on the owner’s kill switch, or after an observed anomaly.',
    declining: 'Prepare, and wait for the terminal phase.',
    terminal: 'Revoke everything at once.',
  },
  stages,
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    golems: z
      .array(golemField)
      .min(1)
      .max(20)
      .optional()
      .describe('The Golems, by id or name. Default: the Golem that these tools were opened for.'),
    reason: z.enum(revocationReasons).describe('The reason; one of these four.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golems }) => golems?.[0],
  output: z.strictObject({
    revokedCount: z.number().describe('The number of delegations that were given up'),
    sessionAccountInvalidated: z
      .boolean()
      .describe('True if every row is surrendered and every key is wiped: nothing can be redeemed any more'),
    disabledOnChain: z
      .boolean()
      .describe('True once the delegations are disabled on the chain; only the owner can do it'),
    ownerRequests: z.array(z.string()).describe('The owner requests to disable the delegations on the chain'),
    deaths: z.array(z.strictObject({ golem: z.string(), phase: z.string(), trigger: z.string() })),
  }),
  eventFields: {
    start: ({ golems, reason }) => ({ golems: golems?.length ?? 1, reason }),
    end: ({ revokedCount, sessionAccountInvalidated }) => ({ revokedCount, sessionAccountInvalidated }),
  },
  say: ({ revokedCount, sessionAccountInvalidated, disabledOnChain, ownerRequests, deaths }) =>
    [
      `${revokedCount} delegations given up.`,
      sessionAccountInvalidated
        ? 'The keys are wiped and the rows are surrendered: nothing can be redeemed any more.'
        : 'The wind-down is in progress; the next ticks finish it.',
      ...deaths.map(({ golem, phase, trigger }) => `${golem}: ${phase}, by ${trigger}`),
      disabledOnChain
        ? 'The delegations are disabled on the chain.'
        : `The owner still has to disable the delegations on the chain: ${ownerRequests.length} pending owner requests.`,
    ].join('\n'),
  async run(context, { golems = [], reason }, { subject, progress }) {
    const { store, clock, open } = context
    await progress('Reading the grants')
    const others = await Promise.all(golems.slice(1).map((named) => findSubject(context, named)))
    const all = new Map([subject, ...others].map((golem) => [golem.id, golem]))
    const living = await Promise.all([...all.keys()].map((id) => open(id)))
    for (const golem of living) await requireEvidence(golem, reason, clock.now() / 1_000)
    await progress('Ending the Golem')
    const ends = []
    for (const golem of living) ends.push({ id: golem.id, end: await golem.end(triggers[reason]) })
    await progress('Asking the owner to disable the delegations')
    for (const { id } of living) await answerUnattended(context, id, ['revoke'])
    const requests = (await Promise.all(living.map(({ id }) => store.ownerRequests.pending(id)))).flat()
    const grants = (await Promise.all(living.map(givenUp))).flat()
    return {
      revokedCount: grants.length,
      sessionAccountInvalidated: ends.every(({ end }) => end.type === 'dying' && end.phase === 'over'),
      disabledOnChain: await areDisabled(context, grants),
      ownerRequests: requests.flatMap(({ id, kind }) => (kind === 'revoke' ? [id] : [])),
      deaths: ends.flatMap(({ id, end }) =>
        end.type === 'dying' ? [{ golem: id, phase: end.phase, trigger: end.death.trigger }] : [],
      ),
    }

    /** Of a child only its own link: the links above belong to its parent. A feed ends with its runway. */
    async function givenUp(golem: LivingGolem): Promise<readonly Delegation[]> {
      const [{ permission }, grants] = await Promise.all([golem.status(), knownGrants(store, golem.id)])
      const others = grants.filter(({ of }) => of === 'sessionKey' || of === 'runway')
      return [...permission.own, ...others.map(({ delegation }) => delegation)]
    }
  },
})

/**
 * The reason is recorded permanently, so the record must confirm it: the Golem's stored state or the chain.
 * The kill switch
 * needs no evidence: giving up can only return value to the owner. A death that has begun continues with its
 * own
 * trigger, whatever reason is given.
 */
async function requireEvidence(golem: LivingGolem, reason: RevocationReason, now: number): Promise<void> {
  const { state, death, permission } = await golem.status()
  if (death) return
  // The Golem's own record is enough: check it before reading the chain.
  if (isProven(state.phase, { constitutionChanged: false, unpublishedSeconds: 0 })) return
  const { at, vitals, constitutionChanged } = await golem.look()
  const unpublishedSeconds = Number(at - vitals.lastUpdate)
  if (isProven(phaseAt(vitals.phase), { constitutionChanged, unpublishedSeconds })) return
  throw new BardoError(`The record does not confirm the reason ${reason} for this Golem.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: [
      golem.id,
      `phase ${state.phase}, score ${state.survivalScore}`,
      `${state.chainRefusals.length} of ${fatalRefusals} refusals by the chain`,
      `${missedTicks(state, 0, now)} missed ticks; they end a Golem after ${permission.terms.graceSeconds} seconds of grace`,
    ],
    remedy:
      'Give a reason that the record confirms. If the owner wants to end the Golem, use owner_kill_switch.',
    docsPath: 'requests.md#reasons-to-revoke',
  })

  /**
   * Missed ticks count as evidence if a watcher has reported them and they last the whole signed grace
   * period.
   */
  function isProven(
    phase: Phase,
    {
      constitutionChanged,
      unpublishedSeconds,
    }: Pick<Snapshot, 'constitutionChanged'> & { readonly unpublishedSeconds: number },
  ): boolean {
    const { graceSeconds } = permission.terms
    const unclaimedSeconds = now - state.nextTickAt
    const evidence = {
      now: BigInt(Math.floor(now)),
      killed: reason === 'owner_kill_switch',
      survivalScore: phase === 'terminal' ? 0 : state.survivalScore,
      chainRefusals: state.chainRefusals.map((at) => BigInt(at)),
      constitutionChanged,
      ...(isReported(state) && { silence: { graceSeconds, unclaimedSeconds, unpublishedSeconds } }),
    }
    return decideDeath(evidence).includes(triggers[reason])
  }
}
