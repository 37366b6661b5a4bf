import { BardoError } from '@bardo/core'
import { type Death, type DeathStep, deathIntentId } from '@bardo/golem'
import type { Hash } from 'viem'
import type { Life } from '../life.ts'
import { inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The steps of a death that a reader wants to see. */
const shown: readonly (readonly [name: string, step: DeathStep, what: string])[] = [
  [
    'acceptance',
    'postDeclining',
    'Acceptance: the chain has it as Declining. It opens nothing more, and takes no food.',
  ],
  ['settlement', 'settle', 'Settlement: its vault position is closed, to the owner’s account.'],
  ['terminal', 'postTerminal', 'Terminal: from here on not even unwinding passes.'],
  [
    'surrender',
    'surrender',
    'Surrender: it takes itself off the chain’s list of the living, for good. Its grant is worth nothing now.',
  ],
  ['farewell', 'wipe', 'The last of its gas goes to the owner, to the wei; its key is wiped.'],
]

/** The runway is over: it closes what it opened, gives its authority up, and leaves nothing. */
export async function death(stage: Stage, story: Story, life: Life): Promise<Death> {
  const { owner, world, store, balanceOf } = stage
  const { usdc, usdcVault } = world.addresses
  const { address } = owner.account
  story.chapter(
    'Death',
    'The runway is over. Alpha dies in order: it settles what it opened, then gives up what it may do, and files the owner’s revocation. There is nothing to sweep, since nothing was ever its own.',
  )
  const before = await balanceOf(usdc, address)
  await world.warp(3 * 86_400)
  const tick = await life.golem.tick()
  if (tick.is !== 'dying') throw new BardoError('It did not die.', { code: 'INTERNAL', details: [tick.is] })
  for (const [name, step, what] of shown) await tell(stage, story, life, tick.death, { name, step, what })

  const back = (await balanceOf(usdc, address)) - before
  const shares = await balanceOf(usdcVault, address)
  story.promise(
    shares === 0n && back > 0n,
    `${inDollars(back)} came back out of the vault, and no share is left.`,
  )
  const { trigger, impossible, unwound } = tick.death
  const isWhole = tick.phase === 'over' && impossible.length === 0 && unwound.deferred.length === 0
  story.promise(
    isWhole && trigger === 'economicExhaustion',
    'The death is over, and no step of it was impossible.',
  )
  story.promise((await life.parts.keys.open()) === undefined, 'The key is wiped.')
  const [request] = await store.ownerRequests.pending(life.id)
  story.promise(request?.kind === 'revoke', 'The owner’s revocation waits to be signed.')
  return tick.death
}

/** One step of the death, with the time that it took in there and the transaction that it sent. */
async function tell(
  { store }: Stage,
  story: Story,
  { heard }: Life,
  death: Death,
  { name, step, what }: { readonly name: string; readonly step: DeathStep; readonly what: string },
): Promise<void> {
  const begun = heard.findLastIndex((one) => one.step === step)
  const milliseconds = (heard[begun + 1]?.at ?? performance.now()) - (heard[begun]?.at ?? 0)
  const settled = death.unwound.settled.find(() => step === 'settle')?.transaction
  const sent = await store.journal.find(deathIntentId(death, step))
  const transaction: Hash | undefined =
    settled ?? (sent?.settlement?.kind === 'landed' ? sent.settlement.mined.hash : undefined)
  await story.step(name, async () => ({ what, ...(transaction && { transaction }), milliseconds }))
}
