import { caveatRegistry, readDelegationTree } from '@bardo/chain'
import { BardoError, treeToJson, treeToText } from '@bardo/core'
import { z } from 'zod'
import { knownGrants } from '../owner/knownGrants.ts'
import { golemField } from './fields.ts'
import { namesOf } from './namesOf.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** What an owner signed, down to the children, with what is spent of each bound. */
export const getDelegationTree = defineTool({
  name: 'get_delegation_tree',
  title: 'Delegation tree',
  description:
    'Shows what the owner signed for a Golem and what was handed on below it: every bound in a sentence, how much of it is used, and whether it still works. Changes nothing.',
  category: 'insight',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the delegations', 'Asking the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows every bound that holds, and what is used of it.',
  guidelines: {
    thriving: 'Look before planning something that comes near a bound.',
    cautious: 'Look before each action: bounds narrow with the phase.',
    declining: 'Look for what is still allowed: only what brings value back.',
    terminal: 'Look once, to see what is revoked.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    text: z.string().describe('The tree as lines'),
    tree: z.looseObject({ root: z.string() }).describe('The tree as data'),
  }),
  told: { start: () => ({}), end: ({ text }) => ({ lines: text.split('\n').length }) },
  say: ({ text }) => text,
  async run({ store, client, deployment, book }, _, { subject, progress }) {
    await progress('Reading the delegations')
    // A runway has a root of its own, the wallet's; `metamask_check_permission_health` and the wallet show it.
    const kept = (await knownGrants(store, subject.id)).filter(
      ({ of }) => of === 'golem' || of === 'sessionKey',
    )
    const delegations = new Map(kept.map(({ delegation }) => [delegation.signature, delegation]))
    if (delegations.size === 0)
      throw new BardoError('Nothing was signed for this Golem yet.', {
        code: 'STEP_OUT_OF_ORDER',
        remedy: 'Finish its summoning first.',
      })
    await progress('Asking the chain')
    const { tree, facts } = await readDelegationTree(client, deployment, [...delegations.values()])
    const options = { registry: caveatRegistry(deployment), names: namesOf(book), facts }
    return { text: treeToText(tree, options), tree: JSON.parse(JSON.stringify(treeToJson(tree, options))) }
  },
})
