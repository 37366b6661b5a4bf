import { caveatRegistry } from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  cage,
  comparePolicies,
  decodeContext,
  type Method,
  methodBits,
} from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { askedBefore, askOwner, requireRoom } from '../owner/askOwner.ts'
import { readAskOf } from '../owner/ownerRequest.ts'
import type { Charter } from '../runtime/charter.ts'
import { addressField, golemField, idempotencyField, labelField } from './fields.ts'
import { namesOf } from './namesOf.ts'
import { chainField, requireChain } from './requireChain.ts'
import type { Stage } from './stage.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** Origin: spec 004. */
const mostSeconds = 2_592_000
const mostSecondsWhenCautious = 604_800

const closing: readonly Method[] = ['decreaseLiquidity', 'collect', 'burnPosition', 'withdraw', 'redeem']
const opening: readonly Method[] = [
  'exactInputSingle',
  'exactInput',
  'mintPosition',
  'increaseLiquidity',
  'deposit',
  'mintShares',
]
const methods = [...opening, ...closing]

const permissionField = z.strictObject({
  contract: addressField,
  methods: z.array(z.enum(methods)).min(1).max(methods.length),
  maxAmount: z.int().min(1).max(10_000_000).describe('Whole dollars an execution, at most.'),
  chains: z.array(chainField).min(1).max(8),
})
const granted = z.looseObject({ context: z.templateLiteral(['0x', z.string()]) })
type Wanted = z.output<typeof permissionField>

/** Makes a further key, and asks the owner to let it do a part of what the Golem may do. */
export const provisionSessionKey = defineTool({
  name: 'wallet_provision_session_key',
  title: 'New session key',
  description:
    'Makes a new session key, sealed at once, and asks the owner to sign a delegation for it: a part of what the Golem may do already, on the same budget, for at most 30 days. The key can do nothing until the owner has signed. Never shows a key.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Checking what was signed', 'Making the key', 'Asking the owner'],
  sprite: 'executing',
  promptSnippet: 'Makes a scoped key that expires, once the owner signs for it.',
  guidelines: {
    thriving: 'Ask for what the strategy needs, for at most 30 days.',
    cautious: 'Ask only for closing positions and withdrawing, for at most 7 days.',
    declining: 'Make no new keys; those that are there run out by themselves.',
    terminal: 'Revoke all keys instead.',
  },
  stages: ['thriving', 'cautious'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    permissions: z.array(permissionField).min(1).max(8),
    expiry: z.int().min(60).max(mostSeconds).describe('Seconds from now; at most 30 days.'),
    label: labelField.optional(),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['done', 'pending']),
    requestId: z.string(),
    keyId: z.string().describe('The public key'),
    publicKey: z.string(),
    address: z.string(),
    permissions: z.array(z.string()).describe('In sentences'),
    expiresAt: z.number().describe('Unix seconds'),
  }),
  told: {
    start: ({ permissions, expiry }) => ({
      keyType: 'session',
      permissions: permissions.length,
      seconds: expiry,
    }),
    end: ({ keyId, expiresAt, status }) => ({ keyId, expiresAt, status }),
  },
  say: ({ status, address, requestId }) =>
    status === 'done'
      ? `The key ${address} may act.`
      : `The key ${address} is made; the owner is asked to sign for it (${requestId}).`,
  async run(context, { permissions, expiry, label = 'session key' }, { id: call, subject, progress }) {
    const { deployment, book, client, store, open, keys } = context
    await progress('Checking what was signed')
    const requestId = `sessionKey:${call}`
    const request = (await askedBefore(context, requestId)) ?? (await ask())
    const { publicKey, root: asked } = readAskOf('sessionKey', request)
    const [signed = asked] =
      request.state === 'pending' ? [] : decodeContext(granted.parse(request.answer).context)
    const [caveat] = signed.caveats
    if (!caveat) throw new BardoError('A request lost its bounds.', { code: 'STORE_CORRUPT' })
    const bounds = cage.decode(caveat.terms)
    return {
      status: request.state === 'pending' ? ('pending' as const) : ('done' as const),
      requestId: request.id,
      keyId: publicKey,
      publicKey,
      address: signed.delegate,
      permissions: linesOf(bounds),
      expiresAt: bounds.end,
    }

    async function ask(): Promise<OwnerRequest> {
      const { charter } = await (await open(subject.id)).status()
      const { root, terms } = signedCage(context, charter)
      for (const { chains } of permissions) for (const chain of chains) requireChain(deployment, chain)
      requireModest(stageOfLife(subject), permissions, expiry)
      const { timestamp } = await client.getBlock()
      const narrowed = narrow(terms, permissions, Number(timestamp) + expiry)
      const vault = keys?.(subject.id).vault
      if (!vault) throw notHere()
      await requireRoom(store, subject.id)
      await progress('Making the key')
      const made = await store.sessionKeys.find(await vault.make(`session:${call}`))
      if (!made) throw new BardoError('A key that was made is gone.', { code: 'STORE_CORRUPT' })
      const { publicKey: key, address: delegate } = made
      const caveats = root.caveats.map((one) => ({ ...one, terms: cage.encode(narrowed) }))
      const wanted = { ...root, delegate, caveats, signature: '0x' } as const
      const { changes } = comparePolicies(
        { ...root, delegate },
        wanted,
        caveatRegistry(deployment),
        namesOf(book),
      )
      if (changes.some(({ direction }) => direction !== 'narrower'))
        throw new BardoError('A narrower key came out wider.', { code: 'INTERNAL' })
      await progress('Asking the owner')
      const until = new Date(narrowed.end * 1_000).toISOString()
      const calls = [...new Set(permissions.flatMap((one) => one.methods))].join(', ')
      const sentence = `A further key, ${delegate} (${label}), until ${until}, which calls ${calls} and nothing else: ${linesOf(narrowed).join(' ')}`
      const asking = { is: 'sessionKey', sentence, publicKey: key, label, root: wanted } as const
      return askOwner(context, { id: requestId, golem: subject.id, ask: asking })
    }

    function linesOf(terms: CageTerms): string[] {
      const sentences = cage.describe(terms, namesOf(book))
      return typeof sentences === 'string' ? [sentences] : [...sentences]
    }
  },
})

