import { deployAccount, signDelegation } from '@bardo/chain'
import { devnetAccount } from '@bardo/devnet'
import { custodyChoice, dayOfGas, summonGolem } from '@bardo/golem'
import { erc20Abi, parseUnits } from 'viem'
import { z } from 'zod'
import { configOf, keepTexts, requireSameTexts, settingsOf } from '../../place/golemSettings.ts'
import type { Place } from '../../place/openPlace.ts'
import { type OwnerWallet, ownerWallet } from '../../place/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, nameField, ownerKeyField, textField } from './fields.ts'

/** A day without a heartbeat narrows what a Golem may do. Origin: ours. */
const graceSeconds = 86_400
/** What an owner of the local world begins with. */
const firstDollars = parseUnits('10000', 6)

/** From a strategy to a Golem that waits for its first tick. */
export const summon = defineTask({
  input: z.strictObject({
    name: nameField,
    strategy: textField,
    config: textField.nullable().default(null),
    heartbeat: textField.nullable().default(null),
    identity: z.string().max(2_048).optional(),
    ancestor: golemField.optional(),
    ownerKey: ownerKeyField,
  }),
  async run(place, { name, strategy, config, heartbeat, identity, ancestor, ownerKey }, { note }) {
    const { chain, store, settings, secret, clock } = place
    const { client, deployment, book } = chain
    const texts = { config, heartbeat }
    const { schedule } = settingsOf(texts, strategy, deployment.chainId, settings.env)
    const custody = custodyChoice(configOf(config, deployment.chainId, settings.env).provider)
    const owner = ownerWallet(chain, store, ownerKey)
    const { account, submitter } = owner.desk
    const sponsor = chain.world ? place.submitterOf(devnetAccount('operator')) : submitter
    await requireSameTexts(store, { owner: owner.key.address, name }, texts)
    const warnings: string[] = []
    note('Making a key, signing, registering')
    const forebear = ancestor === undefined ? undefined : await findGolem(place, ancestor)
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
      ...(identity !== undefined && { identity: { is: 'register', submitter, uri: identity } }),
      ...(forebear && { ancestor: forebear.id }),
      secret,
      sponsor,
      warn: (message) => warnings.push(message),
      // Not before: what cannot be granted costs nothing.
      async sign(root) {
        note('Making sure of the owner’s account')
        await deployAccount({ client, submitter: sponsor }, account)
        await giveMoney(place, owner)
        return signDelegation(account, root)
      },
      drip: (key, intentId) => submitter.submit({ id: intentId, to: key, value: dayOfGas }),
    })
    await keepTexts(store, id, texts)
    await tickNow(place, id)
    return { golem: id, name, owner: owner.key.address, account: account.address, milliseconds, warnings }
  },
})

/** The local world is generous: an account with nothing in it can try nothing. */
async function giveMoney({ chain: { world, client } }: Place, { desk }: OwnerWallet): Promise<void> {
  if (!world) return
  const { address } = desk.account
  const balance = await client.readContract({
    address: world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
  if (balance === 0n) await world.fund(address, { USDC: firstDollars })
}
