import { type LocalAccount, numberToHex, type TypedDataDefinition } from 'viem'
import { z } from 'zod'
import type { Devnet } from '../../startDevnet.ts'
import { accountKind, smartAccountCode } from '../account/smartAccount.ts'
import { startMetaMaskServices } from './metaMaskServices.ts'
import { type InstalledSnap, installSnap, type RpcRequest, type Screen, waitForScreen } from './simulation.ts'

/** Answers the Snap's dialog for the owner. */
export type Human = (screen: Screen) => Promise<void>

/** Grants what is shown. */
export const grant: Human = (screen) => screen.clickElement('grant-button')
/** Refuses. */
export const cancel: Human = (screen) => screen.clickElement('cancel-button')

const kernelId = 'npm:@metamask/permissions-kernel-snap'
const gatorId = 'npm:@metamask/gator-permissions-snap'
const invocation = z.object({
  snapId: z.string(),
  request: z.object({ method: z.string(), params: z.unknown().optional() }),
})
const grantParams = z.looseObject({ permissionsRequest: z.array(z.unknown()) })

/**
 * MetaMask's three Snaps as a page sees them: a request goes to the kernel and on to the permission Snap,
 * which asks the owner and has their key sign. The wallet around them (accounts, node, EIP-7702 upgrade,
 * calls between Snaps) is simulated here; everything in the Snaps is MetaMask's own code.
 */
export async function openSnapWallet({
  world,
  owner,
}: {
  readonly world: Devnet
  readonly owner: LocalAccount
}) {
  const services = await startMetaMaskServices()
  process.env['BARDO_SNAP_SERVICES'] = services.url
  const kernel = await installSnap('@metamask/permissions-kernel-snap')
  const gator = await installSnap('@metamask/gator-permissions-snap')
  const signing = await installSnap('@metamask/message-signing-snap')
  let human: Human = grant

  kernel.mockJsonRpc(({ method, params }) => {
    if (method !== 'wallet_invokeSnap') return undefined
    const { request } = invocation.parse(params)
    return askGator(request)
  })
  gator.mockJsonRpc((call) => hostMethods.get(call.method)?.(call.params))

  async function askGator(request: RpcRequest): Promise<unknown> {
    const asked = gator.request({ origin: kernelId, ...request })
    const shown = grantParams.safeParse(request.params).data?.permissionsRequest.length ?? 0
    // A refused request shows no dialog: its error is the answer.
    if (shown > 0) await Promise.race([asked, answerDialogs(asked, shown)])
    return resultOf(await asked)
  }

  async function answerDialogs(asked: ReturnType<InstalledSnap['request']>, count: number): Promise<void> {
    const answered = new Set<string>()
    while (answered.size < count) {
      const isNew = ({ id, content }: Screen) => !answered.has(id) && isFilledIn(content)
      const screen = await waitForScreen(gator, asked, isNew)
      answered.add(screen.id)
      await human(screen)
    }
  }

  const { client, chain, framework: environment } = world
  const chainId = numberToHex(chain.id)
  const hostMethods = new Map<string, (params: unknown) => unknown>([
    ['eth_requestAccounts', () => [owner.address]],
    ['eth_accounts', () => [owner.address]],
    ['eth_chainId', () => chainId],
    ['eth_call', (params) => askNode('eth_call', params)],
    ['eth_getBalance', (params) => askNode('eth_getBalance', params)],
    [
      'eth_signTypedData_v4',
      (params) => {
        const [, typedData] = z
          .tuple([z.string(), z.custom<TypedDataDefinition>((value) => typeof value === 'object')])
          .parse(params)
        return owner.signTypedData(typedData)
      },
    ],
    [
      'wallet_getAccountUpgradeStatus',
      async () => {
        const isUpgraded = (await accountKind(client, environment, owner.address)) === 'smart'
        return { isUpgraded, upgradedAddress: isUpgraded ? smartAccountCode(environment) : null }
      },
    ],
    ['wallet_upgradeAccount', upgradeOwner],
    [
      'wallet_invokeSnap',
      async (params) => {
        const { request } = invocation.parse(params)
        return resultOf(await signing.request({ origin: gatorId, ...request }))
      },
    ],
  ])

  async function askNode(method: string, params: unknown): Promise<unknown> {
    const response = await fetch(world.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return z.object({ result: z.unknown() }).parse(await response.json()).result
  }

  async function upgradeOwner() {
    const authorization = await client.signAuthorization({
      account: owner,
      contractAddress: smartAccountCode(environment),
      executor: 'self',
    })
    const transactionHash = await client.sendTransaction({
      account: owner,
      to: owner.address,
      authorizationList: [authorization],
    })
    await client.waitForTransactionReceipt({ hash: transactionHash })
    return { transactionHash }
  }

  return {
    services,
    /** Sets who answers the dialogs from now on. */
    answerBy(next: Human) {
      human = next
    },
    /** As a page calls it (EIP-1193). */
    async request({ method, params = [] }: RpcRequest): Promise<unknown> {
      return resultOf(await kernel.request({ origin: 'https://bardo.test', method, params }))
    },
    async close() {
      for (const { executionService } of [kernel, gator, signing]) await executionService.terminateAllSnaps()
      await services.close()
    },
  }
}

export type SnapWallet = Awaited<ReturnType<typeof openSnapWallet>>

function resultOf({ response: { result, error } }: Awaited<ReturnType<InstalledSnap['request']>>): unknown {
  if (error) {
    const { code, message } = error
    // MetaMask's JSON-RPC engine keeps the code of an error that has a `serialize` function.
    throw Object.assign(new Error(message), { code, serialize: () => ({ code, message }) })
  }
  return result
}

/** Whether the dialog is filled in. Before that, the Snap ignores changes in it. */
function isFilledIn(content: unknown): boolean {
  return !JSON.stringify(content).includes('"type":"Skeleton"')
}
