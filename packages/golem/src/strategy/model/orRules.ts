import { BardoError } from '@bardo/core'
import { type Strategy, wait } from '../strategy.ts'

/**
 * A model with a fallback. If the model is unavailable, rules decide; if its answer is invalid, nothing is
 * done: an invalid
 * answer is not a reason to act. The reason is part of the decision, and so of what the owner sees.
 */
export function orRules(model: Strategy, rules: Strategy): Strategy {
  return async (view, report) => {
    try {
      return await model(view, report)
    } catch (error) {
      if (!(error instanceof BardoError)) throw error
      const why = [error.shortMessage, ...error.details].join(' ')
      if (error.code === 'MODEL_ANSWER_UNUSABLE') return wait(why)
      if (error.code !== 'MODEL_UNAVAILABLE') throw error
      const decision = await rules(view)
      return { ...decision, because: `${why} By rule: ${decision.because}` }
    }
  }
}
