import { isDisabled, unsignedFeed } from '@bardo/chain'
import {
  BardoError,
  type Delegation,
  hashDelegation,
  inspectGrant,
  type ReadGrant,
  readGrants,
  readRequest,
} from '@bardo/core'
import { type OwnerRequest, permissionKey } from '@bardo/store'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { FedGolem, OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { requireNoRunway, runwayConflict, runwayIn } from './requireNoRunway.ts'
import { otherGrant, requireSigned } from './requireSigned.ts'
import { needsExpressWord } from './runwayGuard.ts'

type Runway = Extract<OwnerAsk, { is: 'runway' }>
type Granted = Extract<OwnerAnswer, { is: 'granted' }>

/** A runway, judged by the bytes that the wallet signed: as asked or narrower in every part, and fed into the account. */
export async function acceptRunway(
  context: AnswerContext,
  { id }: Pick<OwnerRequest, 'id'>,
  { golems, requests, needsOverride }: Runway,
  { grants: raw, feeds, override }: Granted,
): Promise<Accepted> {
  const grants = readGrants(raw)
  if (grants.length !== requests.length || feeds.length !== requests.length)
    throw otherGrant([
      `${requests.length} grants and feeds asked for`,
      `got ${grants.length} and ${feeds.length}`,
    ])
  const judged = await Promise.all(
    golems.map((golem, place) =>
      judgeGrant(context, golem, { asked: requests[place], grant: grants[place], feed: feeds[place] }),
    ),
  )
  const granted = judged.map(({ permission: { dailyCap, startsAt, expiresAt } }) => ({
    daily: dailyCap,
    seconds: expiresAt - startsAt,
  }))
  if (needsOverride && override !== true && needsExpressWord(granted))
    throw new BardoError('A runway of that size needs the owner’s express word.', {
      code: 'ACTION_NOT_ALLOWED',
      details: ['over 90 days, or over 100 USDC a day'],
      remedy: 'Answer with the override, or grant less.',
      docsPath: 'requests.md#runway',
    })
  // Of two that were asked for at once the owner may grant one.
  const before = await Promise.all(golems.map(({ golem }) => requireNoRunway(context, golem)))
  const permissions = judged.map(({ permission }) => ({ ...permission, request: id }))
  return {
    state: judged.some(({ isNarrower }) => isNarrower) ? 'adjusted' : 'approved',
    body: { permissions },
    async apply({ grimoire, permissions: kept }) {
      for (const [place, permission] of permissions.entries()) {
        const { golem } = permission
        const key = permissionKey(golem)
        if (runwayIn(await grimoire.get(golem, key)) !== before[place])
          throw runwayConflict(['another one was granted meanwhile'])
        await grimoire.put({ golem, key, kind: 'permission', source: 'erc7715', body: permission })
        const grant = grants[place]
        if (grant) await kept.add(golem, grant)
      }
    },
  }
}

async function judgeGrant(
  context: AnswerContext,
  { golem, account, key }: FedGolem,
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
    throw otherGrant(wider.map(({ field, asked: was, got }) => `${field}: asked ${was}, got ${got}`))
  const [delegation] = signed.links
  const { periodAmount, tokenAddress } = signed.permission.data
  if (!delegation || !tokenAddress || periodAmount == null || signed.permission.expiry === undefined)
    throw otherGrant(['it bounds no amount'])
  if (await isDisabled(context, delegation)) throw otherGrant(['it is revoked already'])
  const expected = unsignedFeed({ address: account, framework }, { grant: delegation, delegate: key })
  if (hashDelegation(feed) !== hashDelegation(expected)) throw otherGrant(['the feed is another delegation'])
  await requireSigned(context, feed)
  return {
    isNarrower: differences.length > 0,
    permission: {
      permissionId: hashDelegation(delegation),
      golem,
      account,
      token: tokenAddress,
      /** Base units a day. */
      dailyCap: periodAmount,
      startsAt: signed.permission.data.startTime ?? 0,
      expiresAt: signed.permission.expiry,
      context: grant.context,
      grant: { ...delegation, caveats: [...delegation.caveats] },
      feed: { ...feed, caveats: [...feed.caveats] },
    },
  }
}
