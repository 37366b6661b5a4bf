import { createSubmitter, sessionKeyAccount } from '@bardo/chain'
import { actionPermitRefusal, BardoError } from '@bardo/core'
import type { Golem, OwnerRequest } from '@bardo/store'
import { type Hash, isAddressEqual, parseUnits, sha256, stringToHex } from 'viem'
import { z } from 'zod'
import { requirePermit } from '../owner/acceptPermit.ts'
import { askedBefore, askOwner } from '../owner/askOwner.ts'
import { type LeftBehind, type MigrationStep, type OwnerAsk, readAskOf } from '../owner/ownerRequest.ts'
import { type MigrationPlan, migrationHash, planMigration } from '../owner/planMigration.ts'
import { requireReceiver } from '../owner/requireReceiver.ts'
import { policyFrom, readWalletPolicy, walletPolicyHash } from '../owner/walletPolicy.ts'
import { activeKey } from '../runtime/activeKey.ts'
import type { Charter } from '../runtime/charter.ts'
import { addressField, golemField, idempotencyField } from './fields.ts'
import { chainField, requireChain } from './requireChain.ts'
import { stageOfLife } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

/** A plan is worth its permit for so long. Origin: ours; an hour, as balances move. */
const permitSeconds = 3_600
const permitted = z.looseObject({ signature: z.templateLiteral(['0x', z.string()]) })
type Permit = Extract<OwnerAsk, { is: 'permit' }>

/** Moves what a Golem's own wallet holds somewhere else, by the owner's signed permit for exactly that. */
export const migrate = defineTool({
  name: 'wallet_migrate',
  title: 'Migrate the wallet',
  description:
    'Moves everything that the Golem’s own key holds to another wallet: ERC-20s, then LP NFTs, then ETH without a gas reserve. Needs the owner’s signed permit for exactly this plan: without it the call files the request and moves nothing; call again with its requestId once it is signed. In delegation mode the key holds nothing but gas; the owner’s funds are in the owner’s account and are not moved.',
  category: 'wallet',
  capability: 'privileged',
  riskLayer: 3,
  tickBudget: 'slow',
  progressSteps: ['Planning', 'Checking the permit', 'Moving ERC-20s', 'Moving NFTs', 'Moving ETH'],
  sprite: 'executing',
  promptSnippet: 'Moves all assets of the Golem’s own wallet, with the owner’s permit.',
  guidelines: {
    thriving: 'For planned changes of a wallet; always look at a dry run first.',
    cautious: 'Only where the wallet is in doubt; check the destination twice.',
    declining: 'Only to the owner.',
    terminal: 'Not to be called: the end of a life returns what is left.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: true,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    sourceWallet: addressField.optional().describe('The Golem’s key, which is also the default.'),
    destinationWallet: addressField,
    chain: chainField,
    gasReserveEth: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,18})?$/, 'give a decimal amount of ETH')
      .default('0.01'),
    includeNfts: z.boolean().default(true),
    includeTokens: z.boolean().default(true),
    tokens: z.array(addressField).max(50).optional(),
    minBalanceUsd: z.number().min(0).max(1_000_000).default(0.01),
    dryRun: z.boolean().default(false),
    requestId: z
      .string()
      .regex(/^[A-Za-z0-9_.:-]{1,300}$/)
      .optional()
      .describe('Of a plan that the owner has signed: does exactly that.'),
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
      .describe('What stays where it is, as far as it is known or was named'),
    txHashes: z.array(z.string()),
    totalMigrated: z.number(),
  }),
  told: {
    start: ({ destinationWallet, dryRun }) => ({ destination: destinationWallet, dryRun }),
    end: ({ status, txHashes, totalMigrated }) => ({ status, txHashes: txHashes.join(' '), totalMigrated }),
  },
  say: ({ status, plan, notMoved, note, requestId }) =>
    [
      `${status}: ${plan.length} transfers${requestId ? ` (${requestId})` : ''}.`,
      ...notMoved.map(({ token, why }) => `Not moved: ${token}, as ${why}.`),
      note,
    ].join(' '),
  async run(context, input, { id: call, subject, progress }) {
    const { client, clock, deployment, store } = context
    const { destinationWallet: destination, dryRun, requestId } = input
    const id = `permit:${call}`
    await progress('Planning')
    requireChain(deployment, input.chain)
    const { charter } = await (await context.open(subject.id)).status()
    const key = await activeKey(store, subject.id)
    if (!key) throw gone()
    const source = key.address
    requireParties(input.sourceWallet, source, destination, subject, charter)
    await requireReceiver(context, source, destination)
    const note =
      subject.custody === 'delegation'
        ? 'By delegation the key holds nothing but gas: the owner’s funds stay in the owner’s account.'
        : 'What the key itself holds is moved; what is delegated to it stays with the owner.'
    const asked = dryRun
      ? undefined
      : await (requestId === undefined ? askedBefore(context, id) : known(requestId))
    const plan = asked ? readAskOf('permit', asked) : await planned()
    const result = {
      requestId: null,
      note,
      plan: plan.steps.map(shown),
      notMoved: plan.notMoved.map(left),
      txHashes: [],
      totalMigrated: 0,
    }
    if (dryRun) return { ...result, status: 'dryRun' as const }
    if (plan.steps.length === 0) return { ...result, status: 'nothing' as const }
    await progress('Checking the permit')
    const request = asked ?? (await ask(plan))
    if (request.state === 'pending') return { ...result, status: 'pending' as const, requestId: request.id }
    const permit = await permittedPlan(context, request, subject, await policyHash())
    if (!isAddressEqual(permit.destination, destination) || !isAddressEqual(permit.source, source))
      throw unpermitted('it is for another wallet')
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

    function planned(): Promise<MigrationPlan> {
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
      return walletPolicyHash(chosen ?? policyFrom('defi-trading', charter.terms))
    }

    async function ask({ steps, notMoved }: MigrationPlan): Promise<OwnerRequest> {
      const simulationHash = migrationHash(source, destination, steps)
      // A dry run on the newest block: what would revert is not worth a signature.
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
      const { account } = charter.terms.mandate
      const wanted = {
        is: 'permit',
        sentence,
        permit,
        account,
        source,
        destination,
        steps,
        notMoved,
      } as const
      return askOwner(context, { id, golem: subject.id, ask: wanted })
    }

    async function known(named: string): Promise<OwnerRequest> {
      const found = await store.ownerRequests.find(named)
      if (found && found.golem === subject.id && found.kind === 'permit' && found.state !== 'refused')
        return found
      throw unpermitted('there is no such permit')
    }
  },
})

