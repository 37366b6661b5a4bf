import { readAdopted, readConstitution } from '@bardo/chain'
import { constitutionSentences, formatDollars, namedConstitution } from '@bardo/core'
import { type Address, type Hash, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { type Projection, projectFlows } from './projectAction.ts'

/** The constitution that a Golem is signed for, and how much of each limit is used. */
export type ConstitutionUse = {
  readonly hash: Hash
  /** Whether the owner's adopted constitution is this one. */
  readonly isAdopted: boolean
  readonly rules: readonly {
    readonly sentence: string
    /** What is used or held now; null if the rule counts nothing, or a price is missing. */
    readonly used: string | null
  }[]
}

/**
 * Reads the constitution of a Golem. Undefined if none is signed.
 *
 * @example
 * const use = await readConstitutionUse({ client, deployment, book }, permission)
 */
export async function readConstitutionUse(
  context: Pick<GolemParts, 'client' | 'deployment' | 'book'>,
  permission: SignedPermission,
): Promise<ConstitutionUse | undefined> {
  const hash = permission.terms.constitution
  if (hash === undefined) return undefined
  const [adopted, content, now] = await Promise.all([
    readAdopted(context, permission.golem.owner),
    readConstitution(context, hash),
    // A price feed that is down must not hide the rules.
    projectFlows(context, permission, { isClosing: false }).catch(() => undefined),
  ])
  const isAdopted = adopted?.toLowerCase() === hash.toLowerCase()
  if (!content) return { hash, isAdopted, rules: [{ sentence: 'It is not on this chain.', used: null }] }
  const assets = [...context.book.assets]
  const nameOf = (asset: Address) =>
    assets.find(([, { token }]) => isAddressEqual(token, asset))?.[0] ?? asset
  const tokenOf = (name: string) => content.assets.find(({ asset }) => nameOf(asset) === name)?.asset
  return {
    hash,
    isAdopted,
    rules: constitutionSentences(namedConstitution(content, nameOf)).map(({ part, sentence }) => ({
      sentence,
      used: now ? usedOf(part, now, tokenOf) : null,
    })),
  }
}

function usedOf(
  part: string,
  { used, portfolio }: Projection,
  tokenOf: (name: string) => Address | undefined,
): string | null {
  const [kind, asset = ''] = part.split(' ')
  switch (kind) {
    case 'perSessionCents':
      return `${formatDollars(used.session)} used in this session`
    case 'perDayCents':
      return `${formatDollars(used.day)} used in the last 24 hours`
    case 'share': {
      const token = tokenOf(asset)
      const held = portfolio?.held.find((one) => token && isAddressEqual(one.token, token))
      return portfolio ? `now ${percent(held?.micros ?? 0n, portfolio.totalMicros)}` : null
    }
    case 'maxDrawdownBps':
      return (
        (portfolio &&
          `now ${percent(portfolio.highestCents - portfolio.nowCents, portfolio.highestCents)} below ${formatDollars(portfolio.highestCents)}`) ??
        null
      )
    default:
      return null
  }
}

/** A share with one decimal. */
function percent(part: bigint, whole: bigint): string {
  return `${whole > 0n && part > 0n ? Number((part * 1_000n) / whole) / 10 : 0} %`
}
