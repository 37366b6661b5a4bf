import { deployAccount } from '@bardo/chain'
import { BardoError, signDelegation } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { custodyChoice, dripGas, type ModelConfig, summonGolem } from '@bardo/golem'
import { erc20Abi, parseUnits } from 'viem'
import { z } from 'zod'
import { configOf, keepTexts, requireSameTexts, settingsOf } from '../../context/golemSettings.ts'
import type { Context } from '../../context/openContext.ts'
import { localGas, type OwnerWallet, ownerWallet } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { scheduleTickNow } from '../scheduleTickNow.ts'
import { defineTask } from '../task.ts'
import { golemField, nameField, ownerKeyField, providerField, textField } from './fields.ts'

/** After a day without a heartbeat, the next stricter phase applies. */
const graceSeconds = 86_400
/** The starting balance of an owner on the local chain. */
const firstDollars = parseUnits('10000', 6)

/** Creates a Golem from a strategy and schedules its first tick. */
export const summon = defineTask({
  input: z.strictObject({
    name: nameField,
    strategy: textField,
    config: textField.nullable().default(null),
    heartbeat: textField.nullable().default(null),
    identity: z.string().max(2_048).optional(),
    ancestor: golemField.optional(),
    ownerKey: ownerKeyField,
    provider: providerField,
  }),
  async run(
    context,
    { name, strategy, config, heartbeat, identity, ancestor, ownerKey, provider },
    { note },
  ) {
    const { chain, store, settings, secret, clock, models } = context
    const { client, deployment, book } = chain
    const texts = { config, heartbeat }
    const around = { chainId: deployment.chainId, env: settings.env, models, provider }
    const { schedule } = settingsOf(texts, strategy, around)
    const read = configOf(config, around)
    requireModel(read.model)
    const custody = custodyChoice(read.provider)
    const owner = ownerWallet(chain, store, ownerKey)
    const { account, submitter } = owner.signer
    const sponsor = chain.world ? context.submitterOf(devnetAccount('operator')) : submitter
    await requireSameTexts(store, { owner: owner.key.address, name }, texts)
    const warnings: string[] = []
    note('Creating a key, signing, registering')
    const inherited = ancestor === undefined ? undefined : await findGolem(context, ancestor)
    const { id, milliseconds } = await summonGolem({
      store,
      client,
      deployment,
      book,
      clock,
      name,
      strategy,
      owner: owner.key.address,
      account: account.address,
      custody,
      graceSeconds,
      intervalSeconds: schedule.intervalSeconds,
      ...(identity !== undefined && { identity: { type: 'register', submitter, uri: identity } }),
      ...(inherited && { ancestor: inherited.id }),
      secret,
      sponsor,
      warn: (message) => warnings.push(message),
      // Deployed only now, so that a strategy that cannot be granted costs nothing.
      async sign(root) {
        note('Deploying the owner’s account if needed')
        await deployAccount({ client, submitter: sponsor }, account)
        await giveMoney(context, owner)
        return signDelegation(account, root)
      },
      drip: (to, id) =>
        dripGas(
          { client, journal: store.journal, submitter },
          { id, to, least: chain.world ? localGas : 0n },
        ),
    })
    await keepTexts(store, id, texts)
    await scheduleTickNow(context, id)
    return { golem: id, name, owner: owner.key.address, account: account.address, milliseconds, warnings }
  },
})

/** Refuses a model that is not on the operator's list. An existing Golem continues with its rules in that case. */
function requireModel(model: ModelConfig | undefined): void {
  if (!model || model.endpoint !== undefined) return
  throw new BardoError(model.problem, {
    code: 'CONFIG_INVALID',
    remedy: 'Name an entry of models.toml with "use", or have the operator add one.',
    docsPath: 'operators.md#models',
  })
}

/** On the local chain, gives an empty account test money: without any it could not trade. */
async function giveMoney({ chain: { world, client } }: Context, { signer }: OwnerWallet): Promise<void> {
  if (!world) return
  const { address } = signer.account
  const balance = await client.readContract({
    address: world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
  if (balance === 0n) await world.fund(address, { USDC: firstDollars })
}