/** The one Cage that a further key can have a part of. */
function signedCage({ deployment }: ToolContext, { golem, links, own, terms }: Charter) {
  const root = links.at(-1)
  const [caveat, ...others] = root?.caveats ?? []
  const isCage = caveat && isAddressEqual(caveat.enforcer, deployment.contracts.cageEnforcer)
  // What counts by itself would count anew for a second delegation.
  if (root && isCage && others.length === 0 && own.length === links.length) return { root, terms }
  throw new BardoError('This Golem’s permission cannot be shared by a further key.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`custody ${golem.custody}`],
    remedy: 'Use the key it has; a further one needs a Cage that the owner signed for this Golem alone.',
    docsPath: 'requests.md#session-keys',
  })
}

/** Origin: the guidelines of spec 004. */
function requireModest(stage: Stage, permissions: readonly Wanted[], expiry: number): void {
  if (stage === 'thriving') return
  const opens = permissions.flatMap((one) => one.methods).filter((method) => !closing.includes(method))
  if (opens.length === 0 && expiry <= mostSecondsWhenCautious) return
  throw new BardoError('A cautious Golem gets keys for closing alone, for a week at most.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [...opens, `${expiry} of ${mostSecondsWhenCautious} seconds`],
    remedy: `Ask for ${closing.join(', ')} and at most ${mostSecondsWhenCautious} seconds.`,
    docsPath: 'tools.md#stages-of-life',
  })
}

/** The part of a Cage that was asked for. Its lineage, and so its budget, stay the same. */
function narrow(terms: CageTerms, permissions: readonly Wanted[], end: number): CageTerms {
  const targets = permissions.map(({ contract, methods: wanted }) => {
    const target = terms.mandate.targets.find(({ address }) => isAddressEqual(address, contract))
    if (target) return { target, wanted: bitsOf(wanted) }
    throw beyond(`${contract} is none of the signed contracts`)
  })
  // Methods belong to kinds of contracts: two of a kind with different ones need two keys.
  for (const { target, wanted } of targets)
    if (targets.some((other) => other.target.kind === target.kind && other.wanted !== wanted))
      throw new BardoError('Two contracts of one kind cannot have different methods with one key.', {
        code: 'INVALID_INPUT',
        remedy: 'Ask for two keys.',
      })
  if (new Set(targets.map(({ target }) => target)).size !== targets.length)
    throw new BardoError('A contract is named twice.', { code: 'INVALID_INPUT', remedy: 'Name each once.' })
  const all = permissions.flatMap((one) => one.methods)
  const missing = all.filter((method) => (terms.methods & methodBits[method]) === 0)
  if (missing.length > 0) throw beyond(`not signed: ${missing.join(', ')}`)
  const spends = all.some((method) => opening.includes(method))
  const approving = spends ? terms.methods & methodBits.approve : 0
  const dollars = Math.min(...permissions.map(({ maxAmount }) => maxAmount))
  const [thriving, stable, conservation, declining, terminal] = terms.dollarsByPhase
  const most = (signed: number) => Math.min(signed, dollars)
  return {
    ...terms,
    end: Math.min(terms.end, end),
    methods: bitsOf(all) | approving,
    dollarsByPhase: [most(thriving), most(stable), most(conservation), most(declining), most(terminal)],
    mandate: {
      ...terms.mandate,
      // In the order that was signed.
      targets: terms.mandate.targets.filter((one) => targets.some(({ target }) => target === one)),
      payees: [],
    },
  }
}

const bitsOf = (wanted: readonly Method[]) => wanted.reduce((bits, method) => bits | methodBits[method], 0)

function beyond(detail: string): BardoError {
  return new BardoError('A key cannot have more than the Golem has.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [detail],
    remedy: 'Ask for a part of what get_delegation_tree shows.',
    docsPath: 'requests.md#session-keys',
  })
}

function notHere(): BardoError {
  return new BardoError('Keys of this Golem are not made here.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: 'Call this where the Golem’s keys are kept.',
  })
}
