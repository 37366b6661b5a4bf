import { adoptConstitution, deployAccount, enactConstitution, transferCall } from '@bardo/chain'
import { type DayPrices, signDelegation } from '@bardo/core'
import { defaultSchedule, summonGolem } from '@bardo/golem'
import { parseEther } from 'viem'
import { createLife, type Life } from '../life.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The owner's strategy. Every limit on the chain comes from these lines. */
const strategy = `- Swap USDC into WETH.
- Deposit USDC into the vault when the balance is above $200.
- Withdraw USDC from the vault when funds are needed.
- Spawn replicants.

budget: $300/day
lifespan: 30 days`

/** Gas for a session key: the only money it ever holds. */
export const drip = parseEther('0.02')

/** The dead-man's switch: after this many seconds without a heartbeat, the next stricter phase applies. */
const graceSeconds = 6 * 3_600

/** Two dollars a day. */
const dayPrices: DayPrices = { compute: 180n, data: 20n }

/** The owner funds a smart account, writes a strategy, and signs once. */
export async function grant(stage: Stage, story: Story): Promise<Life> {
  const { owner, operator, client, world } = stage
  const { address } = owner.account
  story.chapter(
    'The delegation',
    'The owner’s money is in a smart account that only the owner’s key controls. The owner writes what the Golem may do:',
  )
  story.aside(`${strategy.replace(/^(?=.)/gm, '  ')}\n`)

  await story.step('account', async () => {
    const landed = await deployAccount({ client, submitter: operator }, owner.account)
    return {
      what: 'The smart account is deployed; the operator pays the gas.',
      ...(landed && { transaction: landed.hash }),
    }
  })
  await story.step('money', async () => {
    const amount = dollars(1_000)
    const call = transferCall({ token: world.addresses.usdc, amount, account: address })
    const { hash } = await owner.submitter.submit({ id: 'money', ...call })
    return { what: `The owner transfers ${inDollars(amount)} into it.`, transaction: hash }
  })
  const { id } = await story.step('grant', async () => {
    const { id } = await summonGolem({
      ...stage,
      name: 'Alpha',
      strategy,
      owner: owner.address,
      account: address,
      graceSeconds,
      intervalSeconds: defaultSchedule.intervalSeconds,
      sponsor: operator,
      adopt: async (constitution) =>
        adoptConstitution(owner.ownerSigner, await enactConstitution(owner.ownerSigner, constitution)),
      sign: (root) => signDelegation(owner.account, root),
      drip: (to, intent) => owner.submitter.submit({ id: intent, to, value: drip }),
    })
    const what =
      'The strategy is compiled into one delegation that holds every limit. The owner’s wallet signs it, a session key gets 0.02 ETH for gas, and Alpha is alive.'
    return { id, what }
  })
  const signatures = owner.asked.filter((kind) => kind === 'signTypedData').length
  story.promise(signatures === 1, 'The wallet asked for exactly one signature.')
  return createLife(stage, id, dayPrices)
}
