import type { Capability, Evidence, PlanPair } from '../permissionPlan.ts'
import { stablecoins } from './assets.ts'
import type { Declarations } from './readDeclarations.ts'
import type { Ambiguity, Ask, Denial, Unclear } from './readSentence.ts'

/** A granted request with all open fields filled in. */
export type Grant = {
  readonly capability: Capability
  readonly reach: Ask['reach']
  readonly pairs: readonly PlanPair[]
  readonly pools: readonly (readonly [string, string])[]
  readonly vaults: readonly string[]
  readonly cents: bigint | undefined
  readonly cadence: number | undefined
  readonly calls: number | undefined
  readonly from: Evidence
}

/** The requests that remain after the prohibitions are applied. */
export type Settled = { readonly grants: readonly Grant[]; readonly settlement: string | undefined }

/** Completes requests from the text's declarations, and removes what the text forbids. */
export function settleAsks(
  asks: readonly Ask[],
  denials: readonly Denial[],
  declared: Declarations,
  supported: ReadonlySet<Capability>,
  ambiguities: Ambiguity[],
): Settled {
  const banned = collectBans(denials)
  const quote = declared.settlement ?? declared.assets.find((symbol) => stablecoins.has(symbol))
  const listed = new Set(declared.assets)
  const grants: Grant[] = []
  for (const ask of asks) {
    const { capability, from } = ask
    const unclear: Unclear = (question, outcome) => ambiguities.push({ ...from, question, outcome })
    if (!supported.has(capability)) continue
    const wholly = banned.capabilities.get(capability)
    if (wholly) {
      unclear(
        `Line ${wholly.line} forbids this: "${shorten(wholly.sentence)}". Which one applies? It was not granted.`,
        'notGranted',
      )
      continue
    }
    const allowed = (symbol: string) => {
      if (listed.size > 0 && !listed.has(symbol))
        unclear(`${symbol} is not one of the declared assets. Add it there if it is intended.`, 'notGranted')
      return !banned.assets.has(symbol) && (listed.size === 0 || listed.has(symbol))
    }
    const { reach, cents, cadence, calls } = ask
    const base = { capability, reach, cents, cadence, calls, from }
    const empty = { pairs: [], pools: [], vaults: [] }
    if (capability === 'SpawnReplicants') grants.push({ ...base, ...empty })
    else if (capability === 'Swap') {
      const asked = swapPairs(ask, declared.assets, quote, unclear)
      const pairs = asked.filter(
        ({ from, to }) =>
          allowed(from) &&
          allowed(to) &&
          !banned.pairs.has(`${from} ${to}`) &&
          !banned.sells.has(from) &&
          !banned.buys.has(to),
      )
      if (pairs.length < asked.length)
        unclear('The text forbids some of these swaps elsewhere. Those were not granted.', 'notGranted')
      if (pairs.length > 0) grants.push({ ...base, ...empty, pairs })
    } else if (capability === 'ProvideLiquidity') {
      // "Close the position when …": the request that opens it includes the authority to close it.
      const isOfOther =
        reach === 'close' &&
        ask.symbols.length === 0 &&
        asks.some((one) => one.capability === capability && one.reach === 'full' && one.symbols.length > 0)
      if (isOfOther) continue
      const pools = poolsOf(ask, declared.assets, unclear).filter(
        ([a, b]) => allowed(a) && allowed(b) && !banned.pools.has(a) && !banned.pools.has(b),
      )
      if (pools.length > 0) grants.push({ ...base, ...empty, pools })
    } else {
      const named = [...new Set(ask.symbols)]
      const chosen =
        named.length > 0 ? named : declared.assets.length === 1 ? declared.assets : quote ? [quote] : []
      if (chosen.length === 0)
        unclear('A vault for which asset? Write, for example, "deposit USDC into the vault".', 'notGranted')
      const vaults = chosen.filter((symbol) => allowed(symbol) && !banned.vaults.has(symbol))
      if (vaults.length > 0) grants.push({ ...base, ...empty, vaults })
    }
  }
  // A pair into USDC closes positions, so it stays allowed in the late phases; other assets only if declared.
  const used = grants.some(({ pairs }) => pairs.some(({ from, to }) => from === 'USDC' || to === 'USDC'))
  return { grants, settlement: declared.settlement ?? (used ? 'USDC' : undefined) }
}

function collectBans(denials: readonly Denial[]) {
  const capabilities = new Map<Capability, Evidence>()
  const [assets, pairs, buys, sells, pools, vaults] = [1, 2, 3, 4, 5, 6].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  for (const denial of denials) {
    const { capability, symbols } = denial
    if (capability === undefined) for (const symbol of symbols) assets.add(symbol)
    else if (symbols.length === 0) capabilities.set(capability, denial.from)
    else if (capability === 'ProvideLiquidity') for (const symbol of symbols) pools.add(symbol)
    else if (capability === 'VaultManagement') for (const symbol of symbols) vaults.add(symbol)
    else if (capability === 'Swap') {
      for (const { from, to } of denial.pairs) pairs.add(`${from} ${to}`)
      for (const symbol of denial.buys) buys.add(symbol)
      for (const symbol of denial.sells) sells.add(symbol)
      // No direction is stated, so neither is granted.
      if (denial.pairs.length + denial.buys.length + denial.sells.length === 0) {
        for (const symbol of symbols) assets.add(symbol)
      }
    } else capabilities.set(capability, denial.from)
  }
  return { capabilities, assets, pairs, buys, sells, pools, vaults }
}

function swapPairs(
  { swap }: Ask,
  declared: readonly string[],
  quote: string | undefined,
  unclear: Unclear,
): PlanPair[] {
  if (swap.unclear) unclear(swap.unclear, 'notGranted')
  const pairs = [...swap.pairs]
  const open = [...swap.buys, ...swap.sells]
  if (open.length > 0 && quote === undefined) {
    unclear(
      `Against which asset? Write, for example, "swap USDC to ${open[0]}", or declare "settlement: USDC".`,
      'notGranted',
    )
  } else if (quote !== undefined) {
    for (const to of swap.buys) if (to !== quote) pairs.push({ from: quote, to })
    for (const from of swap.sells) if (from !== quote) pairs.push({ from, to: quote })
  }
  if (swap.named.length === 0) {
    if (declared.length < 2)
      unclear('Swap which assets? Write, for example, "swap USDC to WETH".', 'notGranted')
    else for (const from of declared) for (const to of declared) if (from !== to) pairs.push({ from, to })
  }
  return pairs
}

function poolsOf(
  { symbols, reach }: Ask,
  declared: readonly string[],
  unclear: Unclear,
): (readonly [string, string])[] {
  const named = [...new Set(symbols)]
  const both = named.length > 0 ? named : declared
  const [a, b] = both
  if (both.length !== 2 || a === undefined || b === undefined) {
    unclear(
      `${reach === 'full' ? 'Provide liquidity to' : 'Close a position in'} which pool? Name its two assets in a separate sentence, for example "USDC/WETH".`,
      'notGranted',
    )
    return []
  }
  return [a < b ? [a, b] : [b, a]]
}

function shorten(sentence: string): string {
  return sentence.length > 80 ? `${sentence.slice(0, 77)}…` : sentence
}
