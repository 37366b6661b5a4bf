import type { Address } from 'viem'
import type { ChainState, HookContext, Read } from '../caveatKind.ts'
import { plainAddress } from '../execution/digits.ts'
import { questions } from './questions.ts'
import { addressAt, askOwn, askOwnAddress } from './staticRead.ts'

type Enforcer = Pick<HookContext, 'enforcer' | 'rules'>

/** The contracts that an enforcer with a mandate was deployed with, in the order of version 2. */
const dependencies = ['vitals', 'policyCage', 'delegationManager'] as const

/** The reads for the contracts of an enforcer with a mandate. Version 1 accepts any manager. */
export function dependencyReads({ enforcer, rules }: Enforcer): readonly Read[] {
  const to = plainAddress(enforcer)
  return rules === 1 ? [questions.vitals(to), questions.policyCage(to)] : [questions.dependencies(to)]
}

/** The address of a contract that an enforcer with a mandate was deployed with. */
export function dependencyOf(
  { enforcer, rules }: Enforcer,
  chain: ChainState,
  name: (typeof dependencies)[number],
): Address {
  const to = plainAddress(enforcer)
  if (rules === 1) return askOwnAddress(chain, questions[name](to))
  const words = askOwn(chain, questions.dependencies(to), dependencies.length)
  return addressAt(words, dependencies.indexOf(name))
}
