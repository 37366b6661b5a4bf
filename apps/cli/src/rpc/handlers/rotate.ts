import { isDisabled, revoke } from '@bardo/chain'
import { BardoError, type CustodyEvent, hashDelegation, isRoot, type SessionKeyEvent } from '@bardo/core'
import { eventToJson, knownGrants, livingChildren, standingRoots } from '@bardo/golem'
import { performOperation, prepareOperation, scheduleTickNow } from '@bardo/operations'
import { ownAddressOf } from '@bardo/wallets'
import { type Address, type Hash, isAddressEqual, zeroAddress } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { notOwner, type OwnerWallet, ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { operationContext } from '../operationContext.ts'
import { defineTask } from '../task.ts'
import { addressField, golemField, ownerKeyField } from './fields.ts'
import { ownerAddress } from './operations.ts'

/** A suspected key is out only when, on the chain, every root for another key than the new one is disabled. */
async function requireRevoked(
  { store, chain }: Context,
  {
    id,
    name,
    after,
    waiting,
  }: {
    readonly id: Hash
    readonly name: string
    readonly after: Address
    readonly waiting: readonly string[]
  },
): Promise<void> {
  const { client, deployment } = chain
  const [request] = waiting
  // While the request waits, the key in use is still the suspected one.
  const exceptFor = request === undefined ? after : zeroAddress
  const standing = await standingRoots({ store, client, deployment }, id, exceptFor)
  if (standing.length === 0 && request === undefined) return
  throw new BardoError(
    standing.length > 0
      ? `The suspected key of ${name} can still act: its delegation is not revoked on the chain.`
      : `${name} has no key until you sign a delegation for the new one.`,
    {
      code: 'GRANT_STANDS',
      details: standing.map((root) => `delegation ${hashDelegation(root)} to ${root.delegate} is active`),
      remedy:
        request === undefined
          ? `Run it again: bardo rotate "${name}" --suspected`
          : `Answer the request with the owner’s key: bardo requests ${request} yes`,
      docsPath: 'golem.md#keys',
    },
  )
}

/**
 * Revokes everything that a suspected key may use if the Golem is dying, and throws. The shutdown then closes no positions: a
 * thief with the key would be faster.
 */
async function endWhereDying(
  { store, chain }: Context,
  { signer }: OwnerWallet,
  { id, name }: { readonly id: Hash; readonly name: string },
): Promise<void> {
  const status = (await store.golems.find(id))?.status
  if (status !== 'dying' && status !== 'dead') return
  const events: (CustodyEvent | SessionKeyEvent)[] = []
  const recording = { ...signer, onEvent: (event: CustodyEvent | SessionKeyEvent) => events.push(event) }
  const signed = (await knownGrants(store, id)).flatMap(({ of, delegation }) =>
    (of === 'feed' || isRoot(delegation)) && isAddressEqual(delegation.delegator, signer.account.address)
      ? [delegation]
      : [],
  )
  for (const delegation of signed)
    if (!(await isDisabled(chain, delegation))) await revoke(recording, { delegation, cause: 'suspected' })
  if (events.length > 0)
    await store.events.append(
      events.map((event) => ({ golem: id, name: event.name, body: eventToJson(event) })),
    )
  throw new BardoError(`${name} is ${status}: it gets no new key.`, {
    code: 'GOLEM_DYING',
    details: ['every delegation for its keys is revoked on the chain'],
    remedy: `See which positions are left open: bardo status "${name}"`,
    docsPath: 'golem.md#keys',
  })
}

/** The key that a Golem acts with: its own address, or for a P-256 key its public key. */
async function keyInUse({ store }: Context, id: Hash): Promise<string> {
  const known = await store.sessionKeys.list(id)
  const key = known.findLast(({ status }) => status === 'active') ?? known.at(-1)
  return key ? (ownAddressOf(key) ?? key.publicKey) : zeroAddress
}

/** Rotates the session key. For a suspected key, the owner signs at once if their key is given; else a request is filed. */
export const rotate = defineTask({
  input: z.strictObject({ golem: golemField.optional(), isSuspected: z.boolean(), ownerKey: ownerKeyField }),
  async run(context, { golem: named, isSuspected, ownerKey }, { note }) {
    const { store, chain } = context
    const { id, name, owner: whose } = await findGolem(context, named)
    const owner = chain.world || ownerKey !== undefined ? ownerWallet(chain, store, ownerKey) : undefined
    // Check the owner's key before the first step, so that a wrong key leaves nothing half done.
    if (owner && (isSuspected || ownerKey !== undefined)) requireOwner(owner, whose)
    const golem = await context.open(id)
    const before = await keyInUse(context, id)
    const endedChildren = isSuspected ? (await livingChildren(store, id)).map((child) => child.name) : []
    note('Creating a new key')
    try {
      await golem.rotate(isSuspected ? 'suspected' : 'age')
      const grantRequests = (await store.ownerRequests.pending(id)).filter(({ kind }) => kind === 'grant')
      if (owner && grantRequests.length > 0) {
        note('Revoking the old delegation, signing for the new key')
        requireOwner(owner, whose)
        const operation = { ...operationContext(context, note), owner: whose }
        for (const request of grantRequests)
          await performOperation(operation, owner.signer, 'answer', { request: request.id, says: 'yes' })
        // The Golem picks up the new delegation in a tick.
        await golem.tick()
      }
    } finally {
      // Also after an error: a Golem that began to die meanwhile gets no new key, and the suspected one must not stay valid.
      if (isSuspected && owner) await endWhereDying(context, owner, { id, name })
    }
    await scheduleTickNow(context.store, id)
    const delegate = (await (await context.open(id)).status()).permission.links[0].delegate
    const after = await keyInUse(context, id)
    const waiting = (await store.ownerRequests.pending(id)).flatMap((one) =>
      one.kind === 'grant' ? [one.id] : [],
    )
    if (isSuspected) await requireRevoked(context, { id, name, after: delegate, waiting })
    return { golem: id, name, before, after, isRotated: before !== after, waiting, endedChildren }
  },
})

/**
 * Replaces a suspected key: creates the new one, and prepares what the owner signs and sends elsewhere. From then on the Golem
 * no longer acts with the suspected key.
 */
export const prepareRotate = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    owner: addressField.optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { golem: named, owner: given, ownerKey }, { note }) {
    const { store } = context
    const { id, owner: whose } = await findGolem(context, named)
    const owner = given ?? ownerAddress(context, ownerKey)
    if (!isAddressEqual(owner, whose)) throw notOwner(whose, owner)
    note('Creating a new key')
    await (await context.open(id)).rotate('suspected')
    const request = (await store.ownerRequests.pending(id)).find(({ kind }) => kind === 'grant')
    if (!request)
      throw new BardoError('The Golem has no request for a new key.', {
        code: 'STEP_OUT_OF_ORDER',
        remedy: 'See what waits for you: bardo requests',
      })
    const operation = { ...operationContext(context, note), owner }
    return prepareOperation(operation, 'answer', { request: request.id, says: 'yes' })
  },
})
