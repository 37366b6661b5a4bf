import { BardoError } from '@bardo/core'
import { custodyChoice, type ModelConfig } from '@bardo/golem'
import { type OperationContext, performOperation, prepareOperation, summonedResult } from '@bardo/operations'
import type { Address } from 'viem'
import { z } from 'zod'
import {
  configOf,
  defaultConfig,
  requireSameTexts,
  settingsOf,
  withRoute,
} from '../../context/golemSettings.ts'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { operationContext } from '../operationContext.ts'
import { defineTask } from '../task.ts'
import {
  addressField,
  golemField,
  nameField,
  ownerKeyField,
  providerField,
  routeField,
  textField,
} from './fields.ts'
import { ownerAddress } from './operations.ts'

/** After a day without a heartbeat, the next stricter phase applies. */
const graceSeconds = 86_400

const summonFields = z.strictObject({
  name: nameField,
  strategy: textField,
  config: textField.nullable().default(null),
  heartbeat: textField.nullable().default(null),
  identity: z.string().max(2_048).optional(),
  ancestor: golemField.optional(),
  ownerKey: ownerKeyField,
  provider: providerField,
  /** `--route`: written into the golem.toml of the new Golem. */
  route: routeField.optional(),
})

/** Creates a Golem from a strategy and schedules its first tick. */
export const summon = defineTask({
  input: summonFields,
  async run(context, fields, { note }) {
    const { key, signer } = ownerWallet(context.chain, context.store, fields.ownerKey)
    const { operation, input } = await readSummons(context, fields, key.address, note)
    note('Creating a key, signing, registering')
    const { result } = await performOperation(operation, signer, 'summon', input)
    return summonedResult.parse(result)
  },
})

/** Creates a Golem's key, and prepares what its owner signs elsewhere. */
export const prepareSummon = defineTask({
  input: summonFields.extend({ owner: addressField.optional() }),
  async run(context, { owner: given, ...fields }, { note }) {
    const owner = given ?? ownerAddress(context, fields.ownerKey)
    const { operation, input } = await readSummons(context, fields, owner, note)
    return prepareOperation(operation, 'summon', input)
  },
})

async function readSummons(
  context: Context,
  {
    name,
    strategy,
    config: given,
    heartbeat,
    identity,
    ancestor,
    provider,
    route,
  }: z.output<typeof summonFields>,
  owner: Address,
  note: (text: string) => void,
) {
  const { chain, store, settings, models } = context
  const config = route ? withRoute(given ?? defaultConfig(chain.deployment.chainId), route) : given
  const texts = { config, heartbeat }
  const around = { chainId: chain.deployment.chainId, env: settings.env, models, provider }
  const { schedule } = settingsOf(texts, strategy, around)
  const read = configOf(config, around)
  requireModel(read.model)
  await requireSameTexts(store, { owner, name }, texts)
  const operation: OperationContext = {
    ...operationContext(context, note),
    owner,
    custody: custodyChoice(read.provider),
  }
  const input = {
    name,
    strategy,
    ...texts,
    intervalSeconds: schedule.intervalSeconds,
    graceSeconds,
    identity: identity ?? null,
    ancestor: ancestor === undefined ? null : (await findGolem(context, ancestor)).id,
  }
  return { operation, input }
}

/** Refuses a model that is not on the operator's list. An existing Golem continues with its rules in that case. */
function requireModel(model: ModelConfig | undefined): void {
  if (!model || model.endpoint !== undefined) return
  throw new BardoError(model.problem, {
    code: 'CONFIG_INVALID',
    remedy: 'Name an entry of models.toml with "use", or have the operator add one.',
    docsPath: 'operators.md#models',
  })
}
