import {
  adoptConstitution,
  createVitalsClient,
  deployAccount,
  enactConstitution,
  registerGolem,
} from '@bardo/chain'
import { BardoError, type Constitution, formatMinute, mostOf, signDelegation } from '@bardo/core'
import {
  isPaidFor,
  type Manifest,
  plannedConstitution,
  plannedRoot,
  planSummoning,
  readFigures,
  type SummonPlan,
  summonGolem,
} from '@bardo/golem'
import { readRoute, readRules } from '@bardo/golem/config'
import { gasForADay, mostGasWei } from '@bardo/golem/requests'
import { sealedKeySource } from '@bardo/wallets'
import { formatEther } from 'viem'
import { z } from 'zod'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import { accountOf } from '../owner/accountOf.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation, type OperationContext, type OperationSigner } from '../owner/ownerOperation.ts'
import { addressSchema, hashSchema } from '../owner/schemas.ts'
import {
  floorsSchema,
  membersFrom,
  membersSchema,
  membersToJson,
  momentFrom,
  momentSchema,
  momentToJson,
  requireSameMembers,
  requireSameMoment,
} from '../owner/signingFigures.ts'
import { keepTexts } from './golemTexts.ts'

const longestText = 4_194_304
const text = z.string().max(longestText)

/** Input of a summoning. */
const summonInput = z.strictObject({
  name: z.string().min(1).max(64),
  strategy: text,
  /** golem.toml and HEARTBEAT.md, which are stored with the Golem. */
  config: text.nullable().default(null),
  heartbeat: text.nullable().default(null),
  intervalSeconds: z.int().positive(),
  /** After this time without a heartbeat, the next stricter phase applies. */
  graceSeconds: z.int().positive(),
  /** A dead Golem whose testament it inherits. */
  ancestor: hashSchema.nullable().default(null),
  /** A URI for ERC-8004's registry. It needs the owner's key here: the consent of the key is short-lived. */
  identity: z.string().max(2_048).nullable().default(null),
})

const summonFields = summonInput.extend({
  golem: hashSchema,
  key: addressSchema,
  now: z.string().regex(/^\d{1,12}$/),
  floors: floorsSchema,
  moment: momentSchema,
  members: membersSchema,
  /** Wei: the first gas of the session key. */
  gas: z.string().regex(/^\d{1,30}$/),
})

type SummonFields = z.output<typeof summonFields>

/** The result of a summoning. */
export const summonedResult = z.strictObject({
  golem: hashSchema,
  name: z.string(),
  owner: addressSchema,
  account: addressSchema,
  /** The duration of each step. */
  milliseconds: z.array(z.number()),
  warnings: z.array(z.string()),
})

/**
 * Creates a Golem. Its key is generated and sealed here before the owner is asked; the owner signs one delegation that holds
 * all limits, and sends the first gas. Without a sponsor, the owner also deploys the account and registers the Golem.
 */
