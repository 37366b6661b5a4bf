import { readState } from '@bardo/chain'
import {
  type Asset,
  balanceRead,
  hashDelegation,
  isRoot,
  leastOf,
  type Phase,
  priceOf,
  priceReads,
  type Read,
  readSignedGrant,
  wordsIn,
} from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hash,
  type Hex,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from 'viem'
import { readRunway } from '../funding/readRunway.ts'
import { identityJson } from '../identity/identityJson.ts'
import { readIdentity } from '../identity/readIdentity.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { accountCall } from '../positions/closingCall.ts'
import { heldPositions } from '../positions/heldPositions.ts'
import { openedPositions } from '../positions/openedPositions.ts'
import { positionJson } from '../positions/positionJson.ts'
import { knownGrants } from '../requests/knownGrants.ts'
import { centsOf, microsOf } from '../snapshot/prices.ts'
import { type Death, deathPhaseOf } from '../state/death.ts'
import { readStoredDeath, readStoredState } from '../state/storedState.ts'
import type { BardoManifest } from './bardoManifest.ts'

type Parts = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'> &
  Partial<Pick<GolemParts, 'settings'>>

const managerAbi = parseAbi(['function disabledDelegations(bytes32) view returns (bool)'])

/**
 * Where everything is that a Golem is responsible for, now: tokens, positions and the transactions that close them, what
 * was closed, what is left to revoke, runways, gas and identity. Reads the store and the chain, for a living, a dying
 * and a dead Golem.
 *
 * @example
 * const { positions, deferred } = await readManifest(parts, (await golem.status()).permission)
 */
