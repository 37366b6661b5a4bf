import { isDisabled } from '@bardo/chain'
import {
  BardoError,
  type Delegation,
  hashDelegation,
  inspectGrant,
  type ReadGrant,
  readGrants,
  readRequest,
  unsignedRunwayDraw,
} from '@bardo/core'
import { type OwnerRequest, permissionKey, type Transaction } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { lockRow } from '../state/lockRow.ts'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { FedGolem, OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { requireKey } from './requireKey.ts'
import { requireLiving } from './requireLiving.ts'
import { requireNoRunway, runwayConflict, runwayIn } from './requireNoRunway.ts'
import { otherGrant, requireSigned } from './requireSigned.ts'
import { needsConfirmation } from './runwayGuard.ts'
import { runwayTerms, walletRequests } from './runwayTerms.ts'

type Runway = Extract<OwnerAsk, { type: 'runway' }>
type Granted = Extract<OwnerAnswer, { type: 'granted' }>

/**
 * Accepts a runway by the bytes that the wallet signed: as requested or narrower in every part, and drawn
 * into the account.
 */
export async function acceptRunway(
  context: AnswerContext,
  { id }: Pick<OwnerRequest, 'id'>,
  ask: Runway,
  { grants: raw, feeds, override }: Granted,
  owner: Address,
): Promise<Accepted> {
  const grants = readGrants(raw)
  const parties = { chainId: context.deployment.chainId, owner, usdc: context.book.assets.get('USDC')?.token }
  const golems = runwayTerms(ask, parties)
  const requests = walletRequests(golems, parties)
  if (grants.length !== requests.length || feeds.length !== requests.length)
    throw otherGrant([
      `${requests.length} grants and draw delegations requested`,
      `received: ${grants.length} and ${feeds.length}`,
    ])
  const evaluated = await Promise.all(
    golems.map((golem, index) =>
      checkGrant(context, golem, {
        asked: requests[index],
        grant: grants[index],
        feed: feeds[index],
      }),
    ),
  )
  const granted = evaluated.map(({ permission: { dailyCap, startsAt, expiresAt } }) => ({
    daily: dailyCap,
    seconds: expiresAt - startsAt,
  }))
  if (override !== true && needsConfirmation(granted))
    throw new BardoError('A runway of this size needs the owner’s explicit confirmation.', {
      code: 'ACTION_NOT_ALLOWED',
      details: ['more than 90 days, or more than 100 USDC a day'],
      remedy: 'Confirm it with the override, or grant less.',
      docsPath: 'requests.md#runway',
    })
  // Of two concurrent requests the owner can grant only one.
  const before = await Promise.all(golems.map(({ golem }) => requireNoRunway(context, golem)))
  const permissions = evaluated.map(({ permission }) => ({ ...permission, request: id }))
  return {
    state: evaluated.some(({ isNarrower }) => isNarrower) ? 'adjusted' : 'approved',
    body: { permissions },
    async apply(transaction) {
      const { grimoire, permissions: stored } = transaction
      for (const [position, permission] of permissions.entries()) {
        const { golem } = permission
        await requireLiving(transaction, golem)
        await requireSameKey(transaction, golem, permission.feed.delegate)
        const key = permissionKey(golem)
        const earlier = before[position]
        if (runwayIn(await grimoire.get(golem, key)) !== earlier?.context)
          throw runwayConflict(['another runway was granted in the meantime'])
        await grimoire.put({ golem, key, kind: 'permission', source: 'erc7715', body: permission })
        // An earlier runway that cannot be drawn any more does not count beside the new one.
        for (const { id: permissionId, grant: old } of await stored.list(golem))
          if (earlier?.isStanding && old.context === earlier.context)
            await stored.end(permissionId, 'superseded')
        const grant = grants[position]
        if (grant) await stored.add(golem, grant)
      }
    },
  }
}

async function checkGrant(
  context: AnswerContext,
  { golem, account }: FedGolem,
  {
    asked,
    grant,
    feed,
  }: {
    readonly asked: unknown
    readonly grant: ReadGrant | undefined
    readonly feed: Delegation | undefined
  },
) {
  const { framework } = context.deployment
  if (!grant || !feed) throw otherGrant(['a grant is missing'])
  const { DelegationManager: delegationManager, caveatEnforcers } = framework
  const inspected = await inspectGrant(readRequest(asked), grant, { delegationManager, caveatEnforcers })
  const { signed, differences } = inspected
  const wider = differences.filter(({ direction }) => direction !== 'narrower')
  if (wider.length > 0)
    throw otherGrant(wider.map(({ field, asked: was, got }) => `${field}: requested ${was}, received ${got}`))
  const [delegation] = signed.links
  const { periodAmount, tokenAddress } = signed.permission.data
  if (!delegation || !tokenAddress || periodAmount == null || signed.permission.expiry === undefined)
    throw otherGrant(['the grant has no amount or no expiry'])
  if (await isDisabled(context, delegation)) throw otherGrant(['the grant is already revoked'])
  const delegate = await requireKey(context.store, golem)
  const expected = unsignedRunwayDraw({ address: account, framework }, { grant: delegation, delegate })
  if (hashDelegation(feed) !== hashDelegation(expected))
    throw otherGrant(['the draw delegation differs from the expected one'])
  await requireSigned(context, feed)
  return {
    isNarrower: differences.length > 0,
    permission: {
      permissionId: hashDelegation(delegation),
      golem,
      account,
      token: tokenAddress,
      /** Base units per day. */
      dailyCap: periodAmount,
      startsAt: signed.permission.data.startTime ?? 0,
      expiresAt: signed.permission.expiry,
      context: grant.context,
      grant: { ...delegation, caveats: [...delegation.caveats] },
      feed: { ...feed, caveats: [...feed.caveats] },
    },
  }
}

/**
 * Checks the key again inside the lock, which excludes a rotation of a suspected key: it would miss a draw
 * stored later.
 */
async function requireSameKey(
  transaction: Transaction,
  golem: FedGolem['golem'],
  delegate: Address,
): Promise<void> {
  await lockRow(transaction, golem)
  await requireKey(transaction, golem)
  const keys = await transaction.sessionKeys.list(golem)
  // An ordinary rotation redelegates the draw as long as the old key exists.
  if (keys.some(({ address, status }) => status !== 'wiped' && isAddressEqual(address, delegate))) return
  throw new BardoError('The session key changed while the owner signed.', {
    code: 'STEP_OUT_OF_ORDER',
    remedy: 'Answer the request again.',
    docsPath: 'requests.md#runway',
  })
}
