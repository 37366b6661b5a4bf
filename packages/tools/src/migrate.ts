import { actionPermitRefusal, BardoError } from '@bardo/core'
import { checkFlows, policyFrom, readWalletPolicy, walletPolicyHash } from '@bardo/golem/action'
import { recordEvents } from '@bardo/golem/events'
import type { SignedPermission } from '@bardo/golem/permission'
import {
  askedBefore,
  askOwner,
  type LeftBehind,
  type MigrationPlan,
  type MigrationStep,
  migrationHash,
  type OwnerAsk,
  planMigration,
  readAskOf,
  requirePermit,
  requireReceiver,
} from '@bardo/golem/requests'
import type { Golem, OwnerRequest } from '@bardo/store'
import { activeKey, createWalletSubmitter } from '@bardo/wallets'
import { type Hash, isAddressEqual, parseUnits, sha256, stringToHex } from 'viem'
import { z } from 'zod'
import { addressField, golemField, idempotencyField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** The validity of a permit: one hour, because balances change. */
const permitSeconds = 3_600
const permitted = z.looseObject({ signature: z.templateLiteral(['0x', z.string()]) })
type Permit = Extract<OwnerAsk, { type: 'permit' }>

/**
 * Moves the assets of a Golem's own wallet to another wallet, with the owner's signed permit for exactly this
 * plan.
 */
export const migrate = defineTool({
  name: 'wallet_migrate',
  title: 'Migrate the wallet',
  description:
    'Moves all assets of the Golem’s own key to another wallet: ERC-20s, then LP NFTs, then ETH minus a gas reserve. Needs the owner’s signed permit for exactly this plan: without one, the call files an owner request and moves nothing; call again with its requestId once it is signed. With delegation custody the key holds only gas; the owner’s funds are in the owner’s account and are not moved.',
  category: 'wallet',
  capability: 'privileged',
  riskLayer: 3,
  tickBudget: 'slow',
  progressSteps: ['Planning', 'Checking the permit', 'Moving ERC-20s', 'Moving NFTs', 'Moving ETH'],
  sprite: 'executing',
  promptSnippet: 'Moves all assets of the Golem’s own wallet, with the owner’s permit.',
  guidelines: {
    thriving: 'For planned changes of the wallet; always make a dry run first.',
    cautious: 'Only if the wallet may be compromised; check the destination twice.',
    declining: 'Only to the owner.',
    terminal: 'Do not call it: the wind-down returns the remaining assets.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: true,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    sourceWallet: addressField
      .optional()
      .describe('The address of the Golem’s key; no other source is allowed. Default: that address.'),
    destinationWallet: addressField,
    chain: chainField,
    gasReserveEth: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,18})?$/, 'must be a decimal amount of ETH')
      .default('0.01')
      .describe('The ETH that stays with the key for gas. Default: 0.01.'),
    includeNfts: z.boolean().default(true).describe('Whether NFTs move too. Default: true.'),
    includeTokens: z.boolean().default(true).describe('Whether tokens move too. Default: true.'),
    tokens: z
      .array(addressField)
      .max(50)
      .optional()
      .describe('Move only these tokens. Default: all known tokens.'),
    minBalanceUsd: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(0.01)
      .describe('Balances below this value in US dollars are not moved. Default: 0.01.'),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Return only the plan; file no request and send nothing. Default: false.'),
    requestId: z
      .string()
      .regex(/^[A-Za-z0-9_.:-]{1,300}$/)
      .optional()
      .describe('The owner request of a signed plan: executes exactly that plan.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    status: z.enum(['dryRun', 'pending', 'done', 'nothing']),
    requestId: z.string().nullable(),
    note: z.string(),
    plan: z.array(z.strictObject({ kind: z.string(), token: z.string(), amount: z.string() })),
    notMoved: z
      .array(z.strictObject({ token: z.string(), amount: z.string().nullable(), why: z.string() }))
      .describe('The known or named assets that are not moved'),
    txHashes: z.array(z.string()),
    totalMigrated: z.number(),
  }),
  eventFields: {
    start: ({ destinationWallet, dryRun }) => ({ destination: destinationWallet, dryRun }),
    end: ({ status, txHashes, totalMigrated }) => ({ status, txHashes: txHashes.join(' '), totalMigrated }),
  },
  say: ({ status, plan, notMoved, note, requestId }) =>
    [
      `${status}: ${plan.length} transfers${requestId ? ` (${requestId})` : ''}.`,
      ...notMoved.map(({ token, why }) => `Not moved: ${token} (${why}).`),
      note,
    ].join(' '),
  async run(context, input, { id: call, subject, progress }) {
    const { client, clock, deployment, store } = context
    const { destinationWallet: destination, dryRun, requestId } = input
    const id = `permit:${call}`
    await progress('Planning')
    requireChain(deployment, input.chain)
    const { permission } = await (await context.open(subject.id)).status()
    const key = await activeKey(store, subject.id)
    if (!key) throw keyMissing()
    const source = key.address
    requireParties(input.sourceWallet, source, destination, subject, permission)
    await requireReceiver(context, source, destination)
    const note =
      subject.custody === 'delegation'
        ? 'With delegation custody the key holds only gas: the owner’s funds stay in the owner’s account.'
        : 'Only the key’s own assets are moved; assets delegated to it stay with the owner.'
    const filed = dryRun
      ? undefined
      : await (requestId === undefined ? askedBefore(context, id) : findPermit(requestId))
    const plan = filed ? readAskOf('permit', filed) : await makePlan()
    const result = {
      requestId: null,
      note,
      plan: plan.steps.map(stepJson),
      notMoved: plan.notMoved.map(leftJson),
      txHashes: [],
      totalMigrated: 0,
    }
    if (dryRun) return { ...result, status: 'dryRun' as const }
    if (plan.steps.length === 0) return { ...result, status: 'nothing' as const }
    await checkSteps(context, permission, plan.steps)
    await progress('Checking the permit')
    const request = filed ?? (await ask(plan))
    if (request.state === 'pending') return { ...result, status: 'pending' as const, requestId: request.id }
    const permit = await permittedPlan(context, request, subject, await policyHash())
    if (!isAddressEqual(permit.destination, destination) || !isAddressEqual(permit.source, source))
      throw unpermitted('the permit is for another wallet')
    const txHashes = await perform(context, request.id, permit.steps, subject.id, progress)
    const body = { source, destination, txHashes }
    await store.grimoire.put({ golem: subject.id, key: `migration.${request.id}`, kind: 'migration', body })
    return {
      ...result,
      status: 'done' as const,
      requestId: request.id,
      txHashes,
      totalMigrated: txHashes.length,
    }

    function makePlan(): Promise<MigrationPlan> {
      return planMigration(context, {
        source,
        destination,
        gasReserve: parseUnits(input.gasReserveEth, 18),
        includeNfts: input.includeNfts,
        includeTokens: input.includeTokens,
        tokens: input.tokens,
        minBalanceCents: BigInt(Math.ceil(input.minBalanceUsd * 100)),
      })
    }

    async function policyHash(): Promise<Hash> {
      const chosen = await readWalletPolicy(store, subject.id)
      return walletPolicyHash(chosen ?? policyFrom('defi-trading', permission.terms))
    }

    async function ask({ steps, notMoved }: MigrationPlan): Promise<OwnerRequest> {
      const simulationHash = migrationHash(source, destination, steps)
      // Simulate on the latest block: a plan that would revert is not worth a signature.
      for (const { to, value, data, kind } of steps)
        await client.call({ account: source, to, value, data }).catch(() => {
          throw wouldRevert(kind)
        })
      const permit = {
        golem: subject.id,
        action: simulationHash,
        riskTier: 3,
        policyHash: await policyHash(),
        simulationHash,
        nonce: BigInt(sha256(stringToHex(id))),
        deadline: BigInt(Math.floor(clock.now() / 1_000) + permitSeconds),
      }
      const sentence = `Move ${steps.length} assets from ${source} to ${destination}: ${steps.map((step) => `${step.kind} ${step.token} ${step.amount}`).join('; ')}.`
      const { account } = permission.terms.mandate
      const permitAsk = {
        type: 'permit',
        sentence,
        permit,
        account,
        source,
        destination,
        steps,
        notMoved,
      } as const
      return askOwner(context, { id, golem: subject.id, ask: permitAsk })
    }

    async function findPermit(permitRequest: string): Promise<OwnerRequest> {
      const request = await store.ownerRequests.find(permitRequest)
      if (request?.golem === subject.id && request.kind === 'permit' && request.state !== 'refused')
        return request
      throw unpermitted('there is no such permit request')
    }
  },
})

