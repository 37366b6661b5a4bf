import { readState } from '@bardo/chain'
import {
  type Asset,
  caveatRegistry,
  economyOf,
  hashDelegation,
  leastOf,
  priceOf,
  type Read,
  readCaveats,
  readSignedGrant,
  usageOf,
  wordsIn,
} from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, parseAbi } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsOf } from '../snapshot/prices.ts'
import { type Income, leftOfIncome } from './economyAt.ts'
import { type Draw, landedDraws } from './runwayDraws.ts'

const noCosts = { inference: 0n, gas: 0n, compute: 0n, data: 0n }
const managerAbi = parseAbi(['function disabledDelegations(bytes32) view returns (bool)'])

/**
 * The rest of a Golem's ERC-7715 grants in cents, according to the chain: the rest of today's cap plus the
 * whole caps up to
 * the end, but no more than the granter owns. USDC at the key counts too, and so do amounts drawn into the
 * account, minus
 * the daily costs since. Undefined without a grant. Only the signed bytes count, not what the wallet
 * reported.
 */
export async function readRunway(
  {
    id,
    store,
    client,
    deployment,
    book,
    settings,
  }: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'> &
    Partial<Pick<GolemParts, 'settings'>>,
  { links: [leaf], terms }: SignedPermission,
): Promise<bigint | undefined> {
  const manager = deployment.framework.DelegationManager
  const usdc = book.assets.get('USDC')
  const active = (await store.permissions.list(id)).filter(({ state }) => state === 'active')
  const grants = usdc ? active.flatMap(({ grant }) => periodOf(grant.context, usdc)) : []
  const landed = await landedDraws(store, id)
  if (!usdc || (grants.length === 0 && landed.length === 0)) return undefined
  // A grant to an earlier key is still valid for this Golem: a rotation does not end it.
  const keys = (await store.sessionKeys.list(id)).map(({ address }) => address)
  const isOwn = (redeemer: Address) =>
    [leaf.delegate, terms.mandate.account, ...keys].some((one) => isAddressEqual(one, redeemer))
  const keyBalance = balanceRead(leaf.delegate, usdc)
  const state = await readState(client, deployment, [
    keyBalance,
    ...grants.flatMap(({ usage, held, disabled }) => [...usage, held, disabled]),
  ])
  const word = (read: Read) => wordsIn(state, read, 1)?.[0] ?? 0n
  const rests = grants.map(({ caveat, held, disabled, expiry, duration, redeemer }) => {
    const [used] = usageOf(caveat, state)
    const seconds = expiry - state.timestamp
    if (word(disabled) !== 0n || !used || seconds <= 0n || !isOwn(redeemer)) return 0n
    // A period that would begin at the end does not count.
    return leastOf(used.limit - used.spent + ((seconds - 1n) / duration) * used.limit, word(held))
  })
  const amount = rests.reduce((sum, rest) => sum + rest, word(keyBalance))
  const price = priceOf(state, usdc) ?? 0n
  const now = Number(state.timestamp)
  const costs = settings
    ? economyOf(await store.ledger.state(id), settings.economy.dayPrices, now).costs
    : noCosts
  return centsOf(amount, price, usdc) + leftOfIncome(incomes(price, usdc), costs, state.timestamp)

  /**
   * Today's draws are read from the chain, whether or not the journal has them; earlier ones come from the
   * journal.
   */
  function incomes(price: bigint, asset: Asset): readonly Income[] {
    const today = grants.flatMap(({ caveat, start, duration, hash, redeemer }) => {
      if (!isAddressEqual(redeemer, terms.mandate.account)) return []
      const day = Number((state.timestamp - start) / duration)
      const isToday = (draw: Draw) => draw.permissionId === hash && draw.day === day
      const at = landed.findLast(isToday)?.at ?? Number(state.timestamp)
      return [{ isToday, at, amount: usageOf(caveat, state)[0]?.spent ?? 0n }]
    })
    const before = landed.filter((draw) => !today.some(({ isToday }) => isToday(draw)))
    return [...before, ...today].map((one) => ({
      cents: centsOf(one.amount, price, asset),
      at: BigInt(one.at),
    }))
  }

  /** A periodic USDC grant; other grants do not count as funds. */
  function periodOf(context: Hex, asset: Asset) {
    const { links, permission } = readSignedGrant(context, deployment.framework.caveatEnforcers)
    const { data, expiry, type } = permission
    const [delegation, ...above] = links
    const isDollars = data.tokenAddress && isAddressEqual(data.tokenAddress, asset.token)
    if (type !== 'erc20-token-periodic' || !isDollars || !delegation || above.length > 0) return []
    const { periodDuration, startTime } = data
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
        start: BigInt(startTime ?? 0),
        hash,
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
