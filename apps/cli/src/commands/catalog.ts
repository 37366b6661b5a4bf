import type { Argument, Command, Option } from '../terminal/command.ts'

const golem: Argument = {
  name: 'GOLEM',
  summary: 'name or id of the Golem',
  completes: 'golem',
}
const anyGolem: Argument = {
  ...golem,
  summary: 'name or id; optional if there is only one Golem',
  isOptional: true,
}
const ownerKey: Option = {
  name: 'owner-key',
  value: 'FILE',
  summary: 'the owner’s private key (mode 600); needed on a real network',
  completes: 'file',
}
const owner: Option = {
  name: 'owner',
  value: 'ADDRESS',
  summary: 'with --print: the owner’s address, if its key is not on this machine',
}
const print: Option = { name: 'print', summary: 'print what to sign or send as JSON; do nothing' }
const signed: Option = {
  name: 'signed',
  value: 'FILE',
  summary: 'continue with the answers to a printed operation',
  completes: 'file',
}
const yes: Option = { name: 'yes', summary: 'do not ask for confirmation' }

/** Every command. A command’s code is imported only when it runs, so that help stays fast. */
export const catalog: readonly Command[] = [
  {
    name: 'up',
    group: 'Start',
    summary: 'start a local chain with a Golem that trades on it',
    details: [
      'Starts a local chain with the Delegation Framework and Uniswap, summons "Alpha DCA" with a real delegation, and ticks it until Ctrl-C. The next start continues with the same chain and the same Golems. While it runs, other commands connect to this process.',
    ],
    arguments: [],
    options: [
      { name: 'port', value: 'N', summary: 'JSON-RPC port of the chain; 0 picks a free one (default 8545)' },
      { name: 'fresh', summary: 'archive the existing chain and Golems, and start with new ones' },
      { name: 'empty', summary: 'do not summon "Alpha DCA"' },
    ],
    examples: ['bardo up', 'bardo up --port 0 --home ./world'],
    stopsItself: true,
    load: async () => (await import('./up.ts')).up,
  },
  {
    name: 'summon',
    group: 'Start',
    summary: 'create a Golem from a strategy',
    details: [
      'Shows what the strategy asks for, sentence by sentence. Then it creates a session key, asks the owner to sign one delegation that holds all limits, and registers the Golem. In a terminal, it prompts for missing arguments. To continue an interrupted run, call it again with the same name.',
    ],
    arguments: [
      { name: 'STRATEGY', summary: 'a file such as STRATEGY.md', isOptional: true, completes: 'file' },
    ],
    options: [
      { name: 'name', value: 'NAME', summary: 'name of the Golem' },
      { name: 'heartbeat', value: 'FILE', summary: 'HEARTBEAT.md', completes: 'file' },
      { name: 'config', value: 'FILE', summary: 'golem.toml: custody, economy, model', completes: 'file' },
      {
        name: 'identity',
        value: 'URI',
        summary: 'register it in the ERC-8004 identity registry with this URI',
      },
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
    load: async () => (await import('./summon.ts')).summon,
  },
  {
    name: 'compile',
    group: 'Start',
    summary: 'show what permissions a strategy asks for, and why',
    details: [
      'Lists every permission with the sentence that asks for it, and every sentence that is unclear. With --golem, it also shows what would change for that Golem.',
      'If a Bardo process is running, it also names tokens and contracts that the chain’s address book does not list. Such a strategy cannot be signed (exit code 1).',
      'Ends with three sums: the most that leaves in the next 24 hours, the most until the end, and what a thief of the key can take in 24 hours. With --json they are in exposure. summon and adjust show the same before they ask.',
    ],
    arguments: [{ name: 'STRATEGY', summary: 'a file such as STRATEGY.md', completes: 'file' }],
    options: [
      {
        name: 'golem',
        value: 'GOLEM',
        summary: 'compare with the current permissions of this Golem',
        completes: 'golem',
      },
    ],
    examples: ['bardo compile STRATEGY.md', 'bardo compile STRATEGY.md --golem "Alpha DCA"'],
    load: async () => (await import('./compile.ts')).compile,
  },
  {
    name: 'status',
    group: 'Inspect',
    summary: 'show the state of all Golems, or of one',
    details: [],
    arguments: [{ ...anyGolem, summary: 'name or id; default: all Golems' }],
    options: [],
    examples: ['bardo status', 'bardo status "Alpha DCA"'],
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'watch',
    group: 'Inspect',
    summary: 'show all Golems live, full-screen, with keys to control them',
    details: [
      'Connects to a running bardo up or bardo worker, and waits until there is one. Arrow keys or j and k select a Golem, f feeds, a adjusts, r revokes, K kills, ? shows all keys. Every action asks for confirmation first. q or Ctrl-C quits (exit code 0); the Golems keep running.',
      'With --plain, in a pipe, or without a keyboard, it prints one line per change. With --json, it prints one JSON object per line for each state and event.',
    ],
    arguments: [{ ...anyGolem, summary: 'the Golem to select first; without a screen: show only this one' }],
    options: [ownerKey],
    examples: ['bardo watch', 'bardo watch "Alpha DCA" --plain', 'bardo watch --json'],
    stopsItself: true,
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    name: 'tree',
    group: 'Inspect',
    summary: 'show what the owner signed, and how much of each limit is used',
    details: [
      'Below the tree: what each Golem of the same owner has spent in the last 24 hours, and the most that can leave under all of their permissions together. With --json this is in family.',
    ],
    arguments: [anyGolem],
    options: [],
    examples: ['bardo tree'],
    load: async () => (await import('./tree.ts')).tree,
  },
  {
    name: 'explain',
    group: 'Inspect',
    summary: 'explain why an action passed, was refused, or would be refused',
    details: [
      'Takes a transaction hash, an intent id from the journal, or an action that was never sent. Names the delegation link, the caveat and the numbers that decide, and says what would pass.',
    ],
    arguments: [
      {
        name: 'SUBJECT',
        summary: 'a hash, an intent id, or an action: "swap 500 USDC to WETH"',
        isRest: true,
      },
    ],
    options: [
      {
        name: 'golem',
        value: 'GOLEM',
        summary: 'which Golem; optional if there is only one',
        completes: 'golem',
      },
    ],
    examples: ['bardo explain 0x…', 'bardo explain swap 500 USDC to WETH'],
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'requests',
    group: 'Control',
    summary: 'list the requests that wait for the owner, or answer one',
    details: [
      'Each request has a sentence that says what a yes allows. You can approve part of a request: --amount for a runway or a funding request, --days for a runway.',
      'Before a runway is signed, bardo shows how long the Golem can run without it and with it.',
    ],
    arguments: [
      { name: 'REQUEST', summary: 'id of the request; default: list all', isOptional: true },
      { name: 'ANSWER', summary: 'your answer', isOptional: true, choices: ['yes', 'no'] },
    ],
    options: [
      {
        name: 'amount',
        value: 'N',
        summary: 'approve at most this much: USDC per day for a runway, else the total',
      },
      { name: 'days', value: 'N', summary: 'approve a runway for at most this many days' },
      { name: 'override', summary: 'allow a runway of more than 90 days or more than 100 USDC per day' },
      ownerKey,
      yes,
    ],
    examples: [
      'bardo requests',
      'bardo requests runway:… yes',
      'bardo requests runway:… yes --amount 2 --days 7',
    ],
    load: async () => (await import('./requests.ts')).requests,
  },
  {
    name: 'feed',
    group: 'Control',
    summary: 'renew a Golem’s permission: same limits, new lifespan',
    details: [
      'The owner signs the same limits again, starting now, and the old delegation is revoked. No money moves, and today’s spending still counts.',
      'The Golem’s children end with the old delegation. If there are any, bardo names them and asks for confirmation first.',
    ],
    arguments: [anyGolem],
    options: [ownerKey, yes],
    examples: ['bardo feed "Alpha DCA"'],
    load: async () => (await import('./feed.ts')).feed,
  },
  {
    name: 'adjust',
    group: 'Control',
    summary: 'replace a Golem’s strategy',
    details: [
      'Shows which limits get narrower and which get wider, then asks the owner to sign. The old delegation is revoked, and the Golem’s children end with it.',
      'If the Golem has money in a vault that the new strategy does not name, bardo asks whether to close that position first. With --yes or without a terminal, only --close-first closes it; the output names the positions that stay open.',
    ],
    arguments: [golem, { name: 'STRATEGY', summary: 'a file such as STRATEGY.md', completes: 'file' }],
    options: [
      {
        name: 'close-first',
        summary: 'before signing, close positions that the new strategy does not manage',
      },
      ownerKey,
      yes,
    ],
    examples: ['bardo adjust "Alpha DCA" STRATEGY.md'],
    load: async () => (await import('./adjust.ts')).adjust,
  },
  {
    name: 'revoke',
    group: 'Control',
    summary: 'revoke what the owner signed, with one transaction',
    details: [
      'Does not need the Golem to cooperate, and no delegate can undo it. It stops the Golem permanently.',
      'With --print, nothing is sent. bardo prints the transaction, which the owner’s key can send from any wallet, now or later, also when Bardo is not running. Print it again after every feed, adjust or rotate.',
      'With --runway, only the runway ends, by a transaction of the wallet that granted it. The Golem continues with its other funding.',
    ],
    arguments: [golem],
    options: [
      { name: 'print', summary: 'print the transaction instead of sending it' },
      { name: 'runway', summary: 'revoke only the runway; the Golem continues' },
      ownerKey,
      yes,
    ],
    examples: [
      'bardo revoke "Alpha DCA"',
      'bardo revoke "Alpha DCA" --print > brake.txt',
      'bardo revoke "Alpha DCA" --runway',
    ],
    load: async () => (await import('./revoke.ts')).revoke,
  },
  {
    name: 'deposit',
    group: 'Control',
    summary: 'move money from the owner’s wallet to the owner’s account',
    details: [
      'Sends one plain transaction of the wallet. The account is the smart account for which Golems act; none of them gets more than the owner signed.',
      'The owner’s key can stay elsewhere: --print writes what to sign or send as JSON, for any wallet; --signed takes the answers, and prints the next step or the result. docs/owners.md describes both files.',
    ],
    arguments: [
      { name: 'AMOUNT', summary: 'a decimal number, or all', isOptional: true },
      { name: 'TOKEN', summary: 'a symbol, ETH, or the address of a token', isOptional: true },
    ],
    options: [ownerKey, owner, print, signed, yes],
    examples: [
      'bardo deposit 100 USDC',
      'bardo deposit 0.5 ETH --print > deposit.json',
      'bardo deposit --signed signed.json',
    ],
    load: async () => (await import('./money.ts')).deposit,
  },
  {
    name: 'withdraw',
    group: 'Control',
    summary: 'move money from the owner’s account back to the owner’s wallet',
    details: [
      'Needs one signature and one plain transaction of the wallet, and no Golem: it also works after a Golem’s death. The money goes to the owner’s wallet and nowhere else.',
      'The owner’s key can stay elsewhere: --print writes what to sign or send as JSON, for any wallet; --signed takes the answers, and prints the next step or the result. docs/owners.md describes both files.',
    ],
    arguments: [
      { name: 'AMOUNT', summary: 'a decimal number, or all', isOptional: true },
      { name: 'TOKEN', summary: 'a symbol, ETH, or the address of a token', isOptional: true },
    ],
    options: [ownerKey, owner, print, signed, yes],
    examples: [
      'bardo withdraw 100 USDC',
      'bardo withdraw 0.5 ETH --print > withdraw.json',
      'bardo withdraw --signed signed.json',
    ],
    load: async () => (await import('./money.ts')).withdraw,
  },
  {
    name: 'kill',
    group: 'Control',
    summary: 'shut a Golem down in order, permanently',
    details: [
      'The Golem closes its positions, writes its testament, gives up its authority on the chain and returns its gas. Then the owner’s key revokes the delegation. This cannot be undone.',
      'A Golem cannot close liquidity, nor a vault that its current delegation does not cover. For these, bardo prints the transaction with which the owner closes the position.',
    ],
    arguments: [golem],
    options: [ownerKey, yes],
    examples: ['bardo kill "Alpha DCA" --yes'],
    load: async () => (await import('./kill.ts')).kill,
  },
  {
    name: 'replicate',
    group: 'Control',
    summary: 'create a child Golem with a part of its parent’s limits',
    details: [],
    arguments: [golem, { name: 'NAME', summary: 'name of the child' }],
    options: [
      { name: 'daily', value: 'USD', summary: 'most that it spends in 24 hours (default 2)' },
      { name: 'budget', value: 'USD', summary: 'most that it spends in its whole life (default 10)' },
      { name: 'runway', value: 'USD', summary: 'its operating funds (default 5)' },
      { name: 'hours', value: 'N', summary: 'its lifespan in hours (default 24)' },
      { name: 'calls', value: 'N', summary: 'most actions in its whole life (default 50)' },
    ],
    examples: ['bardo replicate "Alpha DCA" gamma --daily 2 --budget 10'],
    load: async () => (await import('./replicate.ts')).replicate,
  },
  {
    name: 'delegate',
    group: 'Control',
    summary: 'let another Golem use a part of a Golem’s permission',
    details: [
      'The Golem’s session key signs a delegation below the one that the owner signed: a total budget, a number of days and of actions, some methods, no further delegation. No limit of the owner gets wider, and everything counts in the giver’s own budget.',
      'The receiver is a Golem of this data folder, or the key of a Golem in another one. For the latter, --print writes the file that bardo accept takes there. bardo tree and bardo status of both show the delegation.',
      'With --read-only the receiver gets the signed delegations to show and check, and the chain refuses every action. With --observer it can only publish to a contract that the owner signed.',
      'With --revoke the giver’s key ends it on the chain. It also ends with the giver, and when the owner feeds, adjusts or revokes the giver. Ends with three sums like compile.',
    ],
    arguments: [golem],
    options: [
      {
        name: 'to',
        value: 'GOLEM',
        summary: 'the receiver: a Golem, or the address of its key',
        completes: 'golem',
      },
      { name: 'budget', value: 'USD', summary: 'most that it spends in total (default 10)' },
      { name: 'days', value: 'N', summary: 'how long it is valid (default 7)' },
      { name: 'methods', value: 'LIST', summary: 'methods, with commas (default: all of the giver)' },
      { name: 'calls', value: 'N', summary: 'most actions, up to 1,000 (default 100)' },
      { name: 'read-only', summary: 'no action at all' },
      { name: 'observer', summary: 'only publishing' },
      { name: 'print', summary: 'print the signed delegation as a file for bardo accept' },
      { name: 'revoke', value: 'GOLEM', summary: 'end what this receiver got', completes: 'golem' },
      yes,
    ],
    examples: [
      'bardo delegate "Alpha DCA" --to beta --budget 20 --days 2',
      'bardo delegate "Alpha DCA" --to 0x… --print > offer.json',
      'bardo delegate "Alpha DCA" --revoke beta',
    ],
    load: async () => (await import('./delegate.ts')).delegate,
  },
  {
    name: 'accept',
    group: 'Control',
    summary: 'store a delegation that a Golem of another data folder gave',
    details: [
      'Checks that every delegator signed it on this chain, that it is for the Golem’s active key, and that it is neither expired nor revoked. The Golem’s agent then uses it with preview_action.',
    ],
    arguments: [golem, { name: 'FILE', summary: 'the output of bardo delegate --print', completes: 'file' }],
    options: [],
    examples: ['bardo accept beta offer.json'],
    load: async () => (await import('./delegate.ts')).accept,
  },
  {
    name: 'rotate',
    group: 'Control',
    summary: 'give a Golem a new session key',
    details: [
      'The old key delegates to the new one. With --suspected, the old key counts as stolen: its delegation is revoked first, and the owner signs a new one for the new key. The Golem’s children end with the old delegation; bardo names them and asks for confirmation first.',
    ],
    arguments: [anyGolem],
    options: [{ name: 'suspected', summary: 'the current key may be stolen' }, ownerKey, yes],
    examples: ['bardo rotate "Alpha DCA"'],
    load: async () => (await import('./rotate.ts')).rotate,
  },
  {
    name: 'audit',
    group: 'Operate',
    summary: 'verify or export the audit log of all events',
    details: [
      'Store the head that verify prints in another place: with --anchor, verify detects any later change to the events before it.',
    ],
    arguments: [{ name: 'WHAT', summary: 'one of', choices: ['verify', 'export'] }],
    options: [
      { name: 'golem', value: 'GOLEM', summary: 'only the events of this Golem', completes: 'golem' },
      { name: 'anchor', value: 'HEAD', summary: 'a head that verify printed before, as SEQUENCE:HASH' },
    ],
    examples: ['bardo audit verify', 'bardo audit export > events.jsonl'],
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'mcp',
    group: 'Operate',
    summary: 'serve a Golem’s tools to an agent over MCP',
    details: [
      'An MCP client starts this command itself: docs/agents.md has the configuration for each client. With --http, it prints the address and a token; set BARDO_MCP_TOKEN to choose the token.',
    ],
    arguments: [anyGolem],
    options: [
      {
        name: 'http',
        value: 'PORT',
        summary: 'serve over HTTP on this machine instead of stdio; 0 picks a port',
      },
      { name: 'profile', value: 'NAME', summary: 'identity, golem, full or dev (default golem)' },
    ],
    examples: ['bardo mcp "Alpha DCA"', 'bardo mcp --http 0'],
    stopsItself: true,
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'worker',
    group: 'Operate',
    summary: 'run the Golems of a data folder or a database',
    details: [
      'With DATABASE_URL, any number of workers share the Golems. Without it, this worker holds the data folder alone.',
    ],
    arguments: [],
    options: [
      { name: 'concurrency', value: 'N', summary: 'Golems that tick at the same time (default 100)' },
      {
        name: 'missed-after',
        value: 'SECONDS',
        summary: 'report a Golem that no worker claims for this long (default 900)',
      },
    ],
    examples: ['DATABASE_URL=postgres://… bardo worker'],
    stopsItself: true,
    load: async () => (await import('./worker.ts')).worker,
  },
  {
    name: 'doctor',
    group: 'Operate',
    summary: 'check the installation and say how to fix problems',
    details: [],
    arguments: [],
    options: [],
    examples: ['bardo doctor'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'completion',
    group: 'Operate',
    summary: 'complete commands and names in your shell',
    details: [
      'bash: source <(bardo completion bash). zsh: source <(bardo completion zsh). fish: bardo completion fish | source.',
    ],
    arguments: [
      { name: 'SHELL', summary: 'your shell', choices: ['bash', 'zsh', 'fish'], hiddenChoices: ['golems'] },
    ],
    options: [],
    examples: ['source <(bardo completion bash)'],
    load: async () => (await import('./completion.ts')).completion,
  },
]
