import { openStage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** What a stranger has to know, and how to read the rest. */
const prologue = `
A Golem is a program that trades with its owner’s money, within bounds that
its owner signed and the chain enforces. This is the whole life of one of
them, Alpha. Lean back: nobody has to press a key.

  •  something that was done
  x  something that was tried, and refused by the chain, as it should be
  ✓  a promise of ours, looked up on the chain, and kept

A refusal names the bound that refused, and the link of the delegation it is
in: link 0 is what was signed for the very key that asks.`

/** Opens the stage: a chain of one's own. */
export async function world(story: Story, port: number): ReturnType<typeof openStage> {
  story.aside(prologue)
  story.chapter(
    'A world',
    'A chain of our own on this machine, with MetaMask’s Delegation Framework, Uniswap V3, USDC and a vault. The money is play money; the contracts and the signatures are the real ones.',
  )
  const { stage } = await story.step('world', async () => {
    const stage = await openStage(port)
    return { stage, what: `It listens at ${stage.world.url}.` }
  })
  return stage
}
