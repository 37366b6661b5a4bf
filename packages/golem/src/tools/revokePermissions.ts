import type { Golem } from '@bardo/store'
import { permissionKey } from '@bardo/store'
import { z } from 'zod'
import type { DeathTrigger } from '../death/death.ts'
import { tell } from '../runtime/summoning.ts'
import { golemField } from './fields.ts'
import { findSubject } from './findSubject.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
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
    'Ends Golems and gives up all that they were permitted: open positions go back to the owner, the Golem’s row on the chain is surrendered, so that its bounds refuse everything, and its key is wiped. There is no way back. That the delegations are disabled on the chain is the owner’s to sign: a request is filed for it. Only for the four reasons.',
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
  }),
  subject: ({ golems }) => golems?.[0],
  output: z.strictObject({
    revokedCount: z.number().describe('Delegations that were given up'),
    sessionAccountInvalidated: z
      .boolean()
      .describe('Every row is surrendered and every key wiped: nothing can be redeemed any more'),
    disabledOnChain: z.literal(false).describe('That is the owner’s to sign'),
    ownerRequests: z
      .array(z.string())
      .describe('Requests to the owner to disable the delegations on the chain'),
    deaths: z.array(z.strictObject({ golem: z.string(), phase: z.string(), trigger: z.string() })),
  }),
  told: {
    start: ({ golems, reason }) => ({ golems: golems?.length ?? 1, reason }),
    end: ({ revokedCount, sessionAccountInvalidated }) => ({ revokedCount, sessionAccountInvalidated }),
  },
  say: ({ revokedCount, sessionAccountInvalidated, ownerRequests, deaths }) =>
    [
      `${revokedCount} delegations are given up.`,
      sessionAccountInvalidated
        ? 'The keys are wiped, and the chain shows the Golems as gone: nothing can be redeemed any more.'
        : 'A death is under way, and its next ticks finish it.',
      ...deaths.map(({ golem, phase, trigger }) => `${golem}: ${phase}, by ${trigger}`),
      `That they are disabled on the chain is the owner’s to sign; ${ownerRequests.length} requests wait for it.`,
    ].join('\n'),
  async run(context, { golems = [], reason }, { subject, progress }) {
    await progress('Finding what was granted')
    const others = await Promise.all(golems.slice(1).map((named) => findSubject(context, named)))
    const all = new Map([subject, ...others].map((golem) => [golem.id, golem]))
    const living = await Promise.all([...all.keys()].map((id) => context.open(id)))
    await progress('Ending the Golem')
    const ended = []
    for (const golem of living) {
      const { charter } = await golem.status()
      const end = await golem.end(triggers[reason])
      ended.push({ golem: charter.golem, revoked: charter.own.length, end })
    }
    await progress('Asking the owner to disable the rest')
    for (const { golem } of ended) await askAboutRunway(context, golem, reason)
    const requests = await Promise.all([...all.keys()].map((id) => context.store.ownerRequests.pending(id)))
    return {
      revokedCount: ended.reduce((sum, { revoked }) => sum + revoked, 0),
      sessionAccountInvalidated: ended.every(({ end }) => end.is === 'dying' && end.phase === 'over'),
      disabledOnChain: false as const,
      ownerRequests: requests.flat().flatMap(({ id, kind }) => (kind === 'revoke' ? [id] : [])),
      deaths: ended.flatMap(({ golem, end }) =>
        end.is === 'dying' ? [{ golem: golem.id, phase: end.phase, trigger: end.death.trigger }] : [],
      ),
    }
  },
})

const runway = z.object({ permissionId: z.templateLiteral(['0x', z.string()]) })

/** The runway is the wallet's own grant: a death asks for the end of what was signed for the Golem, and this of the rest. */
async function askAboutRunway(
  { store }: Pick<ToolContext, 'store'>,
  { id }: Pick<Golem, 'id'>,
  because: Reason,
): Promise<void> {
  const stored = runway.safeParse((await store.grimoire.get(id, permissionKey(id)))?.body)
  if (!stored.success) return
  const request = `${id}:runway:revoke`
  const body = { because, delegations: [stored.data.permissionId] }
  await store.transaction(async (transaction) => {
    const isNew = await transaction.ownerRequests.file({ id: request, golem: id, kind: 'revoke', body })
    if (isNew) tell(transaction, id, [{ name: 'owner.requestFiled', request, kind: 'revoke' }])
  })
}
