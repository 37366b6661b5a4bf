import { BardoError, type Names } from '@bardo/core'
import { isAddress } from 'viem'

const addresses = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g

/** Replaces the addresses of known tokens, pools, vaults and contracts in a sentence by their names. */
export function nameAddresses(text: string, { token, label }: Names): string {
  return text.replace(addresses, (address) =>
    isAddress(address, { strict: false }) ? (token(address)?.symbol ?? label(address) ?? address) : address,
  )
}

/** Returns the error with a remedy that names addresses; an error of another kind is returned unchanged. */
export function nameRemedy(error: unknown, names: Names): unknown {
  if (!(error instanceof BardoError) || error.remedy === undefined) return error
  const remedy = nameAddresses(error.remedy, names)
  if (remedy === error.remedy) return error
  const { code, details, docsPath, outcome, retryable, retryAfter, cause } = error
  return new BardoError(error.shortMessage, {
    code,
    details,
    remedy,
    outcome,
    retryable,
    cause,
    ...(docsPath !== undefined && { docsPath }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}
