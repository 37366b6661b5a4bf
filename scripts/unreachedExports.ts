/** An export of a package's index that knip found no import for, starting from what users run. */
export type Unreached = { readonly name: string; readonly file: string }

/** What knip's JSON reporter prints, as far as it is read here. */
export type KnipReport = {
  readonly issues: readonly {
    readonly file: string
    readonly exports?: readonly { readonly name: string }[]
  }[]
}

/**
 * Exports that neither the product, nor an example, nor a page of the documentation reaches, with the feature that will use
 * each. This list only shrinks: an entry that is reached, or gone, is an error.
 */
const allowedUnreached: Readonly<Record<string, string>> = {
  // Library functions with an example of their own; a page or a command has to show them.
  advanceRotation: 'rotation state machine, for a wallet that runs it itself',
  nextRotationStep: 'rotation state machine, for a wallet that runs it itself',
  operatingKey: 'rotation state machine, for a wallet that runs it itself',
  compareGrant: 'the portal shows how a granted permission differs from the request',
  allowsMoreOverTime: 'the portal shows how a granted permission differs from the request',
  isNarrowerOrEqual: 'the portal shows whether an adjustment widens anything',
  chainOf: 'the portal names the chain of a request',
  coSigningDigest: 'co-signing in the portal',
  planFromCalls: 'a permission from recorded calls, in the portal',
  onboardingSteps: 'the portal shows the eight steps',
  shownVitality: 'the portal shows vitality',
  phaseThresholds: 'the portal shows the phase',
  cladeChallengeRefusal: 'clade',
  cladeChallengeTypedData: 'clade',
  cladeChallengeTypes: 'clade',
  olderRequestMethod: 'older ERC-7715 shapes',
  toOlderRequest: 'older ERC-7715 shapes',
  toRecurringRequest: 'older ERC-7715 shapes',
  toSignerRequest: 'older ERC-7715 shapes',
  // Bounds that a strategy cannot ask for yet.
  caveatKind: 'definition of a caveat, for enforcers of others',
  dreamMode: 'caveats that the owner can sign one by one',
  emotionalState: 'caveats that the owner can sign one by one',
  knowledgeRoyalty: 'caveats that the owner can sign one by one',
  vaultNAV: 'caveats that the owner can sign one by one',
  noSettlement: 'a mandate without a settlement asset',
  delegationTypes: 'signing with another library than viem',
  // The Golem's ledger.
  budgetWarningBps: 'ledger and tiers',
  leastAgreement: 'agreement of models',
  highStakes: 'agreement of models',
  fullLifespanHours: 'ledger and tiers',
  projectedLifespanHours: 'ledger and tiers',
  redemptionPerMille: 'runway draws by the phase’s multiplier',
  land: 'metered budgets of wallets without a delegation',
  release: 'metered budgets of wallets without a delegation',
  reconcile: 'metered budgets of wallets without a delegation',
  // Accounts and submission.
  agentWalletConsentTypedData: 'registration of an agent wallet (ERC-8004)',
  evaluateRounds: 'the benchmark of the evaluation',
  signUserOperation: 'UserOperations in the runtime',
  userOperationHash: 'UserOperations in the runtime',
  signUpgrade: 'EIP-7702 upgrade',
  permit2Address: 'Permit2 swaps',
  permit2Call: 'Permit2 swaps',
  permit2TypedData: 'Permit2 swaps',
  permitCalls: 'Permit2 swaps',
  permitTypedData: 'Permit2 swaps',
  isViolation: 'tests of the tools compare refusals with it',
  walletPolicySchema: 'tests of the tools read stored policies with it',
  drawLinks: 'tests of the tools draw as a thief with it',
  delegationSchema: 'tests of the tools forge requests with it',
  redeemCall: 'tests of the tools close positions with it',
  openedPositions: 'tests of the tools compare positions with it',
  stageOf: 'the tools’ phases, for other hosts',
  stayAwake: 'a clock for the tests of the command line',
}

/** The index of a package, or of one of its folders: what a sibling or a user can import. */
const index = /^packages\/(?!devnet\/)[^/]+\/src\/(?:[^/]+\/)?index\.ts$/

/**
 * Finds the exports of the packages that nothing reaches, except the listed ones; and listed ones that are reached by now.
 * A name that two indexes of a package export is reached if one of the two is.
 *
 * @param exported - the names that each index exports
 * @param pages - the text of every page of the documentation: what its code shows counts, its prose does not
 */
export function findUnreached(
  { issues }: KnipReport,
  exported: ReadonlyMap<string, ReadonlySet<string>>,
  pages: readonly string[],
  allowed: Readonly<Record<string, string>> = allowedUnreached,
): { readonly unreached: readonly Unreached[]; readonly stale: readonly string[] } {
  const shown = new Set(pages.flatMap(codeIn).flatMap((code) => code.match(/[A-Za-z_$][\w$]*/g) ?? []))
  const unused = new Map(
    issues.map(({ file, exports = [] }) => [file, new Set(exports.map(({ name }) => name))]),
  )
  const reached = new Set(
    [...exported].flatMap(([file, names]) =>
      [...names].filter((name) => !unused.get(file)?.has(name)).map((name) => `${packageOf(file)} ${name}`),
    ),
  )
  const found = [...unused]
    .filter(([file]) => index.test(file))
    .flatMap(([file, names]) => [...names].map((name) => ({ name, file })))
    .filter(({ name, file }) => !shown.has(name) && !reached.has(`${packageOf(file)} ${name}`))
  const names = new Set(found.map(({ name }) => name))
  return {
    unreached: found.filter(({ name }) => !Object.hasOwn(allowed, name)),
    stale: Object.keys(allowed).filter((name) => !names.has(name)),
  }
}

function packageOf(file: string): string {
  return file.split('/')[1] ?? file
}

/** The code of a page: its fenced blocks and its inline code. */
function codeIn(page: string): readonly string[] {
  return page.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []
}
