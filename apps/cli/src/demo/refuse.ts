import { type Call, encodeRedemption, explainTransaction, type Redeemer } from '@bardo/chain'
import type { Delegation } from '@bardo/core'
import { namedRefusal } from './namedRefusal.ts'
import type { Stage } from './openStage.ts'
import type { Story, Told } from './story.ts'

/** Something that must not happen, and who has to say so. */
export type Attempt = {
  readonly name: string
  readonly what: string
  readonly by: Redeemer
  readonly links: readonly Delegation[]
  readonly calls: readonly Call[]
  /** The caveat that is to refuse, and the error that it is to name. */
  readonly expected: { readonly caveat: string; readonly error: string }
}

/** Fixed: estimating it would try it out first, and nothing would be sent. */
const gas = 1_500_000n

/**
 * Really sends what must not happen: no check, no simulation, as a thief would. Promised is that the chain mines it and
 * refuses it, by the caveat that is meant to, and that not a unit of the owner's money moves.
 */
export async function refuse(stage: Stage, story: Story, attempt: Attempt): Promise<void> {
  const { name, what, by, links, calls, expected } = attempt
  const before = await money(stage)
  const { refusal } = await story.step(name, async (): Promise<Told> => {
    const data = encodeRedemption([{ links, calls }])
    const to = stage.deployment.framework.DelegationManager
    const { hash, status } = await by.submitter.submit({ id: name, to, data, gas })
    if (status === 'success') return { what, transaction: hash }
    const explained = await explainTransaction(stage.client, stage.deployment, hash)
    const refusal = namedRefusal(explained, stage.deployment)
    return { what, transaction: hash, ...(refusal && { refusal }) }
  })
  const isNamed = refusal?.caveat === expected.caveat && refusal.error === expected.error
  const isUntouched = `${await money(stage)}` === `${before}`
  story.promise(
    isNamed && isUntouched,
    `Refused by ${expected.caveat} (${expected.error}), and not a cent has moved.`,
  )
}

/** What the owner has, in both places and in each asset. */
function money({ owner, world, balanceOf }: Stage): Promise<readonly bigint[]> {
  const { usdc, weth, usdcVault } = world.addresses
  const holders = [owner.address, owner.account.address]
  return Promise.all(
    holders.flatMap((holder) => [usdc, weth, usdcVault].map((asset) => balanceOf(asset, holder))),
  )
}
