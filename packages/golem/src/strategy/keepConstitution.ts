import { leastOf } from '@bardo/core'
import { insideLimit } from './boundDecision.ts'
import { type AddLiquidity, type ConstitutionRoom, type Decision, type View, wait } from './strategy.ts'

/** Below a dollar an action is not worth its gas. */
const leastCents = 100n

/**
 * Cuts a decision to what the owner's constitution leaves, or waits. Strategies by rules use it: they would repeat a
 * refused action at every tick. What a model asks for is not cut: the guard refuses it, and the refusal is recorded.
 */
export function keepConstitution(decision: Decision, { constitution, plan }: View): Decision {
  if (!constitution) return decision
  if (decision.type === 'addLiquidity') return keepLiquidity(decision, constitution)
  if (decision.type !== 'swap' && decision.type !== 'deposit') return decision
  const { leftCents, buyCents, depositCents } = constitution
  const bought = decision.type === 'swap' ? decision.to : decision.asset
  const sold = decision.type === 'swap' ? decision.from : decision.asset
  const refused = [sold, bought].find((symbol) => buyCents[symbol] === undefined)
  if (refused !== undefined) return wait(`the constitution does not approve ${refused}`)
  const isClosing = decision.type === 'swap' && bought === plan.settlement
  const room = decision.type === 'deposit' ? depositCents : insideLimit(buyCents[bought] ?? 0n)
  const cents = leastOf(decision.cents, leftCents, ...(isClosing ? [] : [room]))
  return cents < leastCents
    ? wait(`the constitution leaves no room to ${decision.type} ${bought}`)
    : { ...decision, cents }
}

/** Like a deposit: what is in a pool counts as lost. */
function keepLiquidity(
  decision: AddLiquidity,
  { leftCents, buyCents, depositCents }: ConstitutionRoom,
): Decision {
  const refused = decision.assets.find((symbol) => buyCents[symbol] === undefined)
  if (refused !== undefined) return wait(`the constitution does not approve ${refused}`)
  const cents = leastOf(decision.cents, insideLimit(leftCents), insideLimit(depositCents))
  return cents < leastCents
    ? wait('the constitution leaves no room to add liquidity')
    : { ...decision, cents }
}
