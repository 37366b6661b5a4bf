/** The files of a new Golem. */
export type Template = {
  /** What it does, in a sentence. */
  readonly summary: string
  readonly strategy: string
  readonly heartbeat: string
  /** Further tables of golem.toml. */
  readonly config: readonly string[]
}

/** The names of the templates. */
export type TemplateName = 'weekly-buyer' | 'rebalancer' | 'vault-saver' | 'observer' | 'model-driven'

/** The templates of `bardo init`. Each compiles without a question, and can be summoned on the local chain. */
export const templates: Readonly<Record<TemplateName, Template>> = {
  'weekly-buyer': {
    summary: 'buys WETH with USDC once a week, by rules',
    strategy: strategy(
      'Weekly buyer',
      ['Buy WETH with USDC, $25 every week.'],
      ['slippage: 1%', 'lifespan: 90 days'],
    ),
    heartbeat: heartbeat(['interval: 1 hour', 'fastest: 5 minutes', 'slowest: 6 hours']),
    config: [],
  },
  rebalancer: {
    summary: 'may swap in both directions; an agent decides over bardo mcp, and rules alone do nothing',
    strategy: strategy(
      'Rebalancer',
      ['Swap USDC into WETH, and WETH into USDC.', 'At most $50 per trade.'],
      ['slippage: 1%', 'budget: $100/day', 'lifespan: 30 days'],
    ),
    heartbeat: heartbeat(['interval: 10 minutes', 'fastest: 1 minute', 'slowest: 1 hour']),
    config: [],
  },
  'vault-saver': {
    summary: 'deposits USDC above a reserve in the vault, and withdraws when the reserve is short, by rules',
    strategy: strategy(
      'Vault saver',
      ['Deposit USDC in the vault, and withdraw it from the vault.', 'At most $50 per deposit.'],
      ['vault floor: 99%', 'budget: $100/day', 'lifespan: 90 days'],
    ),
    heartbeat: heartbeat(['interval: 1 hour', 'fastest: 5 minutes', 'slowest: 6 hours', 'reserve: $200']),
    config: [],
  },
  observer: {
    summary: 'watches and publishes; it can spend nothing, and only withdraw from the vault to your account',
    strategy: strategy(
      'Observer',
      ['Withdraw USDC from the vault.'],
      ['vault floor: 99%', 'lifespan: 30 days'],
    ),
    heartbeat: heartbeat(['interval: 10 minutes', 'fastest: 1 minute', 'slowest: 1 hour']),
    config: [],
  },
  'model-driven': {
    summary: 'a language model decides within the limits; while it cannot be reached, nothing is traded',
    strategy: strategy(
      'Model-driven',
      [
        'Swap USDC into WETH, and WETH into USDC.',
        'At most $20 per trade.',
        'Do not trade when arousal is above 60.',
      ],
      ['slippage: 1%', 'budget: $60/day', 'lifespan: 14 days'],
    ),
    heartbeat: heartbeat(['interval: 30 minutes', 'fastest: 10 minutes', 'slowest: 2 hours']),
    config: [
      '[model]                    # an OpenAI-compatible endpoint without a key, such as Ollama;',
      'endpoint = "http://localhost:11434/v1" # or use = "NAME", an entry of the operator’s models.toml',
      't0 = "llama3.2"            # the smallest, for routine',
      't1 = "llama3.1"',
      't2 = "llama3.3"            # the largest, when much is at stake',
    ],
  },
}

/** golem.toml of a template. */
export function configText({ config }: Template, chain: number): string {
  return [
    `chain = ${chain}`,
    'strategy = "STRATEGY.md"',
    'heartbeat = "HEARTBEAT.md"',
    '',
    '[custody]',
    'mode = "delegation"',
    ...(config.length > 0 ? ['', ...config] : []),
    '',
  ].join('\n')
}

function strategy(title: string, sentences: readonly string[], limits: readonly string[]): string {
  return [`# ${title}`, '', ...sentences, '', ...limits, ''].join('\n')
}

function heartbeat(settings: readonly string[]): string {
  return ['# Heartbeat', '', '## Schedule', '', ...settings.map((setting) => `- ${setting}`), ''].join('\n')
}
