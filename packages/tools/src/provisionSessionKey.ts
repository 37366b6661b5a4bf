import {
  BardoError,
  type CageTerms,
  cage,
  caveatRegistry,
  comparePolicies,
  decodeContext,
  enforcerVersion,
  type Method,
  methodBits,
} from '@bardo/core'
import type { SignedPermission } from '@bardo/golem/permission'
import { askedBefore, askOwner, namesOf, readAskOf, requireRoom } from '@bardo/golem/requests'
import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { addressField, golemField, idempotencyField, labelField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import type { Stage } from './stage.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** The maximum lifetime of a session key: 30 days; 7 days for a cautious Golem. */
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
  contract: addressField.describe('A contract that the owner signed for this Golem.'),
  methods: z
    .array(z.enum(methods))
    .min(1)
    .max(methods.length)
    .describe('The methods that the key may call on it.'),
  maxAmount: z.int().min(1).max(10_000_000).describe('The maximum per execution, in whole US dollars.'),
  chains: z.array(chainField).min(1).max(8).describe('The Golem’s chain; any other chain is refused.'),
})
const granted = z.looseObject({ context: z.templateLiteral(['0x', z.string()]) })
type KeyPermission = z.output<typeof permissionField>

/** Creates an additional session key, and asks the owner to sign a part of the Golem's permission for it. */
export const provisionSessionKey = defineTool({
  name: 'wallet_provision_session_key',
  title: 'New session key',
  description:
    'Creates a new session key, encrypted at once, and asks the owner to sign a delegation for it: a part of the Golem’s own permission, on the same budget, for at most 30 days. The key can do nothing until the owner has signed. Never shows a private key.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Checking the permission', 'Creating the key', 'Asking the owner'],
  sprite: 'executing',
  promptSnippet: 'Creates a limited key that expires; it works once the owner has signed.',
  guidelines: {
    thriving: 'Ask only for what the strategy needs, for at most 30 days.',
    cautious: 'Ask only for closing positions and withdrawing, for at most 7 days.',
    declining: 'Create no new keys; the existing ones expire by themselves.',
    terminal: 'Revoke all keys instead.',
  },
  stages: ['thriving', 'cautious'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    permissions: z
      .array(permissionField)
      .min(1)
      .max(8)
      .describe('The key’s permissions: a part of the Golem’s own.'),
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
    permissions: z.array(z.string()).describe('The limits of the key, in sentences'),
    expiresAt: z.number().describe('Unix seconds'),
  }),
  eventFields: {
    start: ({ permissions, expiry }) => ({
      keyType: 'session',
      permissions: permissions.length,
      seconds: expiry,
    }),
    end: ({ keyId, expiresAt, status }) => ({ keyId, expiresAt, status }),
  },
  say: ({ status, address, requestId }) =>
    status === 'done'
      ? `The key ${address} can act.`
      : `The key ${address} is created. Waiting for the owner to sign its delegation (${requestId}).`,
  async run(context, { permissions, expiry, label = 'session key' }, { id: call, subject, progress }) {
    const { deployment, book, client, store, open, keys } = context
    await progress('Checking the permission')
    const requestId = `sessionKey:${call}`
    const request = (await askedBefore(context, requestId)) ?? (await ask())
    const { publicKey, root: requestedRoot } = readAskOf('sessionKey', request)
    const [signed = requestedRoot] =
      request.state === 'pending' ? [] : decodeContext(granted.parse(request.answer).context)
    const [caveat] = signed.caveats
    if (!caveat)
      throw new BardoError('A stored session key request has no caveat.', { code: 'STORE_CORRUPT' })
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
      const { permission } = await (await open(subject.id)).status()
      const { root, terms } = signedCage(context, permission)
      for (const { chains } of permissions) for (const chain of chains) requireChain(deployment, chain)
      requireStageLimits(stageOfLife(subject), permissions, expiry)
      const { timestamp } = await client.getBlock()
      const narrowed = narrow(terms, permissions, Number(timestamp) + expiry)
      const vault = keys?.(subject.id).vault
      if (!vault) throw notHere()
      await requireRoom(store, subject.id)
      await progress('Creating the key')
      const record = await store.sessionKeys.find(await vault.make(`session:${call}`))
      if (!record)
        throw new BardoError('A session key that was just created is not in the store.', {
          code: 'STORE_CORRUPT',
        })
      const { publicKey: key, address: delegate } = record
      const caveats = root.caveats.map((one) => ({ ...one, terms: cage.encode(narrowed, narrowed.version) }))
      const keyRoot = { ...root, delegate, caveats, signature: '0x' } as const
      const { changes } = comparePolicies(
        { ...root, delegate },
        keyRoot,
        caveatRegistry(deployment),
        namesOf(book),
      )
      if (changes.some(({ direction }) => direction !== 'narrower'))
        throw new BardoError('The delegation for the new key is wider than the Golem’s own.', {
          code: 'INTERNAL',
        })
      await progress('Asking the owner')
      const until = new Date(narrowed.end * 1_000).toISOString()
      const calls = [...new Set(permissions.flatMap((one) => one.methods))].join(', ')
      const sentence = `An additional key, ${delegate} (${label}), until ${until}, which can call only ${calls}: ${linesOf(narrowed).join(' ')}`
      const keyAsk = { type: 'sessionKey', sentence, publicKey: key, label, root: keyRoot } as const
      return askOwner(context, { id: requestId, golem: subject.id, ask: keyAsk })
    }

    function linesOf(terms: CageTerms): string[] {
      const sentences = cage.describe(terms, namesOf(book))
      return typeof sentences === 'string' ? [sentences] : [...sentences]
    }
  },
})

