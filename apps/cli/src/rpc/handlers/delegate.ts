import { BardoError, coSignerKeys, methodNames, parseCoSigners } from '@bardo/core'
import { readShared, withMembers } from '@bardo/golem'
import { activeKey } from '@bardo/wallets'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { findGolem } from '../findGolem.ts'
import { ownerExposure } from '../ownerExposure.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/i)])

/** The file with which a Golem in another data folder accepts a delegation. */
export const offerSchema = z.strictObject({
  type: z.literal('bardo.delegation'),
  chainId: z.int(),
  from: z.string().max(64),
  to: z.string(),
  context: hex,
})

/** Delegates a part of a Golem's permission to another Golem, or to the key of a Golem in another data folder. */
export const delegate = defineTask({
  input: z.strictObject({
    golem: golemField,
    to: golemField,
    type: z.enum(['act', 'observer', 'readOnly']),
    budgetCents: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform((text) => BigInt(text)),
    lifespanSeconds: z.int().positive(),
    methods: z.array(z.enum(methodNames)).min(1).optional(),
    /** Addresses, or names such as `vault USDC`. */
    targets: z.array(z.string().max(64)).min(1).optional(),
    /** For example `2 of scout, judge, 0x…`. */
    coSigners: z.string().max(2_000).optional(),
    calls: z.int().positive(),
  }),
  async run(context, { golem: named, to: receiver, methods, targets, coSigners, ...gift }, { note }) {
    const { chain, open } = context
    const { id, name, owner } = await findGolem(context, named)
    const { key: to, beta } = await receiverOf(context, receiver)
    note('Signing with the session key')
    const alpha = await open(id)
    const peer = beta?.name ?? to
    const book = await withMembers(context.store, chain.book, owner)
    const given = await alpha.give({
      ...gift,
      to,
      name: peer,
      ...(methods && { methods }),
      ...(targets && { targets }),
      ...(coSigners !== undefined && { coSigners: coSignerKeys(parseCoSigners(coSigners), book) }),
    })
    if (beta) await (await open(beta.id)).accept({ context: given.context, from: name })
    const { exposure } = await ownerExposure(context, owner)
    const own = await ownerExposure(context, owner, [to])
    return {
      golem: id,
      name,
      to: peer,
      delegation: given.hash,
      endsAt: given.endsAt,
      isAccepted: beta !== undefined,
      /** The file for `bardo accept`. */
      offer: {
        type: 'bardo.delegation' as const,
        chainId: chain.deployment.chainId,
        from: name,
        to,
        context: given.context,
      },
      /** With the receiver's key only, and under everything that the owner signed. */
      exposure: { receiver: own.exposure, owner: exposure },
    }
  },
})

/** Ends what a Golem delegated to another, with the Golem's own key. */
export const endDelegate = defineTask({
  input: z.strictObject({ golem: golemField, to: golemField }),
  async run(context, { golem: named, to }, { note }) {
    const { id, name, owner } = await findGolem(context, named)
    note('Disabling on the chain')
    const ended = await (await context.open(id)).endGiven(to)
    return { golem: id, name, ended, exposure: (await ownerExposure(context, owner)).exposure }
  },
})

/** Stores a delegation that a Golem of another data folder gave. */
export const accept = defineTask({
  input: z.strictObject({ golem: golemField, offer: offerSchema }),
  async run(context, { golem: named, offer }) {
    const { id, name } = await findGolem(context, named)
    const { chainId } = context.chain.deployment
    if (offer.chainId !== chainId)
      throw new BardoError('The delegation is for another chain.', {
        code: 'CHAIN_MISMATCH',
        details: [`its chain: ${offer.chainId}`, `this chain: ${chainId}`],
      })
    const delegation = await (await context.open(id)).accept({ context: offer.context, from: offer.from })
    const received = await readShared(context.store, id, 'received')
    const one = received.find(({ hash }) => hash === delegation)
    return { golem: id, name, from: offer.from, delegation, type: one?.type, endsAt: one?.endsAt ?? 0 }
  },
})

async function receiverOf(
  context: Context,
  named: string,
): Promise<{ key: Address; beta?: Awaited<ReturnType<typeof findGolem>> }> {
  if (isAddress(named, { strict: false })) return { key: getAddress(named) }
  const beta = await findGolem(context, named)
  const key = await activeKey(context.store, beta.id)
  if (key) return { key: key.address, beta }
  throw new BardoError('The receiving Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    details: [beta.name],
  })
}
