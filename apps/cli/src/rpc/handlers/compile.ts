import { readDelegationTree } from '@bardo/chain'
import { comparePlans, compileStrategy, missingAddresses, mostInADay, type PermissionPlan } from '@bardo/core'
import { custodyChoice, droppedPositions, livingChildren, positionJson } from '@bardo/golem'
import { z } from 'zod'
import { configOf } from '../../context/golemSettings.ts'
import { boundSentences, compiledJson } from '../compiledJson.ts'
import { findGolem } from '../findGolem.ts'
import { plannedExposure } from '../plannedExposure.ts'
import { defineTask } from '../task.ts'
import { golemField, textField } from './fields.ts'

/** Compiles a strategy for this chain, and compares it with a Golem's current permissions. */
export const compile = defineTask({
  input: z.strictObject({
    strategy: textField,
    config: textField.nullable().default(null),
    golem: golemField.optional(),
  }),
  async run(context, { strategy, config, golem: named }) {
    const { client, book, deployment } = context.chain
    const custody = custodyChoice(
      configOf(config, { chainId: deployment.chainId, env: context.settings.env, models: context.models })
        .provider,
    )
    const { timestamp: now } = await client.getBlock()
    const compiled = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
    const bounds = custody.type === 'localKey' ? boundSentences(custody.bounds, compiled.plan) : null
    // A local key's plan omits what its limits do not name.
    const missing = custody.type === 'localKey' ? [] : missingAddresses(compiled.plan, book)
    const isGranted = compiled.plan.classes.length > 0
    if (named === undefined)
      return {
        ...compiledJson(compiled),
        exposure: isGranted
          ? plannedExposure(compiled, now, custody.type === 'localKey' ? { bounds: custody.bounds } : {})
          : null,
        bounds,
        missing,
        against: null,
        changes: [],
        day: null,
        dropped: [],
        children: [],
      }
    const { id, name } = await findGolem(context, named)
    const { permission } = await (await context.open(id)).status()
    const { facts } = await readDelegationTree(client, deployment, permission.links)
    const { account } = permission.terms.mandate
    const { cageEnforcer } = deployment.contracts
    const { state, manager } = facts
    return {
      ...compiledJson(compiled),
      /** Null without a permission, and for a local key, whose limits do not come from the strategy. */
      exposure:
        isGranted && permission.golem.custody !== 'localKey'
          ? plannedExposure(compiled, now, { of: { golem: id, account, cageEnforcer, manager, state } })
          : null,
      bounds,
      /** What the strategy needs and this chain's address book does not list. */
      missing,
      against: { golem: id, name },
      changes: comparePlans(permission.plan, compiled.plan),
      /** The most that can leave in 24 hours under all signed limits together, now and under the new strategy. */
      day: { beforeCents: dayOf(permission.plan), afterCents: dayOf(compiled.plan) },
      /** They end with the delegation that this one would replace. */
      children: (await livingChildren(context.store, id)).map((child) => child.name),
      // As they would be under the new strategy.
      dropped: (await droppedPositions(await context.partsOf(id), permission, compiled.plan)).map(
        (position) => positionJson(position, true),
      ),
    }
  },
})

const dayOf = (plan: PermissionPlan) => `${mostInADay({ ...plan, sizeCents: plan.sizeCents[0] })}`
