import * as chain from '@bardo/chain'
import {
  bardoCaveats,
  type Caveat,
  caveatRegistry,
  createMemoryJournal,
  type Delegation,
  type Deployment,
  delegationTypedData,
  deploymentOn,
  encodeExecution,
  encodeRedemption,
  evaluateDelegations,
  hashDelegation,
  hybridAccount,
  metamaskKinds,
  rootAuthority,
  signDelegation,
  walletSigner,
} from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  type LocalAccount,
  type PublicClient,
  parseUnits,
} from 'viem'
import { boundsOf } from '../gas/bounds.ts'
import { cageTermsOf } from '../gas/cageTerms.ts'
import { mandateOf } from '../gas/work.ts'
import { type Comparison, compare } from './compare.ts'

const far = 4_000_000_000
const swapped = parseUnits('100', 6)

/** The verdict of a swap under three links with four caveats each: computed here, and by a local node. */
export async function compareEvaluation(): Promise<readonly Comparison[]> {
  await using world = await startDevnet({ port: 0 })
  const client = createPublicClient({ chain: world.chain, transport: http(world.url) })
  const deployment = deploymentOn(world.chainId)
  const registry = caveatRegistry(deployment)
  const { links, calls, redeemer, submitter } = await delegate(world, client, deployment)
  const execution = encodeExecution(calls)
  const manager = deployment.framework.DelegationManager
  const data = encodeRedemption([{ links, calls }])
  const asked = {
    chainId: world.chainId,
    manager,
    redeemer,
    sender: 'key',
    execution,
    hashes: links.map((link) => hashDelegation(link)),
  } as const
  const block = await client.getBlockNumber()
  await chain.redeem(
    { client, deployment, address: redeemer, submitter },
    { id: 'swap', steps: [{ links, calls }] },
  )

  const { before, after } = await chain.evaluateRounds(
    { links, registry, question: asked },
    async (reads) => ({
      before: await chain.readState(client, deployment, reads, block),
      after: await chain.readState(client, deployment, reads, await client.getBlockNumber()),
    }),
  )
  const question = { ...asked, before, after }
  return [
    await compare(
      'evaluation of 3 links with 12 caveats, a Cage among them',
      {
        name: 'bardo',
        run: () => {
          const { type, first } = evaluateDelegations(links, registry, question)
          if (type !== 'pass')
            throw new Error(`expected a pass, got ${type} ${first?.name} ${first?.refusal.name}`)
        },
      },
      {
        name: 'eth_call to a local anvil',
        run: () => client.call({ account: redeemer, to: manager, data, blockNumber: block }),
      },
      400,
    ),
  ]
}

/** An owner's account with money, a Golem, and three links from the one to the other's key. */
async function delegate(world: Devnet, client: PublicClient, deployment: Deployment) {
  const { chainId, addresses, framework } = world
  const [owner, operator, between, golemKey] = (['owner', 'operator', 'secondOwner', 'golem'] as const).map(
    devnetAccount,
  ) as [LocalAccount, LocalAccount, LocalAccount, LocalAccount]
  const journal = createMemoryJournal()
  const submitterOf = (signer: LocalAccount) =>
    chain.createSubmitter({
      client,
      chainId,
      journal,
      clock: chain.systemClock,
      signer,
      settings: { finality: 1 },
    })
  const account = hybridAccount(deployment, {
    began: { owner: owner.address },
    signer: walletSigner(owner),
  })
  await chain.deployAccount({ client, submitter: submitterOf(operator) }, account)
  await world.fund(account.address, { USDC: 10n * swapped })
  const submitter = submitterOf(golemKey)
  const golem = await chain.registerGolem(
    { client, deployment, submitter },
    { owner: owner.address, key: golemKey },
  )

  const { timestamp } = await client.getBlock()
  const terms = cageTermsOf(boundsOf(golem, Number(timestamp)), mandateOf('swap', world, account.address))
  const { cageEnforcer, mortalityTimeWindowEnforcer, cadenceEnforcer, dreamModeEnforcer } =
    deployment.contracts
  const caveat = (enforcer: Address | undefined, encoded: Hex): Caveat => {
    if (!enforcer) throw new Error('an enforcer is missing')
    return { enforcer, terms: encoded, args: '0x' }
  }
  const metamask = framework.caveatEnforcers
  const shared = [
    caveat(
      metamask['TimestampEnforcer'],
      metamaskKinds.Timestamp.encode({ afterThreshold: 1, beforeThreshold: far }),
    ),
    caveat(metamask['LimitedCallsEnforcer'], metamaskKinds.LimitedCalls.encode({ limit: 1_000 })),
  ]
  const blocks = caveat(
    metamask['BlockNumberEnforcer'],
    metamaskKinds.BlockNumber.encode({ afterThreshold: 0n, beforeThreshold: BigInt(far) }),
  )
  const { mortalityTimeWindow, cadence, dreamMode, cage } = bardoCaveats
  const root = await signDelegation(account, {
    delegate: operator.address,
    authority: rootAuthority,
    salt: 1n,
    caveats: [
      caveat(cageEnforcer, cage.encode(terms)),
      caveat(mortalityTimeWindowEnforcer, mortalityTimeWindow.encode({ start: 1, end: far })),
      ...shared,
    ],
  })
  const signed = async (
    from: LocalAccount,
    to: LocalAccount,
    above: Delegation,
    caveats: readonly Caveat[],
  ) => {
    const unsigned = {
      delegator: from.address,
      delegate: to.address,
      authority: hashDelegation(above),
      caveats,
      salt: 1n,
    }
    const signature = await from.signTypedData(
      delegationTypedData(chainId, framework.DelegationManager, unsigned),
    )
    return { ...unsigned, signature }
  }
  const rare = caveat(cadenceEnforcer, cadence.encode({ lineage: golem, intervalSeconds: 1 }))
  const middle = await signed(operator, between, root, [rare, blocks, ...shared])
  const awake = caveat(dreamModeEnforcer, dreamMode.encode({ golem }))
  const leaf = await signed(between, golemKey, middle, [awake, blocks, ...shared])
  const { usdc: from, weth: to, swapRouter02: router } = addresses
  const swap = { router, account: account.address, from, to, amountIn: swapped, minimumOut: 1n, fee: 500 }
  return { links: [leaf, middle, root], calls: chain.swapCalls(swap), redeemer: golemKey.address, submitter }
}