/**
 * Checks each token against the owner's constitution: approved, and within the amounts. The key's own assets are not part
 * of the account's portfolio, so only its drawdown is checked.
 */
async function checkSteps(
  context: ToolContext,
  permission: SignedPermission,
  steps: readonly MigrationStep[],
): Promise<void> {
  const assets = [...permission.terms.mandate.assets, ...context.book.assets.values()]
  await checkFlows(context, permission, { isClosing: false })
  for (const { token, amount } of steps.filter(({ kind }) => kind === 'erc20')) {
    const asset = assets.find((one) => isAddressEqual(one.token, token))
    if (asset)
      await checkFlows(context, permission, {
        from: { asset, amount: 0n },
        spends: { asset, amount },
        isClosing: false,
      })
  }
}

/** The plan that the owner signed, verified again. */
async function permittedPlan(
  context: ToolContext,
  request: OwnerRequest,
  { owner, id }: Golem,
  policyHash: Hash,
): Promise<Permit> {
  const ask = readAskOf('permit', request)
  if (request.state !== 'approved') throw unpermitted('the owner did not sign the permit')
  const { permit, account, source, destination, steps } = ask
  const { signature } = permitted.parse(request.answer)
  await requirePermit(context, { permit, account, signature, owner })
  const action = migrationHash(source, destination, steps)
  const now = BigInt(Math.floor(context.clock.now() / 1_000))
  const why = actionPermitRefusal(permit, { action, riskTier: 3, policyHash, now })
  if (why) throw unpermitted(`its ${why} does not match`)
  if (permit.golem !== id || permit.simulationHash !== action)
    throw unpermitted('the permit is for another plan')
  return ask
}

