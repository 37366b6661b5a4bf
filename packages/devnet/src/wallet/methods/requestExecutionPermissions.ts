import type { PermissionRequest, PermissionTypes } from '@metamask/7715-permission-types'
import { type LocalAccount, numberToHex } from 'viem'
import { getBlock } from 'viem/actions'
import { z } from 'zod'
import { accountKind } from '../account/smartAccount.ts'
import { upgradeAccount } from '../account/upgradeAccount.ts'
import { adjustGrant } from '../grants/adjustGrant.ts'
import { type GrantRequest, grantRequestSchema } from '../grants/grantRequestSchema.ts'
import { fromOlderGrantRequest } from '../grants/olderGrantRequest.ts'
import { signGrant } from '../grants/signGrant.ts'
import { supportedPermissions } from '../grants/supportedPermissions.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'

type Agreed = { readonly account: LocalAccount; readonly request: GrantRequest }

/**
 * `wallet_requestExecutionPermissions` (ERC-7715). Several requests are granted together or not at all: the owner has
 * answered every one of them before the first transaction or signature.
 */
export const walletRequestExecutionPermissions: WalletMethod = async (wallet, params) => {
  const { client, chainId } = await wallet.networks.home()
  const now = Number((await getBlock(client)).timestamp)
  const schema = grantRequestSchema(now, supportedPermissions(wallet.environment))
  const requests = parseParams(z.array(schema).min(1), params)
  const foreign = requests.find((request) => request.chainId !== chainId)
  if (foreign) {
    throw new ProviderRpcError(
      providerErrorCodes.invalidParams,
      `There are no grants on chain ${foreign.chainId}.`,
    )
  }
  const wanted = requests.map((request) => ({ account: wallet.keyring.authorized(request.from), request }))

  const agreed: Agreed[] = []
  for (const { account, request } of wanted) {
    agreed.push({ account, request: await askForGrant(wallet, account, request, schema) })
  }
  const grants = []
  for (const { account, request } of agreed) {
    await upgradeAccount(wallet, account)
    grants.push(await signGrant(wallet, account, request))
  }
  for (const grant of grants) wallet.grants.set(grant.response.context, grant)
  return grants.map(({ response }) => response)
}

/** `wallet_grantPermissions`: the first name of the same method, which also takes its first shape of request. */
export const walletGrantPermissions: WalletMethod = (wallet, params) =>
  walletRequestExecutionPermissions(
    wallet,
    Array.isArray(params) ? params.map(fromOlderGrantRequest) : params,
  )

async function askForGrant(
  { ask, networks, environment }: WalletContext,
  account: LocalAccount,
  request: GrantRequest,
  schema: ReturnType<typeof grantRequestSchema>,
): Promise<GrantRequest> {
  const { client } = await networks.home()
  const upgrade = (await accountKind(client, environment, account.address)) !== 'smart'
  const shown: PermissionRequest<PermissionTypes> = {
    ...request,
    chainId: numberToHex(request.chainId),
    from: account.address,
  }
  const decision = await ask({ kind: 'grant', from: account.address, request: shown, upgrade })
  return decision !== 'approve' && 'adjust' in decision
    ? adjustGrant(request, decision.adjust, schema)
    : request
}
