import { readConstitution } from '@bardo/chain'
import {
  BardoError,
  type Constitution,
  compareConstitutions,
  completeRules,
  constitutionIn,
  constitutionSentences,
  hashConstitution,
  hashDelegation,
  namedConstitution,
} from '@bardo/core'
import { constitutionToml, rulesFrom } from '@bardo/golem/config'
import { loadPermission } from '@bardo/golem/permission'
import type { RegrantChange } from '@bardo/golem/requests'
import { livingChildren } from '@bardo/golem/state'
import type { Golem } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import { defineOperation, type OperationContext } from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'
import { newRootFields, replaceRoot, resolveNewRoot } from '../permission/newRoot.ts'

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])

const contentSchema = z.strictObject({
  assets: z.array(z.strictObject({ asset: address, maxShareBps: z.int() })),
  limits: z.strictObject({
    perTxCents: z.bigint(),
    perSessionCents: z.bigint(),
    perDayCents: z.bigint(),
    sessionSeconds: z.int(),
    maxDrawdownBps: z.int(),
  }),
  document: hashSchema,
})

/**
 * Signs a Golem for a constitution, or without one: the constitution is enacted, a new root with its hash is signed for the
 * same limits and window, the owner adopts it, and the old root is disabled. The day's spending stays counted.
 */
export const constitution = defineOperation({
  input: z.strictObject({
    /** The Golem's id or name. */
    golem: z.string().trim().min(1).max(100),
    /** The same settings as `[constitution]` of golem.toml. Null removes the constitution. */
    rules: constitutionToml.nullable(),
  }),
  fields: newRootFields.extend({
    content: contentSchema.nullable(),
    /** For the description only. */
    changes: z.array(z.string()),
    children: z.array(z.string()),
  }),
  result: z.strictObject({
    golem: hashSchema,
    name: z.string(),
    root: hashSchema,
    constitution: hashSchema.nullable(),
    sentences: z.array(z.string()),
  }),
  async resolve(context, { golem: named, rules }) {
    const { store } = context
    const golem = await findOwn(context, named)
    const { terms, book } = await loadPermission({ ...context, id: golem.id })
    const plan = rules && completeRules(rulesFrom(rules).rules, [...book.assets.keys()])
    if (rules && !plan)
      throw refuse('The constitution limits nothing.', ['no rule is given'], 'Give at least one limit.')
    // Symbols are those of the chain's address book; what the Golem is signed for keeps its signed address.
    const known = { ...book, assets: new Map([...context.book.assets, ...book.assets]) }
    const content = plan ? constitutionIn(plan, known) : null
    const next = content ? hashConstitution(content) : undefined
    if (next === terms.constitution)
      throw refuse(
        next ? 'The Golem is already signed for this constitution.' : 'The Golem has no constitution.',
        [golem.name],
        'There is nothing to sign.',
      )
    const before = terms.constitution && (await readConstitution(context, terms.constitution))
    const nameOf = (asset: Address) => nameIn(context, asset)
    const changes = compareConstitutions(
      before ? namedConstitution(before, nameOf) : undefined,
      content ? namedConstitution(content, nameOf) : undefined,
    )
    return {
      ...(await resolveNewRoot(context, golem.id, changeOf(content))),
      content,
      changes: changes.map(
        ({ field, before: old, after, direction }) => `${direction}: ${field}, ${old} → ${after}`,
      ),
      children: (await livingChildren(store, golem.id)).map(({ name }) => name),
    }
  },
  describe: (context, { name, content, changes, children }) => [
    content
      ? `Sign ${name} for a constitution, and adopt it: the chain then also enforces these limits.`
      : `Sign ${name} without its constitution: the other limits stay.`,
    ...(content ? sentencesOf(context, content) : []),
    ...changes.map((change) => `Change, ${change}.`),
    ...(children.length > 0 ? [`These Replicants end with the old delegation: ${children.join(', ')}.`] : []),
  ],
  async run(context, signer, fields) {
    const { golem, name, content } = fields
    const { root: signed } = await replaceRoot(context, signer, fields, changeOf(content))
    await scheduleTickNow(context.store, golem)
    return {
      golem,
      name,
      root: hashDelegation(signed),
      constitution: content && hashConstitution(content),
      sentences: content ? [...sentencesOf(context, content)] : [],
    }
  },
})

function changeOf(content: Constitution | null): RegrantChange {
  return { type: 'constitution', constitution: content ?? undefined }
}

function sentencesOf(context: OperationContext, content: Constitution): readonly string[] {
  return constitutionSentences(namedConstitution(content, (asset) => nameIn(context, asset))).map(
    ({ sentence }) => sentence,
  )
}

function nameIn({ book }: OperationContext, asset: Address): string {
  return [...book.assets].find(([, { token }]) => isAddressEqual(token, asset))?.[0] ?? asset
}

/** The owner's own living Golem with this id or name. */
async function findOwn({ store, owner }: OperationContext, named: string): Promise<Golem> {
  const all = await store.golems.list({ owner })
  const living = all.filter(({ status }) => status !== 'dead')
  const golem = living.find(({ id, name }) => id === named || name === named)
  if (golem) return golem
  throw refuse('This owner has no living Golem with this id or name.', [named, `owner: ${owner}`])
}

function refuse(message: string, details: readonly string[], remedy?: string): BardoError {
  return new BardoError(message, {
    code: 'INVALID_INPUT',
    outcome: 'not-sent',
    details,
    ...(remedy !== undefined && { remedy }),
    docsPath: 'permissions.md#the-constitution',
  })
}
