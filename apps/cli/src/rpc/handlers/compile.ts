import { readConstitution, readDelegationTree, readSigningMoment, readState } from '@bardo/chain'
import {
  BardoError,
  caveatRegistry,
  compareConstitutions,
  comparePlans,
  compileStrategy,
  constitutionSentences,
  exposure,
  hashDelegation,
  missingAddresses,
  mostInADay,
  namedConstitution,
  type PermissionPlan,
  plannedEntries,
  settlePlan,
  shareReads,
} from '@bardo/core'
import { custodyChoice, droppedPositions, livingChildren, positionJson, withMembers } from '@bardo/golem'
import { namesOf, nextRoot, planRegrant } from '@bardo/golem/requests'
import { accountOf } from '@bardo/operations'
import { type Address, type Hex, zeroAddress } from 'viem'
import { z } from 'zod'
import { configOf } from '../../context/golemSettings.ts'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { type ExposureJson, exposureJson } from '../../text/exposureJson.ts'
import { boundSentences, compiledJson } from '../compiledJson.ts'
import { everyGolem } from '../everyGolem.ts'
import { findGolem } from '../findGolem.ts'
import { readPrices, togetherWith } from '../ownerExposure.ts'
import {
  besides,
  type PlannedPermission,
  type PlannedShares,
  plannedExposure,
  plannedMandate,
  plannedPermission,
} from '../plannedExposure.ts'
import { defineTask } from '../task.ts'
import { entryJson } from './book.ts'
import { addressField, golemField, ownerKeyField, textField } from './fields.ts'

/** Compiles a strategy for this chain, and compares it with a Golem's current permissions. */
export const compile = defineTask({
  input: z.strictObject({
    strategy: textField,
    config: textField.nullable().default(null),
    golem: golemField.optional(),
    /** Who would sign. Default: the Golem's owner, the local chain's, or the only owner of this data folder. */
    owner: addressField.optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { strategy, config, golem: named, owner: given, ownerKey }) {
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
    const owner = golem?.owner ?? given ?? (await likelyOwner(context, ownerKey))
    const shares = await sharesOf(context, compiled.plan, owner)
    if (!golem) {
      const options = {
        nativeCents,
        shares,
        ...(custody.type === 'localKey' && { bounds: custody.bounds }),
      }
      const planned = plannedPermission(compiled, now, options)
      return {
        ...compiledJson(compiled, book.members),
        exposure: isGranted ? plannedExposure(compiled, now, options) : null,
        together: isGranted && owner ? await togetherWith(context, owner, { planned }) : null,
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
    const root = isGranted ? await rootToSign(context, id, account, strategy) : undefined
    const replaced = permission.links.at(-1)
    const replaces = replaced && hashDelegation(replaced)
    const isLocal = permission.golem.custody === 'localKey'
    const of = { golem: id, account, cageEnforcer, manager, state }
    const planned =
      root ?? (isLocal ? undefined : plannedPermission(compiled, now, { nativeCents, shares, of }))
    return {
      ...compiledJson(compiled, book.members),
      /** Null without a permission. */
      exposure: isGranted && planned ? alone(planned, compiled, golem.owner) : null,
      /** Under everything that the owner has signed, and this instead of the root that it replaces. */
      together: isGranted && planned ? await togetherWith(context, golem.owner, { planned, replaces }) : null,
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

/** The owner whose other permissions count, if they are not named; undefined if several could be meant. */
async function likelyOwner(context: Context, ownerKey: string | undefined): Promise<Address | undefined> {
  const { chain, store } = context
  if (chain.world || ownerKey !== undefined) return ownerWallet(chain, store, ownerKey).key.address
  const owners = new Set((await everyGolem(store)).map(({ owner }) => owner))
  const [only] = owners
  return owners.size === 1 ? only : undefined
}

/** What the owner's account holds in the vaults of a plan; undefined without an owner, or if an address is not known. */
async function sharesOf(
  { chain }: Context,
  plan: PermissionPlan,
  owner: Address | undefined,
): Promise<PlannedShares | undefined> {
  const { client, deployment, book } = chain
  if (!owner || !plan.targets.some(({ role }) => role === 'vault')) return undefined
  const known = { account: accountOf({ deployment, owner }), vaults: book.vaults }
  const [state, prices] = await Promise.all([
    readState(client, deployment, shareReads(plannedMandate(plan, known))),
    readPrices(chain),
  ])
  return { ...known, state, prices }
}

/** The root that `bardo adjust` would have the owner sign, with its state; undefined if it cannot be signed now. */
async function rootToSign(
  context: Context,
  id: Hex,
  account: Address,
  text: string,
): Promise<PlannedPermission | undefined> {
  const { client, deployment } = context.chain
  try {
    const parts = await context.partsOf(id)
    const signer = { client, deployment, account: { address: account } }
    const root = await nextRoot(parts, await planRegrant(signer, parts, { type: 'strategy', text }))
    const permission = await readDelegationTree(client, deployment, [root])
    return { permission, registry: caveatRegistry(deployment), prices: await readPrices(context.chain) }
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}

/** What one permission alone would expose. */
function alone(
  { permission, registry, prices }: PlannedPermission,
  compiled: Parameters<typeof besides>[0],
  owner: Address,
): ExposureJson {
  const shown = exposureJson(exposure({ permissions: [permission], registry, prices, own: [owner] }))
  return { ...shown, notIncluded: [...shown.notIncluded, ...besides(compiled)] }
}

const dayOf = ({ sections: { totals }, ...plan }: PermissionPlan) =>
  `${mostInADay({ ...plan, totals, sizeCents: plan.sizeCents[0] })}`
