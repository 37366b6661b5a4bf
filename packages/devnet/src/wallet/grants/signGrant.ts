import { delegationTypedData } from '@bardo/core'
import { NonceEnforcer } from '@metamask/delegation-abis'
import {
  createNonceTerms,
  type Delegation,
  encodeDelegations,
  hashDelegation,
  ROOT_AUTHORITY,
} from '@metamask/delegation-core'
import { bytesToBigInt, type Hex, type LocalAccount, numberToHex } from 'viem'
import { readContract } from 'viem/actions'
import type { WalletContext } from '../walletContext.ts'
import { enforcerAddress } from './enforcerAddress.ts'
import type { Grant } from './grant.ts'
import type { GrantRequest } from './grantRequestSchema.ts'
import { permissionCaveats } from './permissionCaveats.ts'
import { ruleCaveats } from './ruleCaveats.ts'

/** Signs a grant: one root delegation from the account to the grantee, in MetaMask's format. */
export async function signGrant(
  wallet: WalletContext,
  account: LocalAccount,
  request: GrantRequest,
): Promise<Grant> {
  const { environment, networks } = wallet
  const { client, chainId } = await networks.home()
  const manager = environment.DelegationManager
  const nonceEnforcer = enforcerAddress(environment, 'NonceEnforcer')
  // The account's nonce is a caveat, so raising it revokes every grant at once.
  const nonce = await readContract(client, {
    address: nonceEnforcer,
    abi: NonceEnforcer,
    functionName: 'currentNonce',
    args: [manager, account.address],
  })
  const unsigned = {
    delegate: request.to,
    delegator: account.address,
    authority: ROOT_AUTHORITY,
    caveats: [
      ...permissionCaveats(request.permission, environment),
      ...ruleCaveats(request, environment),
      {
        enforcer: nonceEnforcer,
        terms: createNonceTerms({ nonce: numberToHex(nonce) }),
        args: '0x' as const,
      },
    ],
    salt: bytesToBigInt(crypto.getRandomValues(new Uint8Array(32))),
  }
  const signature = await account.signTypedData(delegationTypedData(chainId, manager, unsigned))
  const delegation: Delegation<Hex> = { ...unsigned, signature }
  return {
    delegation,
    hash: hashDelegation(delegation),
    response: {
      ...request,
      chainId: numberToHex(chainId),
      from: account.address,
      context: encodeDelegations([delegation]),
      delegationManager: manager,
      // An EIP-7702 account needs no deployment first.
      dependencies: [],
    },
  }
}