export async function readManifest(parts: Parts, permission: SignedPermission): Promise<BardoManifest> {
  const { id, store, client, deployment, book } = parts
  const { terms, plan } = permission
  // The permission was loaded before its death began.
  const golem = (await store.golems.find(id)) ?? permission.golem
  const { account } = terms.mandate
  const opened = await openedPositions(parts, permission)
  const [held, life, grants, keys, runway, card, granted] = await Promise.all([
    heldPositions(
      parts,
      permission,
      opened.flatMap((one) => (one.type === 'liquidity' ? [one] : [])),
    ),
    store.golemStates.find(id),
    knownGrants(store, id),
    store.sessionKeys.list(id),
    readRunway(parts, permission),
    readIdentity({ store, client, deployment }, golem, account),
    store.permissions.list(id),
  ])
  const expiries = new Map(granted.map(({ grant }) => expiryOf(grant.context)))
  const death = readStoredDeath(life?.death)
  const assets = namedAssets(book.assets, permission.book.assets)
  const roots = [
    ...new Map(
      grants
        .filter(({ of, delegation }) => of !== 'feed' && isRoot(delegation))
        .map((grant) => [hashDelegation(grant.delegation), grant]),
    ),
  ].map(([hash, grant]) => ({ hash, ...grant, read: disabledRead(hash) }))
  const state = await readState(client, deployment, [
    ...assets.flatMap(({ asset }) => [balanceRead(asset.token, account), decimalsRead(asset.token)]),
    ...priceReads(assets.map(({ asset }) => asset)),
    ...roots.map(({ read }) => read),
    ...keys.map(({ address }) => balanceRead(zeroAddress, address)),
  ])
  const word = (read: Read) => wordsIn(state, read, 1)?.[0]
  const open = roots.filter(({ read }) => word(read) === 0n)
  const isOver = golem.status === 'dead'
  return {
    type: 'BardoManifest',
    version: 1,
    golem: id,
    name: golem.name,
    owner: golem.owner,
    account: getAddress(account),
    chainId: deployment.chainId,
    custody: golem.custody ?? 'delegation',
    status: golem.status,
    phase: death ? phaseOfDeath(death) : life ? readStoredState(life.state).phase : golem.phase,
    block: `${state.blockNumber}`,
    at: Number(state.timestamp),
    settlementAsset: plan.settlement ?? null,
    tokens: assets.flatMap(({ symbol, asset }) => {
      const amount = word(balanceRead(asset.token, account)) ?? 0n
      if (amount === 0n) return []
      const decimals = asset.token === zeroAddress ? 18 : Number(word(decimalsRead(asset.token)) ?? 0n)
      const price = priceOf(state, asset)
      return [
        {
          symbol,
          token: getAddress(asset.token),
          amount: `${amount}`,
          decimals,
          priceMicros: price === undefined ? null : `${microsOf(10n ** BigInt(decimals), price, asset)}`,
          cents: price === undefined ? null : `${centsOf(amount, price, asset)}`,
        },
      ]
    }),
    positions: held.map((position) => ({
      ...positionJson(position, isOver),
      openedBy: opened.some((one) => one.id === position.id) ? ('golem' as const) : ('other' as const),
    })),
    closed: (death?.unwound.settled ?? []).map(({ id: position, recoveredCents, transaction }) => ({
      id: position,
      cents: `${recoveredCents}`,
      transaction,
    })),
    deferred: (death?.unwound.deferred ?? []).map(({ id: position, reason }) => {
      const left = held.find((one) => one.id === position)
      const own = opened.find((one) => one.id === position)
      const rest =
        left?.type === 'vault' && own?.type === 'vault'
          ? { ...left, shares: leastOf(left.shares, own.shares) }
          : left
      return { id: position, reason, call: rest ? accountCall(rest, account) : null }
    }),
    delegations: open.flatMap(({ hash, of, delegation: { delegator, delegate } }) =>
      of === 'golem' || of === 'sessionKey'
        ? [{ hash, of, delegator: getAddress(delegator), delegate: getAddress(delegate) }]
        : [],
    ),
    runways: open.flatMap(({ hash, of, delegation: { delegator, delegate } }) =>
      of === 'runway'
        ? [
            {
              hash,
              from: getAddress(delegator),
              to: getAddress(delegate),
              expiresAt: expiries.get(hash) ?? null,
            },
          ]
        : [],
    ),
    runwayCents: runway === undefined ? null : `${runway}`,
    gas: keys.flatMap(({ address, status }) => {
      const wei = word(balanceRead(zeroAddress, address)) ?? 0n
      return status === 'active' || wei > 0n ? [{ address, wei: `${wei}` }] : []
    }),
    identity: identityJson(card),
    death: death
      ? {
          because: death.trigger,
          begunAt: death.begunAt,
          slippageCents: `${death.unwound.slippageCostCents}`,
          impossible: death.impossible.map(({ step, because }) => ({ step, because })),
        }
      : null,
  }

  /** The hash of a runway's delegation, and when it ends by its signed bytes. */
  function expiryOf(context: Hex): readonly [Hash | undefined, number | undefined] {
    const { links, permission: signed } = readSignedGrant(context, deployment.framework.caveatEnforcers)
    const [first] = links
    const { expiry } = signed
    return [first && hashDelegation(first), expiry === undefined ? undefined : Number(expiry)]
  }

  function disabledRead(hash: Hex): Read {
    return {
      to: deployment.framework.DelegationManager,
      data: encodeFunctionData({ abi: managerAbi, functionName: 'disabledDelegations', args: [hash] }),
    }
  }
}

/** What a dying Golem posts: Declining until everything is settled. */
function phaseOfDeath(death: Death): Phase {
  const phase = deathPhaseOf(death)
  return phase === 'acceptance' || phase === 'settlement' ? 'declining' : 'terminal'
}

/** The tokens of the operator's address book and of the signed terms, each once. */
function namedAssets(
  ...books: readonly ReadonlyMap<string, Asset>[]
): readonly { readonly symbol: string; readonly asset: Asset }[] {
  const all: { symbol: string; asset: Asset }[] = []
  for (const [symbol, asset] of books.flatMap((book) => [...book]))
    if (!all.some((one) => isAddressEqual(one.asset.token, asset.token))) all.push({ symbol, asset })
  return all
}

function decimalsRead(to: Address): Read {
  return { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) }
}
