import { readDelegationTree } from '@bardo/chain'
import {
  BardoError,
  caveatRegistry,
  decodeContext,
  hashDelegation,
  type TreeJson,
  treeToJson,
  treeToText,
} from '@bardo/core'
import { readConstitutionUse } from '@bardo/golem/action'
import { readShared } from '@bardo/golem/crossGolem'
import { findRunway } from '@bardo/golem/funding'
import { knownGrants, namesOf, onlySigned } from '@bardo/golem/requests'
import { livingChildren } from '@bardo/golem/state'
import type { Hash } from 'viem'
import { z } from 'zod'
import { constitutionField, constitutionText } from './constitutionText.ts'
import { golemField } from './fields.ts'
import { plain } from './findSubject.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** The delegation tree of a Golem, down to its children, with the use of each limit. */
export const getDelegationTree = defineTool({
  name: 'get_delegation_tree',
  title: 'Delegation tree',
  description:
    'Shows the delegations that the owner signed for a Golem and the redelegations below them: every limit in a sentence, how much of it is used, and whether it is still valid. Changes nothing.',
  category: 'insight',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the delegations', 'Reading the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows every limit in force and how much of it is used.',
  guidelines: {
    thriving: 'Check before planning an action close to a limit.',
    cautious: 'Check before each action: limits narrow with the phase.',
    declining: 'Check which actions are still allowed: only those that return value to the owner.',
    terminal: 'Check once which delegations are revoked.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    text: z.string().describe('The tree as text'),
    tree: z.looseObject({ root: z.string() }).describe('The tree as data'),
    runway: z
      .looseObject({ root: z.string() })
      .nullable()
      .describe('The runway that the owner’s wallet granted, as a separate tree; null if there is none'),
    received: z
      .array(z.looseObject({ root: z.string() }))
      .describe('What other Golems delegated to this one, each as a separate tree'),
    constitution: constitutionField,
  }),
  say: ({ text }) => text,
  async run({ store, client, deployment, book, open }, _, { subject, progress }) {
    await progress('Reading the delegations')
    const grants = await knownGrants(store, subject.id)
    const own = grants.filter(({ of }) => of === 'golem' || of === 'sessionKey')
    const children = await childGrants(store, subject.id)
    const [given, received] = await Promise.all([
      readShared(store, subject.id, 'given'),
      readShared(store, subject.id, 'received'),
    ])
    const below = [
      ...children,
      ...given.map(({ hash, peer, links }) => ({ hash, name: `to ${plain(peer)}`, links })),
    ]
    const delegations = new Map(
      [...own.map(({ delegation }) => delegation), ...below.flatMap(({ links }) => links)].map(
        // A forged row may repeat the signature of another delegation.
        (delegation) => [`${hashDelegation(delegation)}${delegation.signature}`, delegation],
      ),
    )
    if (delegations.size === 0) throw notSigned(0)
    await progress('Reading the chain')
    // The store is not trusted: what the owner or a key did not sign is not shown as signed.
    const signed = await onlySigned({ client, deployment }, [...delegations.values()])
    if (signed.length === 0) throw notSigned(delegations.size)
    const { tree, facts } = await readDelegationTree(client, deployment, signed)
    const labels = new Map(below.map(({ hash, name }) => [hash, name] as const))
    const shown = { registry: caveatRegistry(deployment), names: namesOf(book) }
    const options = { ...shown, facts, labels }
    const runway = await runwayTree()
    const others = (await Promise.all(received.map(receivedTree))).filter((other) => other !== undefined)
    const constitution = await readUse()
    const trees = [{ ...options, tree }, ...(runway ? [runway] : []), ...others]
    return {
      text: [...trees.map((one) => treeToText(one.tree, one)), ...constitutionText(constitution)].join(
        '\n\n',
      ),
      constitution,
      tree: inJson(treeToJson(tree, options)),
      runway: runway ? inJson(treeToJson(runway.tree, runway)) : null,
      received: others.map((other) => inJson(treeToJson(other.tree, other))),
    }

    async function readUse() {
      const { permission } = await (await open(subject.id)).status()
      return (await readConstitutionUse({ client, deployment, book }, permission)) ?? null
    }

    /** A delegation from another Golem is a separate tree, of another account. */
    async function receivedTree({ hash, peer, links }: (typeof received)[number]) {
      const read = await readDelegationTree(client, deployment, links).catch(unlessMalformed)
      return read && { ...shown, ...read, labels: new Map([[hash, `from ${plain(peer)}`] as const]) }
    }

    /** The runway is a separate tree: the owner's wallet granted it, not the account. */
    async function runwayTree() {
      const runway = await findRunway(store, subject.id)
      if (!runway) return undefined
      const { grant, feed, handedOn } = runway
      // A malformed row was never signed. It must not hide the delegations that were.
      const read = await readDelegationTree(client, deployment, [grant, feed, ...handedOn]).catch(
        unlessMalformed,
      )
      if (!read) return undefined
      const labels = new Map([[hashDelegation(grant), 'runway'] as const])
      return { ...shown, ...read, labels }
    }
  },
})

function notSigned(stored: number): BardoError {
  return new BardoError('The owner has not signed a delegation for this Golem yet.', {
    code: 'STEP_OUT_OF_ORDER',
    details: stored > 0 ? [`${stored} stored delegations have no valid signature`] : [],
    remedy: 'Finish its summoning first.',
  })
}

function unlessMalformed(error: unknown): undefined {
  if (!(error instanceof BardoError) || error.code !== 'DELEGATION_MALFORMED') throw error
}

/** The tree after a round trip through JSON, which drops undefined fields. */
const inJson = (tree: TreeJson) => JSON.parse(JSON.stringify(tree))

/** The delegations of a Golem's living children, each with the links above it. */
async function childGrants(store: ToolContext['store'], golem: Hash) {
  const children = await livingChildren(store, golem)
  const grants = await Promise.all(
    children.map(async ({ id, name }) =>
      (await store.delegations.list(id)).flatMap(({ hash, context, state }) =>
        state === 'active' ? [{ hash, name: plain(name), links: decodeContext(context) }] : [],
      ),
    ),
  )
  return grants.flat()
}
