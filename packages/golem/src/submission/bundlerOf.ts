import type { Bundler, Paymaster } from '@bardo/chain'
import { noBundler, type Route } from '@bardo/wallets'
import type { GolemParts } from '../permission/golemParts.ts'

type Operations = Extract<Route, { type: 'userOperation' }>
type Chain = Pick<GolemParts, 'client' | 'deployment'>

/** The bundler of a route. Throws if this process knows none. */
export function bundlerOf({ client, deployment }: Chain, { bundler }: Operations): Bundler {
  if (!bundler) throw noBundler()
  return bundler({ client, entryPoint: deployment.framework.EntryPoint })
}

/** The paymaster of a route, if it has one. */
export function paymasterOf({ client, deployment }: Chain, { paymaster }: Operations): Paymaster | undefined {
  return paymaster?.({ client, entryPoint: deployment.framework.EntryPoint })
}

/** Whether a paymaster pays for the operations: the session account then needs no gas. */
export function isPaidFor(route: Route | undefined): boolean {
  return route?.type === 'userOperation' && route.paymaster !== undefined
}