/** The Cage that an additional key can get a part of. */
function signedCage({ deployment }: ToolContext, { golem, links, own, terms }: SignedPermission) {
  const root = links.at(-1)
  const [caveat, ...others] = root?.caveats ?? []
  const version = caveat && enforcerVersion(deployment, cage, caveat.enforcer)
  // A caveat that counts by itself would start a second count for a second delegation.
  if (root && version && others.length === 0 && own.length === links.length) return { root, terms }
  throw new BardoError('An additional key cannot share this Golem’s permission.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`custody ${golem.custody}`],
    remedy:
      'Use the existing key. An additional key needs a Cage that the owner signed for this Golem alone.',
    docsPath: 'requests.md#session-keys',
  })
}

/** A cautious Golem gets additional keys only for closing positions, and for at most a week. */
function requireStageLimits(stage: Stage, permissions: readonly KeyPermission[], expiry: number): void {
  if (stage === 'thriving') return
  const opens = permissions.flatMap((one) => one.methods).filter((method) => !closing.includes(method))
  if (opens.length === 0 && expiry <= mostSecondsWhenCautious) return
  throw new BardoError('A cautious Golem gets keys only for closing positions, for at most a week.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [...opens, `requested: ${expiry} seconds, maximum: ${mostSecondsWhenCautious}`],
    remedy: `Ask for ${closing.join(', ')} and at most ${mostSecondsWhenCautious} seconds.`,
    docsPath: 'tools.md#stages-of-life',
  })
}

/** The requested part of a Cage. The lineage stays the same, and so does the budget. */
function narrow(terms: CageTerms, permissions: readonly KeyPermission[], end: number): CageTerms {
  const targets = permissions.map(({ contract, methods: requested }) => {
    const target = terms.mandate.targets.find(({ address }) => isAddressEqual(address, contract))
    if (target) return { target, bits: bitsOf(requested) }
    throw beyond(`${contract} is not a signed contract`)
  })
  // Methods are allowed per kind of contract: two contracts of a kind with different methods need two keys.
  for (const { target, bits } of targets)
    if (targets.some((other) => other.target.kind === target.kind && other.bits !== bits))
      throw new BardoError('One key cannot have different methods for two contracts of the same kind.', {
        code: 'INVALID_INPUT',
        remedy: 'Ask for two keys.',
      })
  if (new Set(targets.map(({ target }) => target)).size !== targets.length)
    throw new BardoError('A contract is listed twice.', {
      code: 'INVALID_INPUT',
      remedy: 'List each contract once.',
    })
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
      // Keep the signed order.
      targets: terms.mandate.targets.filter((one) => targets.some(({ target }) => target === one)),
      payees: [],
    },
  }
}

const bitsOf = (list: readonly Method[]) => list.reduce((bits, method) => bits | methodBits[method], 0)

function beyond(detail: string): BardoError {
  return new BardoError('A session key cannot have more permissions than the Golem.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [detail],
    remedy: 'Ask for a part of what get_delegation_tree shows.',
    docsPath: 'requests.md#session-keys',
  })
}

function notHere(): BardoError {
  return new BardoError('This process cannot create keys for the Golem.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: 'Call the tool on the machine that holds the Golem’s keys.',
  })
}
