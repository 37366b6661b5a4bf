import { BardoError, type Delegation, type Phase } from '@bardo/core'
import { z } from 'zod'
import type { DeathTrigger } from '../death/death.ts'
import { deathTriggersIn, fatalMissedTicks, fatalRefusals } from '../death/deathTrigger.ts'
import { missedTicks } from '../heartbeat/missedTicks.ts'
import { answerUnattended } from '../owner/answerUnattended.ts'
import { areDisabled } from '../owner/areDisabled.ts'
import { knownGrants } from '../owner/knownGrants.ts'
import type { LivingGolem } from '../runtime/createGolem.ts'
import { phaseAt } from '../runtime/storedLife.ts'
import { golemField, idempotencyField } from './fields.ts'
import { findSubject } from './findSubject.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** Why permissions may be given up, and which death each begins. Origin: spec 003. */
const triggers = {
  terminal: 'economicExhaustion',
  policy_violation: 'policyViolation',
  owner_kill_switch: 'killSwitch',
  heartbeat_anomaly: 'heartbeatAnomaly',
} as const satisfies Readonly<Record<string, DeathTrigger>>

type Reason = keyof typeof triggers
const reasons = ['terminal', 'policy_violation', 'owner_kill_switch', 'heartbeat_anomaly'] as const

