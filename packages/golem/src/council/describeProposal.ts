import { findCoSigned } from '@bardo/chain'
import { type Deployment, formatDollars, type Names } from '@bardo/core'
import { type Address, decodeFunctionData, erc20Abi, erc4626Abi, formatUnits, type Hex } from 'viem'
import { coSigningOf, type Proposal } from './proposal.ts'

/** A proposal in words, from its bytes: who signs, and every call. Undefined if no link names co-signers. */
export function describeProposal(
  deployment: Deployment,
  proposal: Proposal,
  names: Names,
): string | undefined {
  const asked = coSigningOf(deployment, proposal)
  const [link] = asked ? findCoSigned(deployment, [asked.delegation]) : []
  if (!link) return undefined
  const { threshold, keys } = link.coSigners
  const who = keys.map((key) => names.label(key) ?? key).join(', ')
  const calls = proposal.calls.map((call) => callText(call, names)).join('; ')
  return `${threshold} of ${keys.length} co-signatures (${who}) for: ${calls}. Its proposer values it at ${formatDollars(proposal.valueCents)}.`
}

function callText({ to, value, data }: Proposal['calls'][number], names: Names): string {
  const token = names.token(to)
  const name = (address: Address) => names.label(address) ?? names.token(address)?.symbol ?? address
  const sent = value > 0n ? ` with ${formatUnits(value, 18)} ETH` : ''
  const erc20 = token && decoded(erc20Abi, data)
  if (token && (erc20?.functionName === 'approve' || erc20?.functionName === 'transfer')) {
    const [receiver, amount] = erc20.args
    const verb = erc20.functionName === 'approve' ? 'approve' : 'transfer'
    return `${verb} ${formatUnits(amount, token.decimals)} ${token.symbol} ${verb === 'approve' ? 'for' : 'to'} ${name(receiver)}`
  }
  const vault = decoded(erc4626Abi, data)
  const method = vault?.functionName ?? data.slice(0, 10)
  return `call ${method} of ${name(to)}${sent}`
}

function decoded<const Abi extends typeof erc20Abi | typeof erc4626Abi>(abi: Abi, data: Hex) {
  try {
    return decodeFunctionData<Abi>({ abi, data })
  } catch {
    return undefined
  }
}
