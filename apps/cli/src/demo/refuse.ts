import { explainTransaction, type Redeemer } from '@bardo/chain'
import { type Call, type Delegation, encodeRedemption } from '@bardo/core'
import { namedRefusal } from './namedRefusal.ts'
import type { Stage } from './openStage.ts'
import type { StepResult, Story } from './story.ts'

/** An attempt that the chain must refuse. */
export type Attempt = {
  readonly name: string
  readonly what: string
  readonly by: Redeemer
  readonly links: readonly Delegation[]
  readonly calls: readonly Call[]
  /** The caveat that must refuse, and its error. */
  readonly expected: { readonly caveat: string; readonly error: string }
}

/** A fixed gas limit: an estimate would simulate the call, see it revert, and send nothing. */
const gas = 1_500_000n

/**
 * Sends a forbidden transaction without checks or simulation, as a thief would. Promises that the chain mines it, that the
 * expected caveat refuses it, and that the owner's balances do not change.
 */
export async function refuse(stage: Stage, story: Story, attempt: Attempt): Promise<void> {
  const { name, what, by, links, calls, expected } = attempt
  const before = await money(stage)
  const { refusal } = await story.step(name, async (): Promise<StepResult> => {
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
    `Refused by ${expected.caveat} (${expected.error}), and no money moved.`,
  )
}

/** The owner's balances: of the key and of the smart account, in each asset. */
function money({ owner, world, balanceOf }: Stage): Promise<readonly bigint[]> {
  const { usdc, weth, usdcVault } = world.addresses
  const holders = [owner.address, owner.account.address]
  return Promise.all(
    holders.flatMap((holder) => [usdc, weth, usdcVault].map((asset) => balanceOf(asset, holder))),
  )
}
