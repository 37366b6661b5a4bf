import { BardoError } from '@bardo/core'
import { type Death, type DeathStep, deathIntentId } from '@bardo/golem'
import type { Hash } from 'viem'
import type { Life } from '../life.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The steps of the shutdown that the demo shows. */
const shown: readonly (readonly [name: string, step: DeathStep, what: string])[] = [
  [
    'acceptance',
    'postDeclining',
    'Acceptance: the chain records the phase Declining. Alpha opens no position and accepts no new funding.',
  ],
  ['settlement', 'settle', 'Settlement: Alpha closes what is still open. Its vault is closed already.'],
  ['terminal', 'postTerminal', 'Terminal: from now on, the chain refuses even closing.'],
  [
    'surrender',
    'surrender',
    'Surrender: Alpha removes itself from the on-chain registry, permanently. Its delegation no longer has any effect.',
  ],
  ['farewell', 'wipe', 'All remaining gas returns to the owner, to the wei, and the key is wiped.'],
]

/** The runway is used up: Alpha closes what is still open, gives up its authority, and leaves nothing behind. */
export async function death(stage: Stage, story: Story, life: Life): Promise<Death> {
  const { owner, world, store, balanceOf } = stage
  const { usdcVault } = world.addresses
  const { address } = owner.account
  story.chapter(
    'Death',
    'The runway is used up. Alpha shuts down in order: it closes what is still open, gives up its authority, and asks the owner to revoke. There is no money to recover from it: Alpha never held any.',
  )
  await world.warp(3 * 86_400)
  const tick = await life.golem.tick()
  if (tick.type !== 'dying')
    throw new BardoError('The Golem did not shut down.', { code: 'INTERNAL', details: [tick.type] })
  for (const [name, step, what] of shown) await tell(stage, story, life, tick.death, { name, step, what })

  story.promise((await balanceOf(usdcVault, address)) === 0n, 'No position is left.')
  const { trigger, impossible, unwound } = tick.death
  const isWhole = tick.phase === 'over' && impossible.length === 0 && unwound.deferred.length === 0
  story.promise(
    isWhole && trigger === 'economicExhaustion',
    'The shutdown is complete, and every step succeeded.',
  )
  story.promise((await life.parts.keys.open()) === undefined, 'The key is wiped.')
  const [request] = await store.ownerRequests.pending(life.id)
  story.promise(request?.kind === 'revoke', 'A request to revoke is waiting for the owner.')
  return tick.death
}

/** Reports one step of the shutdown, with its duration and its transaction. */
async function tell(
  { store }: Stage,
  story: Story,
  { stepTimes }: Life,
  death: Death,
  { name, step, what }: { readonly name: string; readonly step: DeathStep; readonly what: string },
): Promise<void> {
  const begun = stepTimes.findLastIndex((one) => one.step === step)
  const milliseconds = (stepTimes[begun + 1]?.at ?? performance.now()) - (stepTimes[begun]?.at ?? 0)
  const settled = death.unwound.settled.find(() => step === 'settle')?.transaction
  const sent = await store.journal.find(deathIntentId(death, step))
  const transaction: Hash | undefined =
    settled ?? (sent?.settlement?.kind === 'landed' ? sent.settlement.mined.hash : undefined)
  await story.step(name, async () => ({ what, ...(transaction && { transaction }), milliseconds }))
}
