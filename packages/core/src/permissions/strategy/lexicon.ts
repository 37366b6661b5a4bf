import type { Capability } from '../permissionPlan.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** The words of a text, to look one up: faster than a regular expression for every word of a strategy. */
export { words as wordSet }

/**
 * Words that negate what follows, and sometimes what precedes. Contractions in n't are recognised by their
 * form.
 */
export const negators =
  words(`never no not dont doesnt wont cant cannot mustnt shouldnt wouldnt isnt arent didnt couldnt
  avoid avoids avoiding without refuse refuses refusing forbid forbids forbidden prohibit prohibits prohibited disallow
  disallowed ban bans banned exclude excludes excluded excluding neither nor none nothing nobody nowhere stop stops
  stopping cease halt refrain refrains abstain skip skips skipping decline declines disable disabled reject rejects
  rejected instead rather off-limits illegal hardly rarely barely seldom against oppose opposed block blocks blocked deny
  denied prevent prevents prevented lest away clear unauthorized unauthorised disapprove non out-of-scope
  except excepting excepted forgo ignore ignores quit drop dropped ditch nope negative zero`)

/** Negations of other languages that may appear in a sentence. */
export const foreignWords =
  words(`nicht nie niemals kein keine keinen und oder mit nunca jamás jamas ningún ningun el los
  las para cada ne jamais pas aucun aucune et les avec chaque sans mai non ogni senza não nao sem uma niet
  nooit geen een het asla hiç değil nigdy nie jest oraz ingen inte aldrig och ikke aldri og nikdy nebo sau niciodată nu
  jangan tidak dan không đừng huwag ei koskaan`)

/** A sentence starts again after one of these. */
export const contrasts = words('but however whereas ;')

/** Words and marks that separate clauses. */
export const clauseMarks = words(', | : – — ( )')

/** A conditional prohibition forbids less than the whole. */
export const conditions = words(
  'when whenever if while during before after above below exceed exceeds exceeding outside than once beyond',
)

/** These leave open what is allowed, so a prohibition with one of them applies as a whole. */
export const exceptions = words('unless until except excepting')

/** Words for an intention that is not decided. */
export const hedges =
  words(`maybe perhaps possibly might could consider considering considers someday eventually probably
  later optionally potentially hypothetically ideally hopefully tbd would wish considered`)

/** Headings under which nothing is requested. */
export const asideHeadings =
  words(`future later idea ideas roadmap maybe example examples background glossary faq
  question questions history appendix references alternatives considered`)

/** After one of these, "swap" is a noun and not an instruction. */
export const determiners =
  words(`a an the each every all any per this that these those single one of our my its their no
  last next first second past previous total many most some`)

export const comparatives = words(
  'more less fewer later longer larger bigger greater higher lower worse earlier',
)

/** Acronyms in capitals that are not tokens. */
export const acronyms =
  words(`dca lp lps nav tvl usd apr apy utc gmt eth2 v2 v3 v4 ai llm api rpc evm erc erc20 nft dex cex
  amm twap vwap rsi macd pnl roi faq tbd id ok ema sma atr ath atl mev gas eoa fifo usa eu uk json md todo nb ps never
  not no do dont must only always may and or to into for with from the if stop swap sell buy trade hodl bridge avoid
  budget strategy goal risk rules golem none under any it is be at on of in by my our we you i a an all`)

const swapVerbs =
  words(`swap swaps swapping trade trades trading dca dcas dcaing buy buys buying sell sells selling exchange
  exchanges exchanging convert converts converting rebalance rebalances rebalancing accumulate accumulates accumulating`)

/** A verb and its object: both must be in one part of a sentence. */
export type Pattern = {
  readonly capability: Capability
  /** `close` requests the exit only. */
  readonly reach: 'full' | 'close'
  readonly verbs: ReadonlySet<string>
  /** Without objects, the verb alone is enough. */
  readonly objects: ReadonlySet<string> | undefined
}

const liquidity = words('liquidity lp lps pool pools position positions')
const vaults = words('vault vaults erc-4626 erc4626 4626')
const replicants = words('replicant replicants sub-agent sub-agents subagent subagents')
/** Words for a Golem's Replicants. */
export const childWords: ReadonlySet<string> = new Set([...replicants, 'child', 'children'])
const orders = words('limit-order limit-orders uniswapx')