/** The plan that the owner signed, after everything about it was looked at once more. */
async function permittedPlan(
  context: ToolContext,
  request: OwnerRequest,
  { owner, id }: Golem,
  policyHash: Hash,
): Promise<Permit> {
  const ask = readAskOf('permit', request)
  if (request.state !== 'approved') throw unpermitted('the owner did not sign it')
  const { permit, account, source, destination, steps } = ask
  const { signature } = permitted.parse(request.answer)
  await requirePermit(context, { permit, account, signature, owner })
  const action = migrationHash(source, destination, steps)
  const now = BigInt(Math.floor(context.clock.now() / 1_000))
  const why = actionPermitRefusal(permit, { action, riskTier: 3, policyHash, now })
  if (why) throw unpermitted(`its ${why} does not fit`)
  if (permit.golem !== id || permit.simulationHash !== action) throw unpermitted('it is for another plan')
  return ask
}

/** Each transfer once, under an intent of its own: whoever calls again after a crash carries it on. */
async function perform(
  { store, client, deployment, clock, keys, submitter: settings }: ToolContext,
  request: string,
  steps: readonly MigrationStep[],
  golem: Hash,
  progress: (step: string) => Promise<void>,
): Promise<string[]> {
  const session = await keys?.(golem).open()
  if (!session) throw gone()
  const submitter = createSubmitter({
    client,
    chainId: deployment.chainId,
    journal: store.journal,
    clock,
    signer: sessionKeyAccount(session),
    ...(settings && { settings }),
  })
  const hashes: string[] = []
  for (const [kind, step] of order) {
    await progress(step)
    for (const [place, { to, value, data, kind: of }] of steps.entries()) {
      if (of !== kind) continue
      const { hash, status } = await submitter.submit({ id: `${request}:${place}`, to, value, data })
      if (status !== 'success')
        throw new BardoError('A transfer was reverted.', {
          code: 'TRANSACTION_REVERTED',
          outcome: 'landed',
          details: [`${kind} with ${hash}`, `${hashes.length} of ${steps.length} are done`],
          remedy: 'Look at the transaction; then plan what is left anew.',
        })
      hashes.push(hash)
    }
  }
  return hashes
}

/** ETH comes last: it pays for the others. */
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
  { terms }: Charter,
): void {
  if (named && !isAddressEqual(named, source))
    throw new BardoError('Only the Golem’s own wallet can be migrated.', {
      code: 'ACTION_NOT_ALLOWED',
      details: [`its key is ${source}`],
      remedy: 'Leave out "sourceWallet".',
    })
  const owners = [golem.owner, terms.mandate.account]
  if (stageOfLife(golem) !== 'declining' || owners.some((one) => isAddressEqual(one, destination))) return
  throw new BardoError('A declining Golem moves its wallet to the owner alone.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: `Name ${golem.owner} or ${terms.mandate.account}.`,
    docsPath: 'tools.md#stages-of-life',
  })
}

const shown = ({ kind, token, amount }: MigrationStep) => ({ kind, token, amount: `${amount}` })

const left = ({ token, amount, why }: LeftBehind) => ({
  token,
  amount: amount === undefined ? null : `${amount}`,
  why,
})

function unpermitted(why: string): BardoError {
  return new BardoError('The owner’s permit does not cover this.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [why],
    remedy: 'Call without a requestId, and have the owner sign the plan that is filed then.',
    docsPath: 'requests.md#migrating',
  })
}

function wouldRevert(kind: MigrationStep['kind']): BardoError {
  return new BardoError('A transfer of this plan would be reverted.', {
    code: 'TRANSACTION_REVERTED',
    details: [kind],
    remedy: 'Leave that sort out, or name another destination.',
    docsPath: 'requests.md#migrating',
  })
}

function gone(): BardoError {
  return new BardoError('The session key is not here.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Call this where the Golem’s key is kept, or ask the owner for a grant to a new one.',
  })
}
