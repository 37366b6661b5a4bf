import { openStage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** Opens the stage: a chain of one's own. */
export async function world(story: Story, port: number): ReturnType<typeof openStage> {
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
