import type { ActionPermit, AddressBook } from '@bardo/core'
import { canonicalJson } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual, sha256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { walletPolicyHash } from '../action/walletPolicy.ts'
import type { OwnerAsk } from './ownerRequest.ts'
import { migrationHash, transferStep } from './planMigration.ts'
import { beyond } from './requireBounded.ts'

type PermitRequest = Pick<OwnerRequest, 'id' | 'golem'>

/** The maximum validity of a permit. Requests are pending for at most a day. */
const mostSeconds = 2n * 86_400n

/** The permit for a wider policy, built from the two policies. Throws if the row's own permit differs. */
export function policyPermit(
  request: PermitRequest,
  { before, after, permit }: Pick<Extract<OwnerAsk, { type: 'policy' }>, 'before' | 'after' | 'permit'>,
  now: bigint,
): ActionPermit {
  const built = {
    ...common(request, permit, now),
    action: walletPolicyHash(after),
    riskTier: 2,
    policyHash: walletPolicyHash(before),
    simulationHash: zeroHash,
  }
  return requireSamePermit(built, permit)
}

/**
 * The permit for a migration, built from its assets, source and destination. Throws if the row's own permit
 * differs.
 */
export function migrationPermit(
  request: PermitRequest,
  ask: Pick<Extract<OwnerAsk, { type: 'permit' }>, 'source' | 'destination' | 'steps' | 'permit'>,
  book: Pick<AddressBook, 'assets' | 'contracts'>,
  now: bigint,
): ActionPermit {
  const { source, destination, permit } = ask
  const tokens = {
    erc20: [...book.assets.values()].map(({ token }) => token),
    nft: book.contracts.positionManager ? [book.contracts.positionManager] : [],
    eth: [zeroAddress],
  }
  const steps = ask.steps.map(({ kind, token, amount }) => {
    if (!tokens[kind].some((one) => isAddressEqual(one, token)))
      throw beyond([`${kind} ${token} is not a known token`])
    return transferStep({ kind, token, amount }, { source, destination })
  })
  if (canonicalJson(steps).toLowerCase() !== canonicalJson(ask.steps).toLowerCase())
    throw beyond(['a step’s call differs from the transfer that it names'])
  const action = migrationHash(source, destination, ask.steps)
  const built = {
    ...common(request, permit, now),
    action,
    riskTier: 3,
    // The policy in force; the migration compares it again before it moves anything.
    policyHash: permit.policyHash,
    simulationHash: action,
  }
  return requireSamePermit(built, permit)
}

function common({ id, golem }: PermitRequest, { deadline }: ActionPermit, now: bigint) {
  if (deadline > now + mostSeconds) throw beyond([`the permit would be valid until ${deadline}`])
  return { golem, nonce: BigInt(sha256(stringToHex(id))), deadline }
}

function requireSamePermit(built: ActionPermit, stored: ActionPermit): ActionPermit {
  if (canonicalJson(built).toLowerCase() === canonicalJson(stored).toLowerCase()) return built
  throw beyond(['its permit differs from the one built from its fields'])
}
