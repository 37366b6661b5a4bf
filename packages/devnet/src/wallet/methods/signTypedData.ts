import { type Address, isAddressEqual, type TypedDataDefinition } from 'viem'
import { z } from 'zod'
import type { Keyring } from '../keyring.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { address, bytes } from '../rpcTypes.ts'
import type { WalletMethod } from '../walletContext.ts'

// Loose: the page's domain type may declare other fields, and what it declares must be signed.
const domain = z.looseObject({
  name: z.string().exactOptional(),
  version: z.string().exactOptional(),
  chainId: z
    .union([z.number(), z.string()])
    .transform(Number)
    .refine(Number.isSafeInteger, 'expected a chain id')
    .exactOptional(),
  verifyingContract: address.exactOptional(),
  salt: bytes.exactOptional(),
})

const typedData = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain,
  message: z.record(z.string(), z.unknown()),
})

type TypedData = z.output<typeof typedData>

const fromJson = z.unknown().transform((given, context): unknown => {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    context.addIssue('expected JSON')
    return z.NEVER
  }
})

const params = z.tuple([address, fromJson.pipe(typedData)])

/**
 * `eth_signTypedData_v4`, with MetaMask's checks: nothing that would act for the wallet's own accounts is
 * signed.
 */
export const ethSignTypedDataV4: WalletMethod = async ({ keyring, networks, ask }, given) => {
  const [signer, data] = parseParams(params, given)
  const account = keyring.authorized(signer)
  requireKnownPrimaryType(data)
  requireActiveChain(data, (await networks.active()).chainId)
  refuseOwnVerifyingContract(data, keyring, account.address)
  refuseOwnDelegation(data, keyring)

  // Without a domain type, the page signs over an empty one; viem would derive it from the domain's fields.
  const definition: TypedDataDefinition = { ...data, types: { EIP712Domain: [], ...data.types } }
  await ask({ kind: 'signTypedData', from: account.address, typedData: definition })
  return account.signTypedData(definition)
}

function requireKnownPrimaryType({ types, primaryType }: TypedData) {
  if (Object.hasOwn(types, primaryType)) return
  throw new ProviderRpcError(providerErrorCodes.invalidParams, `The types do not declare "${primaryType}".`)
}

function requireActiveChain({ domain: { chainId } }: TypedData, active: number) {
  if (chainId === undefined || chainId === active) return
  throw refused(`The domain names chain ${chainId}, but the active chain is ${active}.`)
}

/**
 * An account of the wallet as the verifying contract: its EIP-7702 code would accept the signature as a
 * command. The signer's own account is allowed, as in MetaMask, because smart-account protocols need it.
 */
function refuseOwnVerifyingContract(
  { domain: { verifyingContract } }: TypedData,
  keyring: Keyring,
  signer: Address,
) {
  if (!verifyingContract || isAddressEqual(verifyingContract, signer) || !keyring.isOwn(verifyingContract))
    return
  throw refused('External signature requests cannot name an internal account as the verifying contract')
}

/**
 * A delegation by an account of the wallet would give the whole account away; pages must request an ERC-7715
 * grant.
 */
function refuseOwnDelegation({ primaryType, message }: TypedData, keyring: Keyring) {
  if (primaryType !== 'Delegation') return
  const delegator = parseParams(address, message['delegator'])
  if (!keyring.isOwn(delegator)) return
  throw refused('External signature requests cannot sign delegations for internal accounts')
}

/** MetaMask answers these checks with -32603, so pages must expect exactly that. */
function refused(message: string) {
  return new ProviderRpcError(providerErrorCodes.internal, message)
}
