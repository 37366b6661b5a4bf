import type { Argument, Command, Option } from './command.ts'

const golem: Argument = {
  name: 'GOLEM',
  summary: 'its name or id',
  completes: 'golem',
}
const anyGolem: Argument = { ...golem, summary: 'its name or id; left out: the only one', isOptional: true }
const ownerKey: Option = {
  name: 'owner-key',
  value: 'FILE',
  summary: 'the owner’s key, off the local world; only its owner may read the file',
  completes: 'file',
}
const yes: Option = { name: 'yes', summary: 'do not ask' }

/** Every command. Nothing here loads more than its own text. */
export const catalog: readonly Command[] = [
  {
    name: 'up',
    group: 'Begin',
    summary: 'start a world of your own with a living Golem in it',
    details: [
      'Starts a local chain with the Delegation Framework and Uniswap, summons "Alpha DCA" with a real delegation, and ticks it until Ctrl-C. A second start goes on with the same lives. Meanwhile other commands talk to this one.',
    ],
    arguments: [],
    options: [
      { name: 'port', value: 'N', summary: 'of the chain; 0 takes any free one (default 8545)' },
      { name: 'fresh', summary: 'set the old world aside and begin anew' },
      { name: 'empty', summary: 'summon nobody' },
    ],
    examples: ['bardo up', 'bardo up --port 0 --home ./world'],
    stopsItself: true,
    load: async () => (await import('../commands/up.ts')).up,
  },
  {
    name: 'summon',
    group: 'Begin',
    summary: 'bring a Golem to life from a strategy',
    details: [
      'Shows what the strategy asks for, sentence by sentence, then makes a key, has the owner sign one delegation with all bounds in it, and registers the Golem. What is not given is asked for. An interrupted summoning goes on when it is called again with the same name.',
    ],
    arguments: [
      { name: 'STRATEGY', summary: 'a file such as STRATEGY.md', isOptional: true, completes: 'file' },
    ],
    options: [
      { name: 'name', value: 'NAME', summary: 'what it is called' },
      { name: 'heartbeat', value: 'FILE', summary: 'HEARTBEAT.md', completes: 'file' },
      { name: 'config', value: 'FILE', summary: 'golem.toml: custody, economy, model', completes: 'file' },
      { name: 'identity', value: 'URI', summary: 'register it in ERC-8004’s registry under this address' },
      {
        name: 'ancestor',
        value: 'GOLEM',
        summary: 'a dead Golem whose testament it inherits',
        completes: 'golem',
      },
      ownerKey,
      yes,
    ],
    examples: ['bardo summon STRATEGY.md --name beta --yes'],
    load: async () => (await import('../commands/summon.ts')).summon,
  },
  {
    name: 'compile',
    group: 'Begin',
    summary: 'show what a strategy asks for, and why',
    details: [
      'Every permission with the sentence that asked for it, and every place that is unclear. With a Golem, also what would change against what it has now.',
    ],
    arguments: [{ name: 'STRATEGY', summary: 'a file such as STRATEGY.md', completes: 'file' }],
    options: [{ name: 'golem', value: 'GOLEM', summary: 'compare with what it has now', completes: 'golem' }],
    examples: ['bardo compile STRATEGY.md', 'bardo compile STRATEGY.md --golem "Alpha DCA"'],
    load: async () => (await import('../commands/compile.ts')).compile,
  },
  {
    name: 'status',
    group: 'Look',
    summary: 'how all Golems stand, or one',
    details: [],
    arguments: [{ ...anyGolem, summary: 'its name or id; left out: all' }],
    options: [],
    examples: ['bardo status', 'bardo status "Alpha DCA"'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'watch',
    group: 'Look',
    summary: 'see them live, full-screen; feed, adjust, revoke, kill by a key',
    details: [
      'Needs a running bardo up or worker, and waits for one. Arrows or j and k choose, ? shows all keys, q or Ctrl-C leaves (exit code 0); the Golems live on. Nothing is done before a question is answered.',
      'With --plain, in a pipe, or where there is no keyboard: a line for each change instead of a screen. With --json: a line of JSON for each state and event.',
    ],
    arguments: [{ ...anyGolem, summary: 'whom to begin with; in lines: only this one' }],
    options: [ownerKey],
    examples: ['bardo watch', 'bardo watch "Alpha DCA" --plain', 'bardo watch --json'],
    stopsItself: true,
    load: async () => (await import('../commands/watch.ts')).watch,
  },
  {
    name: 'tree',
    group: 'Look',
    summary: 'what the owner signed, with what is used of it',
    details: [],
    arguments: [anyGolem],
    options: [],
    examples: ['bardo tree'],
    load: async () => (await import('../commands/tree.ts')).tree,
  },
  {
    name: 'explain',
    group: 'Look',
    summary: 'why something passed, was refused, or would be',
    details: [
      'Takes a transaction, an intent of a Golem, or a wish that was never sent: which link, which caveat, which numbers, and what would make it pass.',
    ],
    arguments: [
      { name: 'SUBJECT', summary: 'a hash, an intent id, or a wish: "swap 500 USDC to WETH"', isRest: true },
    ],
    options: [
      { name: 'golem', value: 'GOLEM', summary: 'whose; left out: the only one', completes: 'golem' },
    ],
    examples: ['bardo explain 0x…', 'bardo explain swap 500 USDC to WETH'],
    load: async () => (await import('../commands/explain.ts')).explain,
  },
  {
    name: 'requests',
    group: 'Decide',
    summary: 'what waits for the owner; answer it',
    details: [
      'Each has a sentence of what a yes allows. A yes may be to less: --amount for a runway or for money, --days for a runway.',
    ],
    arguments: [
      { name: 'REQUEST', summary: 'its id; left out: list all', isOptional: true },
      { name: 'ANSWER', summary: 'what you say', isOptional: true, choices: ['yes', 'no'] },
    ],
    options: [
      { name: 'amount', value: 'N', summary: 'no more than this: USDC a day, or money in all' },
      { name: 'days', value: 'N', summary: 'no longer than this' },
      { name: 'override', summary: 'yes to a runway of over 90 days, or over 100 USDC a day' },
      ownerKey,
    ],
    examples: [
      'bardo requests',
      'bardo requests runway:… yes',
      'bardo requests runway:… yes --amount 2 --days 7',
    ],
    load: async () => (await import('../commands/requests.ts')).requests,
  },
  {
    name: 'feed',
    group: 'Decide',
    summary: 'give a Golem a new life span',
    details: [
      'The owner signs the same bounds again from now on; the old signature is revoked. No money moves, and what was spent today stays spent.',
    ],
    arguments: [anyGolem],
    options: [ownerKey],
    examples: ['bardo feed "Alpha DCA"'],
    load: async () => (await import('../commands/feed.ts')).feed,
  },
  {
    name: 'adjust',
    group: 'Decide',
    summary: 'give a Golem another strategy',
    details: [
      'Shows what gets narrower and what wider, then has the owner sign. The old signature is revoked.',
    ],
    arguments: [golem, { name: 'STRATEGY', summary: 'a file such as STRATEGY.md', completes: 'file' }],
    options: [ownerKey, yes],
    examples: ['bardo adjust "Alpha DCA" STRATEGY.md'],
    load: async () => (await import('../commands/adjust.ts')).adjust,
  },
  {
    name: 'revoke',
    group: 'Decide',
    summary: 'end what the owner signed, by one transaction',
    details: [
      'Works without the Golem, and nothing that was delegated can undo it. The Golem dies of it.',
      'With --print nothing is sent: the transaction is written out, for the owner’s key to send from any wallet, now or when nobody here answers any more. Print it again after feeding, adjusting or rotating.',
    ],
    arguments: [golem],
    options: [{ name: 'print', summary: 'write the transaction out instead' }, ownerKey, yes],
    examples: ['bardo revoke "Alpha DCA"', 'bardo revoke "Alpha DCA" --print > brake.txt'],
    load: async () => (await import('../commands/revoke.ts')).revoke,
  },
  {
    name: 'kill',
    group: 'Decide',
    summary: 'end a Golem in good order',
    details: [
      'It closes what it opened, writes its testament, gives its authority up and returns its gas; then the owner revokes. There is no way back.',
    ],
    arguments: [golem],
    options: [ownerKey, yes],
    examples: ['bardo kill "Alpha DCA" --yes'],
    load: async () => (await import('../commands/kill.ts')).kill,
  },
  {
    name: 'replicate',
    group: 'Decide',
    summary: 'let a Golem have a child, from its own share',
    details: [],
    arguments: [golem, { name: 'NAME', summary: 'what the child is called' }],
    options: [
      { name: 'daily', value: 'USD', summary: 'its share of the day (default 2)' },
      { name: 'budget', value: 'USD', summary: 'for its whole life (default 10)' },
      { name: 'runway', value: 'USD', summary: 'what it lives on (default 5)' },
      { name: 'hours', value: 'N', summary: 'how long it lives (default 24)' },
      { name: 'calls', value: 'N', summary: 'how often it may act (default 50)' },
    ],
    examples: ['bardo replicate "Alpha DCA" gamma --daily 2 --budget 10'],
    load: async () => (await import('../commands/replicate.ts')).replicate,
  },
  {
    name: 'rotate',
    group: 'Decide',
    summary: 'give a Golem a new session key',
    details: [
      'The old key hands over to the new one. With --suspected the old key is trusted no more: its grant is revoked first, and the owner signs for the new one.',
    ],
    arguments: [anyGolem],
    options: [{ name: 'suspected', summary: 'the key may be stolen' }, ownerKey],
    examples: ['bardo rotate "Alpha DCA"'],
    load: async () => (await import('../commands/rotate.ts')).rotate,
  },
  {
    name: 'audit',
    group: 'Operate',
    summary: 'verify or export the record of all events',
    details: [
      'Note the head that verify prints somewhere else: --anchor finds any change to what was before it.',
    ],
    arguments: [{ name: 'WHAT', summary: 'what to do', choices: ['verify', 'export'] }],
    options: [
      { name: 'golem', value: 'GOLEM', summary: 'of one Golem alone', completes: 'golem' },
      { name: 'anchor', value: 'HEAD', summary: 'a head that was noted, as SEQUENCE:HASH' },
    ],
    examples: ['bardo audit verify', 'bardo audit export > events.jsonl'],
    load: async () => (await import('../commands/audit.ts')).audit,
  },
  {
    name: 'mcp',
    group: 'Operate',
    summary: 'serve a Golem’s tools to an agent over MCP',
    details: [
      'An agent’s client starts this by itself: docs/agents.md has the few lines for each. Over HTTP it prints the address and a token; BARDO_MCP_TOKEN gives one of your own.',
    ],
    arguments: [anyGolem],
    options: [
      {
        name: 'http',
        value: 'PORT',
        summary: 'over HTTP on this machine, instead of standard input and output',
      },
      { name: 'profile', value: 'NAME', summary: 'identity, golem, full or dev (default golem)' },
    ],
    examples: ['bardo mcp "Alpha DCA"', 'bardo mcp --http 0'],
    stopsItself: true,
    load: async () => (await import('../commands/mcp.ts')).mcp,
  },
  {
    name: 'worker',
    group: 'Operate',
    summary: 'tick the Golems of a folder or a database',
    details: [
      'With DATABASE_URL any number of workers share the Golems; without it the folder belongs to this one.',
    ],
    arguments: [],
    options: [{ name: 'concurrency', value: 'N', summary: 'Golems at once (default 100)' }],
    examples: ['DATABASE_URL=postgres://… bardo worker'],
    stopsItself: true,
    load: async () => (await import('../commands/worker.ts')).worker,
  },
  {
    name: 'doctor',
    group: 'Operate',
    summary: 'look for what is wrong, and say what to do',
    details: [],
    arguments: [],
    options: [],
    examples: ['bardo doctor'],
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    group: 'Operate',
    summary: 'complete commands and names in your shell',
    details: ['bash: source <(bardo completion bash). zsh: the same. fish: bardo completion fish | source.'],
    arguments: [{ name: 'SHELL', summary: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish', 'golems'] }],
    options: [],
    examples: ['source <(bardo completion bash)'],
    load: async () => (await import('../commands/completion.ts')).completion,
  },
]
