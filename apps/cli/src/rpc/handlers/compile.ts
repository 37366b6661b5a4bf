import { readConstitution, readDelegationTree, readSigningMoment } from '@bardo/chain'
import {
  compareConstitutions,
  comparePlans,
  compileStrategy,
  constitutionSentences,
  missingAddresses,
  mostInADay,
  namedConstitution,
  type PermissionPlan,
  plannedEntries,
  settlePlan,
} from '@bardo/core'
import { custodyChoice, droppedPositions, livingChildren, positionJson, withMembers } from '@bardo/golem'
import { namesOf } from '@bardo/golem/requests'
import { type Address, zeroAddress } from 'viem'
import { z } from 'zod'
import { configOf } from '../../context/golemSettings.ts'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { boundSentences, compiledJson } from '../compiledJson.ts'
import { findGolem } from '../findGolem.ts'
import { plannedExposure } from '../plannedExposure.ts'
import { defineTask } from '../task.ts'
import { entryJson } from './book.ts'
import { golemField, textField } from './fields.ts'

/** Compiles a strategy for this chain, and compares it with a Golem's current permissions. */
export const compile = defineTask({
  input: z.strictObject({
    strategy: textField,
    config: textField.nullable().default(null),
    golem: golemField.optional(),
  }),
  async run(context, { strategy, config, golem: named }) {
    const { client, deployment } = context.chain
    const golem = named === undefined ? undefined : await findGolem(context, named)
    const book = await withMembers(context.store, context.chain.book, golem?.owner)
    const read = configOf(config, {
      chainId: deployment.chainId,
      env: context.settings.env,
      models: context.models,
    })
    const custody = custodyChoice(read.provider)
    const { timestamp: now } = await client.getBlock()
    const { constitution } = read
    const stated = compileStrategy(strategy, { now, symbols: [...book.assets.keys()], constitution })
    const held = golem && (await (await context.open(golem.id)).status()).permission.terms
    const payer = held?.mandate.account ?? localAccount(context)
    const moment = await readSigningMoment(context.chain, stated.plan, payer ?? zeroAddress)
    // A new owner of the local chain gets money when the Golem is summoned.
    const isKnown = payer !== undefined && moment.portfolioCents !== 0n
    const { nativeCents } = moment
    const hasConstitution =
      held?.constitution !== undefined || stated.plan.sections.constitution !== undefined
    const drawsGas = custody.type !== 'localKey' && !hasConstitution
    const plan = settlePlan(stated.plan, {
      ...(isKnown && { portfolioCents: moment.portfolioCents }),
      ...(drawsGas && { nativeCents }),
    })
    const compiled = { ...stated, plan }
    const bounds = custody.type === 'localKey' ? boundSentences(custody.bounds, compiled.plan) : null
    // A local key's plan omits what its limits do not name.
    const missing = custody.type === 'localKey' ? [] : missingAddresses(compiled.plan, book)
    const isGranted = compiled.plan.classes.length > 0
    /** The addresses that would be signed, and whether they are built in. */
    const addresses = plannedEntries(compiled.plan, book, deployment.chainId).map(entryJson)
    if (!golem)
      return {
        ...compiledJson(compiled, book.members),
        exposure: isGranted
          ? plannedExposure(compiled, now, {
              nativeCents,
              ...(custody.type === 'localKey' && { bounds: custody.bounds }),
            })
          : null,
        bounds,
        missing,
        addresses,
        against: null,
        constitution: [],
        changes: [],
        day: null,
        dropped: [],
        children: [],
      }
    const { id, name } = golem
    const { permission } = await (await context.open(id)).status()
    const { facts } = await readDelegationTree(client, deployment, permission.links)
    const { account } = permission.terms.mandate
    const { cageEnforcer } = deployment.contracts
    const { state, manager } = facts
    const content =
      permission.terms.constitution && (await readConstitution(context.chain, permission.terms.constitution))
    const kept = content
      ? namedConstitution(content, (asset) => namesOf(book).token(asset)?.symbol ?? asset)
      : undefined
    return {
      ...compiledJson(compiled, book.members),
      /** Null without a permission, and for a local key, whose limits do not come from the strategy. */
      exposure:
        isGranted && permission.golem.custody !== 'localKey'
          ? plannedExposure(compiled, now, {
              nativeCents,
              of: { golem: id, account, cageEnforcer, manager, state },
            })
          : null,
      bounds,
      /** What the strategy needs and this chain's address book does not list. */
      missing,
      addresses,
      against: { golem: id, name },
      changes: [
        ...comparePlans(permission.plan, compiled.plan),
        ...(compiled.plan.sections.constitution
          ? compareConstitutions(kept, compiled.plan.sections.constitution)
          : []),
      ],
      /** The signed constitution, which stays in force unless the strategy states another. */
      constitution: kept && !compiled.plan.sections.constitution ? constitutionSentences(kept) : [],
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

/** The account of the local chain's owner; a real owner's is known when they sign. */
function localAccount({ chain, store }: Context): Address | undefined {
  return chain.world && ownerWallet(chain, store, undefined).signer.account.address
}

const dayOf = ({ sections: { totals }, ...plan }: PermissionPlan) =>
  `${mostInADay({ ...plan, totals, sizeCents: plan.sizeCents[0] })}`