export const summon = defineOperation({
  input: summonInput,
  fields: summonFields,
  result: summonedResult,
  async resolve(context, input) {
    if (!context.hasKey) requireOrdinary(context, input)
    // A share of the portfolio becomes an amount here.
    await context.onAccount?.(accountOf(context))
    const manifest = manifestOf(context, input)
    const plan = await planSummoning(manifest)
    await keepTexts(context.store, plan.golem, input)
    const { client, leastGas = 0n } = context
    return {
      ...input,
      golem: plan.golem,
      key: plan.key,
      now: `${plan.now}`,
      floors: plan.floors.map(({ vault, floor }) => ({ vault, floor: `${floor}` })),
      moment: momentToJson(plan.moment),
      members: membersToJson(plan.members),
      gas: isPaidFor(manifest.route) ? '0' : `${mostOf(await gasForADay(client), leastGas)}`,
    }
  },
  describe(context, fields) {
    const { name, key, gas, now } = fields
    const isAccount = manifestOf(context, fields).route?.type === 'userOperation'
    return [
      `Create the Golem ${name}, which acts for your account ${accountOf(context)} from ${formatMinute(Number(now))} UTC on.`,
      'Its limits are in the delegation that you sign. The money stays in your account.',
      gas === '0'
        ? `Its session account ${key} gets no ETH: a paymaster pays for its operations.`
        : `Its session ${isAccount ? 'account' : 'key'} ${key} gets ${formatEther(BigInt(gas))} ETH of your wallet for gas.`,
    ]
  },
  async run(context, signer, fields) {
    const { client, deployment, store, owner, note } = context
    const { account, submitter } = signer
    const { golem, name, identity } = fields
    const plan = planOf(fields)
    const manifest = { ...manifestOf(context, fields), signing: plan }
    requireUsualGas(context, fields)
    const sponsor = context.sponsor ?? submitter
    const isSigned = (await store.delegations.list(golem)).length > 0
    if (!isSigned) {
      const current = await readFigures(manifest, golem, plan.now)
      requireSameMoment(plan.moment, current.moment)
      requireSameMembers(plan.members, current.members)
    }
    const drip = async () => {
      const id = `drip-${golem}`
      // A summoning that continues sends what it decided first.
      const value = (await store.journal.find(id))?.intent.value ?? BigInt(fields.gas)
      return submitter.submit({ id, to: fields.key, value })
    }
    const adopt = async (constitution: Constitution) => {
      note?.('Enacting and adopting the constitution')
      const hash = await enactConstitution({ client, deployment, submitter: sponsor }, constitution)
      await adoptConstitution(signer, hash)
    }
    const constitution = plannedConstitution(manifest, plan.now)
    // An owner whose key is elsewhere is asked for everything at once.
    if (!context.hasKey && !isSigned)
      await askInOrder([
        async () => signDelegation(account, await plannedRoot(manifest, plan)),
        ...(constitution ? [() => adopt(constitution)] : []),
        ...(context.sponsor ? [] : [() => deployAccount({ client, submitter }, account)]),
        ...(isPaidFor(manifest.route) ? [] : [drip]),
        ...(context.sponsor ? [] : [() => register(context, signer, fields)]),
      ])
    const warnings: string[] = []
    note?.('Signing, registering')
    const { id, milliseconds } = await summonGolem({
      ...manifest,
      ...(identity !== null && {
        identity: {
          type: 'register',
          signer,
          uri: identity,
          ...(context.submitter && { submitter: context.submitter }),
        },
      }),
      sponsor,
      warn: (message) => warnings.push(message),
      adopt,
      // Deployed only now, so that a strategy that cannot be granted costs nothing.
      async sign(root) {
        note?.('Deploying the owner’s account if needed')
        await deployAccount({ client, submitter: sponsor }, account)
        return signDelegation(account, root)
      },
      drip,
    })
    await scheduleTickNow(store, id)
    return { golem: id, name, owner, account: account.address, milliseconds: [...milliseconds], warnings }

    /** Registers the Golem with the owner's transaction. The key's consent is always the same bytes. */
    async function register(
      { secret = noSecret() }: OperationContext,
      { submitter: payer }: OperationSigner,
      { golem: registered }: SummonFields,
    ): Promise<void> {
      const address = deployment.contracts.golemVitals
      const { state } = await createVitalsClient({ client, address, golem, submitter: payer }).read()
      const { chainId } = deployment
      const { route } = manifest
      const source = { store, golem: registered, secret, chainId, ...(route && { route: () => route }) }
      const key = await sealedKeySource(source).open()
      if (!key || state !== 'unknown') return
      const { account: own } = key
      await askInOrder([
        ...(own ? [() => deployAccount({ client, submitter: payer }, own)] : []),
        () => registerGolem({ client, deployment, submitter: payer }, { owner, key }),
      ])
    }
  },
})

function manifestOf(
  context: OperationContext,
  { name, strategy, config, intervalSeconds, graceSeconds, ancestor }: z.output<typeof summonInput>,
): Manifest {
  const { store, client, deployment, book, clock, owner, custody, env = {}, secret = noSecret() } = context
  return {
    store,
    client,
    deployment,
    book,
    clock,
    name,
    strategy,
    owner,
    account: accountOf(context),
    ...(custody && { custody }),
    constitution: config === null ? undefined : readRules(config),
    ...(config !== null && readRoute(config, env)),
    graceSeconds,
    intervalSeconds,
    ...(ancestor !== null && { ancestor }),
    secret,
  }
}

function planOf({ golem, key, now, floors, moment, members }: SummonFields): SummonPlan {
  return {
    golem,
    key,
    now: BigInt(now),
    floors: floors.map(({ vault, floor }) => ({ vault, floor: BigInt(floor) })),
    moment: momentFrom(moment),
    members: membersFrom(members),
  }
}

/** What needs the owner's key in this process. */
function requireOrdinary({ custody }: OperationContext, { identity }: z.output<typeof summonInput>): void {
  const details = [
    ...(custody?.type === 'localKey' ? ['custody: localKey'] : []),
    ...(identity === null
      ? []
      : ['an identity: the registry accepts the key’s consent for 300 seconds only']),
  ]
  if (details.length === 0) return
  throw new BardoError('This needs the owner’s key on this machine.', {
    code: 'INVALID_INPUT',
    details,
    remedy: 'Leave it out, or summon the Golem with --owner-key.',
    docsPath: 'owners.md#sign-elsewhere',
  })
}

/** The amount comes from a stored row. The limit does not follow the gas price, which may fall before the owner signs. */
function requireUsualGas({ leastGas = 0n }: OperationContext, { gas }: SummonFields): void {
  const most = mostOf(mostGasWei, leastGas)
  if (BigInt(gas) <= most) return
  throw new BardoError('The first gas is more than a session key needs.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`planned: ${gas} wei`, `most: ${most} wei`],
    remedy: 'Prepare it again.',
  })
}

function noSecret(): never {
  throw new BardoError('A session key cannot be sealed without a secret.', { code: 'INTERNAL' })
}
