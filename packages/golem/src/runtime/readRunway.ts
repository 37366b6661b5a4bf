import { caveatRegistry, readState } from '@bardo/chain'
import {
  type Asset,
  hashDelegation,
  leastOf,
  type Read,
  readCaveats,
  readSignedGrant,
  usageOf,
  wordsIn,
} from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, parseAbi } from 'viem'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { centsOf, priceOf } from './prices.ts'

const managerAbi = parseAbi(['function disabledDelegations(bytes32) view returns (bool)'])

/**
 * What a Golem's ERC-7715 grants, to its keys or to the account it works for, and the dollars that its key was fed still give, in cents, as the chain has it: the rest
 * of today's cap and the whole caps up to the end, but no more than the granter owns. Undefined for one without a grant.
 * Only the signed bytes count, not what the wallet said of them.
 */
export async function readRunway(
  {
    id,
    store,
    client,
    deployment,
    book,
  }: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>,
  { links: [leaf], terms }: Charter,
): Promise<bigint | undefined> {
  const manager = deployment.framework.DelegationManager
  const usdc = book.assets.get('USDC')
  const active = (await store.permissions.list(id)).filter(({ state }) => state === 'active')
  const grants = usdc ? active.flatMap(({ grant }) => periodOf(grant.context, usdc)) : []
  if (!usdc || grants.length === 0) return undefined
  // What was granted to an earlier key of its is the owner's word still: a Golem does not starve of having another key.
  const keys = (await store.sessionKeys.list(id)).map(({ address }) => address)
  const isOwn = (redeemer: Address) =>
    [leaf.delegate, terms.mandate.account, ...keys].some((one) => isAddressEqual(one, redeemer))
  const fed = balanceRead(leaf.delegate, usdc)
  const state = await readState(client, deployment, [
    fed,
    ...grants.flatMap(({ usage, held, disabled }) => [...usage, held, disabled]),
  ])
  const word = (read: Read) => wordsIn(state, read, 1)?.[0] ?? 0n
  const rests = grants.map(({ caveat, held, disabled, expiry, duration, redeemer }) => {
    const [used] = usageOf(caveat, state)
    const seconds = expiry - state.timestamp
    if (word(disabled) !== 0n || !used || seconds <= 0n || !isOwn(redeemer)) return 0n
    // A period that would begin with the end is none.
    return leastOf(used.limit - used.spent + ((seconds - 1n) / duration) * used.limit, word(held))
  })
  const amount = rests.reduce((sum, rest) => sum + rest, word(fed))
  return centsOf(amount, priceOf(state, usdc) ?? 0n, usdc)

  /** A grant of dollars by the period; nothing else is something to live on. */
  function periodOf(context: Hex, asset: Asset) {
    const { links, permission } = readSignedGrant(context, deployment.framework.caveatEnforcers)
    const { data, expiry, type } = permission
    const [delegation, ...above] = links
    const isDollars = data.tokenAddress && isAddressEqual(data.tokenAddress, asset.token)
    if (type !== 'erc20-token-periodic' || !isDollars || !delegation || above.length > 0) return []
    const { periodDuration } = data
    if (expiry === undefined || !periodDuration || periodDuration <= 0) return []
    const hash = hashDelegation(delegation)
    const caveats = readCaveats({ hash, delegation }, caveatRegistry(deployment), manager)
    const caveat = caveats.find((candidate) => candidate?.kind.name === 'ERC20PeriodTransfer')
    if (!caveat) return []
    const args = [hash] as const
    return [
      {
        caveat,
        usage: caveat.kind.usageReads?.(caveat.terms, caveat.row) ?? [],
        held: balanceRead(delegation.delegator, asset),
        disabled: {
          to: manager,
          data: encodeFunctionData({ abi: managerAbi, functionName: 'disabledDelegations', args }),
        },
        expiry: BigInt(expiry),
        duration: BigInt(periodDuration),
        redeemer: delegation.delegate,
      },
    ]
  }
}

function balanceRead(account: Address, { token }: Asset): Read {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
  }
}