/** How each capability is requested. */
export const patterns: readonly Pattern[] = [
  { capability: 'Swap', reach: 'full', verbs: swapVerbs, objects: undefined },
  {
    capability: 'ProvideLiquidity',
    reach: 'full',
    verbs: words(
      'provide provides providing add adds adding supply supplies supplying deploy deploys mint mints minting',
    ),
    objects: liquidity,
  },
  { capability: 'ProvideLiquidity', reach: 'full', verbs: words('lping lp-ing'), objects: undefined },
  {
    capability: 'ProvideLiquidity',
    reach: 'close',
    verbs: words(
      'remove removes removing close closes closing decrease decreases collect collects collecting',
    ),
    objects: words('liquidity lp lps position positions'),
  },
  {
    capability: 'VaultManagement',
    reach: 'full',
    verbs:
      words(`deposit deposits depositing allocate allocates allocating park parks parking put puts putting supply
      supplies supplying invest invests investing manage manages managing stake stakes staking`),
    objects: vaults,
  },
  {
    capability: 'VaultManagement',
    reach: 'close',
    verbs: words('withdraw withdraws withdrawing redeem redeems redeeming'),
    objects: vaults,
  },
  {
    capability: 'Bridge',
    reach: 'full',
    verbs: words('bridge bridges bridging cross-chain crosschain'),
    objects: undefined,
  },
  {
    capability: 'SpawnReplicants',
    reach: 'full',
    verbs: words(
      'spawn spawns spawning create creates creating launch launches launching start starts use uses using',
    ),
    objects: replicants,
  },
  {
    capability: 'LimitOrders',
    reach: 'full',
    verbs: words(
      'place places placing use uses using set sets setting post posts posting submit submits submitting',
    ),
    objects: orders,
  },
]

/** For each word: the patterns in which it is a verb, and those in which it is an object, as bits. */
export const [verbBits, objectBits] = [
  bitsBy(({ verbs }) => verbs),
  bitsBy(({ objects }) => objects ?? new Set()),
] as const

/** Bits of the patterns for the Golem's own work: swaps, liquidity, vaults. */
export const ownWork = patterns.reduce(
  (bits, { capability }, place) =>
    /^(Swap|ProvideLiquidity|VaultManagement)$/.test(capability) ? bits | (1 << place) : bits,
  0,
)

function bitsBy(wordsOf: (pattern: Pattern) => ReadonlySet<string>): ReadonlyMap<string, number> {
  const bits = new Map<string, number>()
  for (const [place, pattern] of patterns.entries()) {
    for (const word of wordsOf(pattern)) bits.set(word, (bits.get(word) ?? 0) | (1 << place))
  }
  return bits
}

/** Words that can state a term outside a line such as `budget: $50/day`. */
export const termWords = words('budget slippage lifespan for after within')

/** Every word that, if negated, forbids its capability. */
export const deniedBy: ReadonlyMap<string, readonly Capability[]> = collect([
  ['Swap', [...swapVerbs, 'swapped', 'traded', 'bought', 'sold']],
  ['ProvideLiquidity', [...liquidity, 'lping', 'lp-ing', 'lp’ing']],
  [
    'VaultManagement',
    [...vaults, 'deposit', 'deposits', 'depositing', 'deposited', 'stake', 'staking', 'lend'],
  ],
  ['Bridge', ['bridge', 'bridges', 'bridging', 'bridged', 'cross-chain', 'crosschain']],
  ['SpawnReplicants', [...replicants, 'spawn', 'spawns', 'spawning']],
  ['LimitOrders', [...orders]],
])

/** Verbs that request something without an object: which vault, which market? */
export const vagueAsks: ReadonlyMap<string, string> = new Map([
  ['yield', 'Yield from where? Name the vault, for example "deposit USDC into the vault".'],
  ['deposit', 'Deposit into what? Name the vault, for example "deposit USDC into the vault".'],
  ['deposits', 'Deposit into what? Name the vault, for example "deposit USDC into the vault".'],
  ['stake', 'Stake where? Name the vault, for example "deposit USDC into the vault".'],
  ['lend', 'Lend where? Bardo supports vaults only, for example "deposit USDC into the vault".'],
  ['invest', 'Invest how? Write "swap", "provide liquidity" or "deposit into the vault".'],
  ['farm', 'Farm what? Write "provide liquidity to USDC/WETH" or "deposit USDC into the vault".'],
  ['hedge', 'Hedge how? Bardo grants spot swaps only, for example "swap WETH to USDC".'],
])

/** Verbs that send money to others. */
export const sendVerbs = words(
  'send sends sending transfer transfers transferring pay pays paying wire wires donate donates remit tip tips',
)

function collect(entries: readonly (readonly [Capability, readonly string[]])[]) {
  const byWord = new Map<string, Capability[]>()
  for (const [capability, list] of entries) {
    for (const word of list) byWord.set(word, [...(byWord.get(word) ?? []), capability])
  }
  return byWord
}
