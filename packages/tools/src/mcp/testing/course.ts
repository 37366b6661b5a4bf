import type { Address, Hash } from 'viem'

/** Calls a tool by its name and returns its structured result. Throws if there is none. */
export type CallByName = (tool: string, input: object) => Promise<Readonly<Record<string, unknown>>>

/** The Golem, its owner, its chain and its vault. */
export type CourseOptions = {
  readonly golem: Hash
  readonly owner: Address
  readonly chainId: number
  readonly vault: Address
}

/** The first action request; it is within the daily limit of $50. */
export const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: '10' } as const

/** Calls every tool once with valid input; the one that ends the Golem last. Returns their names. */
export async function runCourse(
  call: CallByName,
  { golem, owner, chainId, vault }: CourseOptions,
): Promise<readonly string[]> {
  const called: string[] = []
  const use: CallByName = async (tool, input) => {
    const output = await call(tool, input)
    called.push(tool)
    return output
  }
  await use('wallet_get_status', {})
  await use('metamask_check_permission_health', {})
  await use('wallet_list_session_keys', {})
  await use('get_delegation_tree', {})
  await use('explain_action', { about: { type: 'wish', wish: { ...wish, dollars: '51' } } })
  const { permitId } = await use('preview_action', { wish })
  await use('commit_action', { permitId })
  await use('replicate', {
    name: `child ${golem.slice(2, 10)}`,
    dailyDollars: '2',
    budgetDollars: '4',
    hours: 24,
  })
  await use('metamask_request_runway', { golems: [golem], dailyCapUsdc: '10', durationDays: 7 })
  await use('metamask_redeem_runway', {})
  await use('wallet_fund', { token: 'USDC', amount: '5', chain: chainId })
  await use('wallet_configure_policy', { policyTemplate: 'vault-participant' })
  const permissions = [{ contract: vault, methods: ['deposit'], maxAmount: 5, chains: [chainId] }]
  const { keyId } = await use('wallet_provision_session_key', { permissions, expiry: 3_600 })
  await use('wallet_revoke_session_key', { keyIds: [keyId] })
  await use('wallet_migrate', { destinationWallet: owner, chain: chainId, dryRun: true })
  await use('metamask_revoke_permissions', { reason: 'owner_kill_switch' })
  return called
}
