import { type AddressBook, BardoError, caveatRegistry, type Delegation, type Deployment } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { type Address, formatEther, formatUnits, zeroAddress } from 'viem'
import { policySentence, widerIn } from '../action/walletPolicy.ts'
import { describeProposal } from '../council/describeProposal.ts'
import { proposalKind, readProposal } from '../council/proposal.ts'
import { cleanText } from '../events/cleanText.ts'
import { readGrantRequest } from './grantRequest.ts'
import { namesOf } from './namesOf.ts'
import { type OwnerAsk, parseOwnerAsk } from './ownerRequest.ts'
import { runwayTerms } from './runwayTerms.ts'

/** The context of request descriptions. */
export type DescribeContext = {
  readonly book: AddressBook
  readonly deployment: Deployment
  /** The Golem's owner. */
  readonly owner: Address
}

const unreadable = 'This request is unreadable, or no Golem files such a request. Refuse it.'
const daySeconds = 86_400

/**
 * Describes a request, only from its parsed fields and numbers. The stored sentence is never shown: an
 * attacker with access
 * to the database could write anything into it.
 *
 * @example
 * describeRequest(request, { book, deployment, owner }) // 'Send 0.05 ETH to 0x…, for gas.'
 */
export function describeRequest(request: OwnerRequest, context: DescribeContext): string {
  try {
    return cleanText(sentenceOf(request, context))
  } catch (error) {
    if (error instanceof BardoError) return unreadable
    throw error
  }
}

function sentenceOf(request: OwnerRequest, context: DescribeContext): string {
  switch (request.kind) {
    case 'revoke':
      return 'Disable its delegations on the chain, permanently.'
    case 'redelegate':
      return 'Set its key as the writer of its row on the chain again.'
    case 'missedTicks':
      return 'No worker ticks it, so it is in observe-only mode. Start one with bardo worker, or ask your operator: the Golem then continues by itself. An answer only closes this request; nothing is signed.'
    case proposalKind: {
      const proposal = readProposal(request)
      const { deployment, book } = context
      return (proposal && describeProposal(deployment, proposal, namesOf(book))) ?? unreadable
    }
    case 'grant': {
      const { root } = readGrantRequest(request)
      return `Revoke the old grant, and sign the same limits for a new key, ${root.delegate}: ${boundsOf(root, context)}`
    }
    default: {
      const ask = parseOwnerAsk(request)
      return ask ? askSentence(ask, context) : unreadable
    }
  }
}

function askSentence(ask: OwnerAsk, context: DescribeContext): string {
  const { book, deployment, owner } = context
  const names = namesOf(book)
  const tokenOf = (token: Address) => names.token(token)?.symbol ?? token
  const amountOf = (token: Address, amount: bigint) => {
    if (token === zeroAddress) return `${formatEther(amount)} ETH`
    const asset = names.token(token)
    return asset ? `${formatUnits(amount, asset.decimals)} ${asset.symbol}` : `${amount} units of ${token}`
  }
  switch (ask.type) {
    case 'runway': {
      const usdc = book.assets.get('USDC')?.token
      const terms = runwayTerms(ask, { chainId: deployment.chainId, owner, usdc })
      return terms
        .map(
          ({ golem, account, daily, seconds }) =>
            `Up to ${formatUnits(daily, 6)} USDC a day into ${account}, the account of Golem ${golem.slice(0, 10)}…, for ${days(seconds)}.`,
        )
        .join(' ')
    }
    case 'sessionKey':
      return `An additional key, ${ask.root.delegate}, which the agent calls "${labelOf(ask.label)}": ${boundsOf(ask.root, context)}`
    case 'policy': {
      const wider = widerIn(ask.before, ask.after)
      return `From ${policySentence(ask.before)} To ${policySentence(ask.after)} Wider in: ${wider.join('; ') || 'nothing'}.`
    }
    case 'fund':
      return ask.token === zeroAddress
        ? `Send ${amountOf(ask.token, ask.amount)} to ${ask.to}, for gas.`
        : `Send ${amountOf(ask.token, ask.amount)} to ${ask.to}, the account that the Golem acts for.`
    case 'permit': {
      const moves = ask.steps.map(({ kind, token, amount }) =>
        kind === 'nft' ? `NFT ${amount} of ${tokenOf(token)}` : amountOf(token, amount),
      )
      return `Move ${moves.join(', ') || 'nothing'} from ${ask.source}, the Golem’s key, to ${ask.destination}.`
    }
  }
}

/** Every limit of a delegation, from its signed terms. */
function boundsOf({ caveats }: Delegation, { deployment, book }: DescribeContext): string {
  const registry = caveatRegistry(deployment)
  const sentences = caveats.flatMap(({ enforcer, terms }) => {
    const kind = registry(enforcer)
    if (!kind) return [`An unknown caveat of ${enforcer}.`]
    const sentence = kind.describe(kind.decode(terms), namesOf(book))
    return typeof sentence === 'string' ? [sentence] : [...sentence]
  })
  return sentences.length > 0 ? sentences.join(' ') : 'without any limit.'
}

/** The agent's label: up to 40 plain characters of it. */
function labelOf(label: string): string {
  return label.replaceAll(/[^\p{L}\p{N} .-]/gu, '').slice(0, 40)
}

function days(seconds: number): string {
  const whole = Math.ceil(seconds / daySeconds)
  return whole === 1 ? '1 day' : `${whole} days`
}
