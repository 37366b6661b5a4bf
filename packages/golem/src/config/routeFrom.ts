import { httpBundler, httpPaymaster } from '@bardo/chain'
import type { Route } from '@bardo/wallets'
import type { SubmissionConfig } from './golemConfig.ts'

/**
 * The route that golem.toml and the environment configure.
 *
 * @example
 * const { submission } = readGolemConfig({ toml, env })
 * await summonGolem({ ...summons, route: routeFrom(submission) })
 */
export function routeFrom(submission: SubmissionConfig): Route {
  if (submission.route === 'direct') return { type: 'direct' }
  const { bundler, paymaster } = submission
  return {
    type: 'userOperation',
    bundler: bundler && ((chain) => httpBundler(bundler.reveal(), chain)),
    ...(paymaster && { paymaster: ({ client }) => httpPaymaster(paymaster.reveal(), client) }),
  }
}