/** Sends each transfer once, under its own intent, so that a repeated call continues after a crash. */
async function perform(
  { store, client, deployment, clock, keys, submitter: settings }: ToolContext,
  request: string,
  steps: readonly MigrationStep[],
  golem: Hash,
  progress: (step: string) => Promise<void>,
): Promise<string[]> {
  const wallet = await keys?.(golem).open()
  if (!wallet) throw keyMissing()
  const submitter = createWalletSubmitter(wallet, {
    client,
    chainId: deployment.chainId,
    journal: store.journal,
    clock,
    ...(settings && { settings }),
    onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, golem, [event])),
  })
  const hashes: string[] = []
  for (const [kind, step] of order) {
    await progress(step)
    for (const [index, { to, value, data, kind: of }] of steps.entries()) {
      if (of !== kind) continue
      const { hash, status } = await submitter.submit({ id: `${request}:${index}`, to, value, data })
      if (status !== 'success')
        throw new BardoError('A transfer reverted.', {
          code: 'TRANSACTION_REVERTED',
          outcome: 'landed',
          details: [`${kind} in ${hash}`, `${hashes.length} of ${steps.length} transfers are done`],
          remedy: 'Check the transaction, then call wallet_migrate again for the remaining assets.',
        })
      hashes.push(hash)
    }
  }
  return hashes
}

/** ETH is last: it pays the gas of the other transfers. */
const order = [
  ['erc20', 'Moving ERC-20s'],
  ['nft', 'Moving NFTs'],
  ['eth', 'Moving ETH'],
] as const

function requireParties(
  named: `0x${string}` | undefined,
  source: `0x${string}`,
  destination: `0x${string}`,
  golem: Golem,
  { terms }: SignedPermission,
): void {
  if (named && !isAddressEqual(named, source))
    throw new BardoError('Only the Golem’s own wallet can be migrated.', {
      code: 'ACTION_NOT_ALLOWED',
      details: [`the Golem’s key is ${source}`],
      remedy: 'Leave out "sourceWallet".',
    })
  const owners = [golem.owner, terms.mandate.account]
  if (stageOfLife(golem) !== 'declining' || owners.some((one) => isAddressEqual(one, destination))) return
  throw new BardoError('A declining Golem can move its wallet only to the owner.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: `Use ${golem.owner} or ${terms.mandate.account}.`,
    docsPath: 'tools.md#stages-of-life',
  })
}

const stepJson = ({ kind, token, amount }: MigrationStep) => ({ kind, token, amount: `${amount}` })

const leftJson = ({ token, amount, why }: LeftBehind) => ({
  token,
  amount: amount === undefined ? null : `${amount}`,
  why,
})

function unpermitted(why: string): BardoError {
  return new BardoError('The owner’s permit does not cover this migration.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [why],
    remedy: 'Call without a requestId, and have the owner sign the plan of the new request.',
    docsPath: 'requests.md#migrating',
  })
}

function wouldRevert(kind: MigrationStep['kind']): BardoError {
  return new BardoError('A transfer of this plan would revert.', {
    code: 'TRANSACTION_REVERTED',
    details: [kind],
    remedy: 'Exclude this kind of asset, or use another destination.',
    docsPath: 'requests.md#migrating',
  })
}

function keyMissing(): BardoError {
  return new BardoError('The session key is not in this store.', {
    code: 'SESSION_KEY_ZEROED',
    remedy:
      'Call the tool on the machine that holds the Golem’s key, or ask the owner to sign a grant for a new key.',
  })
}
