import { openStage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** What a new reader needs to know. */
const prologue = `
A Golem is a program that trades with its owner’s money, within limits that
its owner signed and the chain enforces. This demo shows the full lifecycle
of one Golem, Alpha. No input is needed.

  •  a step that was done
  x  an attempt that the chain refused, as it should
  ✓  a promise that was checked on the chain and kept

A refusal names the caveat that refused, and its link in the delegation
chain: link 0 is the delegation to the key that sent the transaction.`

/** Starts the local chain. */
export async function world(story: Story, port: number): ReturnType<typeof openStage> {
  story.aside(prologue)
  story.chapter(
    'The local chain',
    'A chain on this machine, with MetaMask’s Delegation Framework, Uniswap V3, USDC and a vault. The money is test money; the contracts and the signatures are real.',
  )
  const { stage } = await story.step('world', async () => {
    const stage = await openStage(port)
    return { stage, what: `It listens at ${stage.world.url}.` }
  })
  return stage
}
