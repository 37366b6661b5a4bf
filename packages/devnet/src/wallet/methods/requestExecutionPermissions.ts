import type { PermissionRequest, PermissionTypes } from '@metamask/7715-permission-types'
import { type LocalAccount, numberToHex } from 'viem'
import { getBlock } from 'viem/actions'
import { z } from 'zod'
import { accountKind } from '../account/smartAccount.ts'
import { upgradeAccount } from '../account/upgradeAccount.ts'
import { adjustGrant } from '../grants/adjustGrant.ts'
import { grantAnswer } from '../grants/grantAnswer.ts'
import { type GrantRequest, grantRequestSchema } from '../grants/grantRequestSchema.ts'
import { fromOlderGrantRequest, fromSignerRequest } from '../grants/olderGrantRequest.ts'
import { signGrant } from '../grants/signGrant.ts'
import { supportedPermissions } from '../grants/supportedPermissions.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'

type Agreed = { readonly account: LocalAccount; readonly request: GrantRequest }

/** `wallet_requestExecutionPermissions` (ERC-7715): accepts the current format, and the one with a signer. */
export const walletRequestExecutionPermissions: WalletMethod = (wallet, params) =>
  grantAll(wallet, Array.isArray(params) ? params.map(fromSignerRequest) : params)

/** `wallet_grantPermissions`: the method's first name, which also accepts its first formats. */
export const walletGrantPermissions: WalletMethod = async (wallet, params) =>
  grantAll(wallet, Array.isArray(params) ? params.flatMap(fromOlderGrantRequest) : params)

/**
 * Several requests are granted together or not at all: the owner answers all of them before the first
 * transaction or signature.
 */
async function grantAll(wallet: WalletContext, params: unknown): Promise<unknown> {
  const { client, chainId } = await wallet.networks.home()
  const now = Number((await getBlock(client)).timestamp)
  const schema = grantRequestSchema(now, supportedPermissions(wallet.environment))
  const requests = parseParams(z.array(schema).min(1), params)
  const foreign = requests.find((request) => request.chainId !== chainId)
  if (foreign) {
    throw new ProviderRpcError(
      providerErrorCodes.invalidParams,
      `The wallet cannot grant on chain ${foreign.chainId}.`,
    )
  }
  const pending = requests.map((request) => ({ account: wallet.keyring.authorized(request.from), request }))

  const agreed: Agreed[] = []
  for (const { account, request } of pending) {
    agreed.push({ account, request: await askForGrant(wallet, account, request, schema) })
  }
  const grants = []
  for (const { account, request } of agreed) {
    await upgradeAccount(wallet, account)
    grants.push(await signGrant(wallet, account, request))
  }
  for (const grant of grants) wallet.grants.set(grant.response.context, grant)
  return grants.map((grant) => grantAnswer(grant, wallet.dialect))
}

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