/** Gives all permissions of a Golem up, and with them its life. */
export const revokePermissions = defineTool({
  name: 'metamask_revoke_permissions',
  title: 'Revoke permissions',
  description:
    'Ends Golems and gives up all that they were permitted: open positions go back to the owner, the Golem’s row on the chain is surrendered, so that its bounds refuse everything, and its key is wiped. There is no way back. That the delegations are disabled on the chain is the owner’s to sign: a request is filed for it. Only for the four reasons, and only where the record bears the reason out; the owner’s kill switch is taken at its word.',
  category: 'permission',
  capability: 'privileged',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: ['Finding what was granted', 'Ending the Golem', 'Asking the owner to disable the rest'],
  sprite: 'failure',
  promptSnippet: 'Ends a Golem and gives its permissions up, for good.',
  guidelines: {
    thriving: 'Only on the owner’s express kill switch, or after a violation of the policy.',
    cautious: 'Only on the owner’s kill switch, or an anomaly that was seen.',
    declining: 'Prepare, and wait for the terminal phase; do not run ahead of it.',
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
      .describe('Golems by id or name. Left out: the Golem that these tools were opened for.'),
    reason: z.enum(reasons).describe('Why. There are no other reasons.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golems }) => golems?.[0],
  output: z.strictObject({
    revokedCount: z.number().describe('Delegations that were given up'),
    sessionAccountInvalidated: z
      .boolean()
      .describe('Every row is surrendered and every key wiped: nothing can be redeemed any more'),
    disabledOnChain: z.boolean().describe('That is the owner’s to sign; true once the chain shows it'),
    ownerRequests: z
      .array(z.string())
      .describe('Requests to the owner to disable the delegations on the chain'),
    deaths: z.array(z.strictObject({ golem: z.string(), phase: z.string(), trigger: z.string() })),
  }),
  told: {
    start: ({ golems, reason }) => ({ golems: golems?.length ?? 1, reason }),
    end: ({ revokedCount, sessionAccountInvalidated }) => ({ revokedCount, sessionAccountInvalidated }),
  },
  say: ({ revokedCount, sessionAccountInvalidated, disabledOnChain, ownerRequests, deaths }) =>
    [
      `${revokedCount} delegations are given up.`,
      sessionAccountInvalidated
        ? 'The keys are wiped, and the chain shows the Golems as gone: nothing can be redeemed any more.'
        : 'A death is under way, and its next ticks finish it.',
      ...deaths.map(({ golem, phase, trigger }) => `${golem}: ${phase}, by ${trigger}`),
      disabledOnChain
        ? 'They are disabled on the chain.'
        : `That they are disabled on the chain is the owner’s to sign; ${ownerRequests.length} requests wait for it.`,
    ].join('\n'),
  async run(context, { golems = [], reason }, { subject, progress }) {
    const { store, clock, open } = context
    await progress('Finding what was granted')
    const others = await Promise.all(golems.slice(1).map((named) => findSubject(context, named)))
    const all = new Map([subject, ...others].map((golem) => [golem.id, golem]))
    const living = await Promise.all([...all.keys()].map((id) => open(id)))
    for (const golem of living) await requireTrue(golem, reason, clock.now() / 1_000)
    await progress('Ending the Golem')
    const ends = []
    for (const golem of living) ends.push({ id: golem.id, end: await golem.end(triggers[reason]) })
    await progress('Asking the owner to disable the rest')
    for (const { id } of living) await answerUnattended(context, id)
    const requests = (await Promise.all(living.map(({ id }) => store.ownerRequests.pending(id)))).flat()
    const grants = (await Promise.all(living.map(givenUp))).flat()
    return {
      revokedCount: grants.length,
      sessionAccountInvalidated: ends.every(({ end }) => end.is === 'dying' && end.phase === 'over'),
      disabledOnChain: await areDisabled(context, grants),
      ownerRequests: requests.flatMap(({ id, kind }) => (kind === 'revoke' ? [id] : [])),
      deaths: ends.flatMap(({ id, end }) =>
        end.is === 'dying' ? [{ golem: id, phase: end.phase, trigger: end.death.trigger }] : [],
      ),
    }

    /** A child's own link alone: what stands above it is its parent's. A feed ends with its runway. */
    async function givenUp(golem: LivingGolem): Promise<readonly Delegation[]> {
      const [{ charter }, known] = await Promise.all([golem.status(), knownGrants(store, golem.id)])
      const others = known.filter(({ of }) => of === 'sessionKey' || of === 'runway')
      return [...charter.own, ...others.map(({ delegation }) => delegation)]
    }
  },
})

/**
 * A reason stands in the record for good, so it has to be true by it: what the Golem remembers, or the chain shows. The
 * kill switch is somebody's word, and is taken: giving up can only bring value back to the owner. A death that has begun
 * goes on as it was, whatever is said of it.
 */
async function requireTrue(golem: LivingGolem, reason: Reason, now: number): Promise<void> {
  const { state, death } = await golem.status()
  if (death || reason === 'owner_kill_switch') return
  // What the Golem itself remembers needs no chain.
  if (isTrue(state.phase, false)) return
  const { vitals, constitutionChanged } = await golem.look()
  if (isTrue(phaseAt(vitals.phase), constitutionChanged)) return
  throw new BardoError(`The record does not say ${reason} of this Golem.`, {
    code: 'ACTION_NOT_ALLOWED',
    details: [
      golem.id,
      `phase ${state.phase}, score ${state.survivalScore}`,
      `${state.chainRefusals.length} refusals by the chain of ${fatalRefusals}`,
      `${missedTicks(state, 0, now)} missed ticks of ${fatalMissedTicks}`,
    ],
    remedy: 'Give the reason that is true; where the owner wants it ended, that is owner_kill_switch.',
    docsPath: 'requests.md#reasons-to-revoke',
  })

  function isTrue(phase: Phase, isConstitutionChanged: boolean): boolean {
    const facts = {
      now: BigInt(Math.floor(now)),
      killed: false,
      revoked: false,
      windowEnd: BigInt(Number.MAX_SAFE_INTEGER),
      calls: undefined,
      survivalScore: phase === 'terminal' ? 0 : state.survivalScore,
      chainRefusals: state.chainRefusals.map((at) => BigInt(at)),
      constitutionChanged: isConstitutionChanged,
      missedTicks: missedTicks(state, 0, now),
    }
    return deathTriggersIn(facts).includes(triggers[reason])
  }
}
