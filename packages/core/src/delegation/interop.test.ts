import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import {
  CaveatType,
  createDelegation,
  Implementation,
  ScopeType,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import { erc7710WalletActions } from '@metamask/smart-accounts-kit/actions'
import {
  encodeDelegations as encodeByKit,
  hashDelegation as hashByKit,
  overrideDeployedEnvironment,
} from '@metamask/smart-accounts-kit/utils'
import {
  type Address,
  concatHex,
  createWalletClient,
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  toHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { createRandom, type Random } from '../caveats/metamask/testing/random.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { encodeContext } from './context.ts'
import { type Delegation, rootAuthority } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { signature } from './testing/delegations.ts'

const many = process.env['BARDO_TEST'] === 'full' ? 10_000 : 2_000

describe('the bytes that MetaMask’s kit writes', () => {
  it(`equal Bardo’s, for ${many} random delegations`, { timeout: 300_000 }, () => {
    const random = createRandom(20261116)
    let written = 0
    while (written < many) {
      const links = randomChain(random, 1 + random.below(4))
      written += links.length
      const theirs = links.map((link) => ({
        ...link,
        caveats: [...link.caveats],
        salt: toHex(link.salt),
      }))
      expect(links.map((link) => hashDelegation(link))).toEqual(theirs.map((link) => hashByKit(link)))
      expect(encodeContext(links)).toBe(encodeByKit(theirs))
    }
  })
})

describe('on the chain', () => {
  let world: Devnet
  let account: Awaited<ReturnType<typeof deployHybrid>>
  const golem = devnetAccount('golem')
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    overrideDeployedEnvironment(world.chainId, '1.3.0', world.framework)
    account = await deployHybrid(world)
    await world.fund(account.address, { USDC: 1_000n })
  })
  afterAll(() => world.stop())

  const paid = () =>
    world.client.readContract({
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [world.accounts.payee],
    })
  const transfer = (amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [world.accounts.payee, amount] })
  const walletOf = () =>
    createWalletClient({ account: golem, chain: world.chain, transport: http(world.url) }).extend(
      erc7710WalletActions(),
    )
  const landed = async (hash: Hex) => (await world.client.waitForTransactionReceipt({ hash })).status

  it('the kit’s client redeems a delegation of Bardo’s', async () => {
    const { timestamp: now } = await world.client.getBlock()
    const { caveatEnforcers, DelegationManager } = world.framework
    const unsigned: Delegation = {
      delegate: golem.address,
      delegator: account.address,
      authority: rootAuthority,
      caveats: [
        caveat(caveatEnforcers['LimitedCallsEnforcer'], limitedCalls.encode({ limit: 1 })),
        caveat(
          caveatEnforcers['TimestampEnforcer'],
          timestamp.encode({ afterThreshold: 0, beforeThreshold: Number(now) + 1_000 }),
        ),
      ],
      salt: 7n,
      signature: '0x',
    }
    const ours = { ...unsigned, signature: await signedByOwner(world, unsigned) }
    const before = await paid()
    const send = () =>
      walletOf().sendTransactionWithDelegation({
        account: golem,
        chain: world.chain,
        to: world.addresses.usdc,
        data: transfer(10n),
        permissionContext: encodeContext([ours]),
        delegationManager: DelegationManager,
      })
    expect(await landed(await send())).toBe('success')
    expect((await paid()) - before).toBe(10n)
    // Only once.
    await expect(send()).rejects.toThrow('LimitedCallsEnforcer:limit-exceeded')
  })

  it('Bardo’s permission context redeems a delegation of the kit’s', async () => {
    const theirs = createDelegation({
      environment: world.framework,
      from: account.address,
      to: golem.address,
      scope: {
        type: ScopeType.Erc20TransferAmount,
        tokenAddress: world.addresses.usdc,
        maxAmount: 20n,
      },
      caveats: [{ type: CaveatType.LimitedCalls, limit: 5 }],
    })
    const link: Delegation = {
      ...theirs,
      salt: BigInt(theirs.salt),
      signature: await account.signDelegation({ delegation: theirs }),
    }
    const abi = parseAbi([
      'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
    ])
    const redeem = (amount: bigint) =>
      walletOf().writeContract({
        address: world.framework.DelegationManager,
        abi,
        functionName: 'redeemDelegations',
        args: [
          [encodeContext([link])],
          [zeroHash],
          [concatHex([world.addresses.usdc, numberToHex(0, { size: 32 }), transfer(amount)])],
        ],
      })
    const before = await paid()
    expect(await landed(await redeem(20n))).toBe('success')
    expect((await paid()) - before).toBe(20n)
    await expect(redeem(1n)).rejects.toThrow('ERC20TransferAmountEnforcer:allowance-exceeded')
  })
})

function caveat(enforcer: Address | undefined, terms: Hex) {
  if (!enforcer) throw new Error('The enforcer does not exist.')
  return { enforcer, terms, args: '0x' } as const
}

/** The owner's key signs Bardo's hash of it, in the manager's domain. */
function signedByOwner(world: Devnet, delegation: Delegation): Promise<Hex> {
  const separator = domainSeparator({
    domain: {
      name: 'DelegationManager',
      version: '1',
      chainId: world.chainId,
      verifyingContract: world.framework.DelegationManager,
    },
  })
  const hash = keccak256(concatHex(['0x1901', separator, hashDelegation(delegation)]))
  return devnetAccount('owner').sign({ hash })
}

async function deployHybrid(world: Devnet) {
  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [devnetAccount('owner').address, [], [], []],
    deploySalt: zeroHash,
    signer: { account: devnetAccount('owner') },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  const operator = createWalletClient({
    account: devnetAccount('operator'),
    chain: world.chain,
    transport: http(world.url),
  })
  if (factory && factoryData) {
    const hash = await operator.sendTransaction({ to: factory, data: factoryData })
    await world.client.waitForTransactionReceipt({ hash })
  }
  return account
}

/** Connected links with random bytes. */
function randomChain(random: Random, length: number): readonly Delegation[] {
  const links: Delegation[] = []
  let [authority, delegator] = [rootAuthority, randomBytes(random, 20)]
  for (let i = 0; i < length; i++) {
    const delegate = randomBytes(random, 20)
    const link = {
      delegate,
      delegator,
      authority,
      caveats: Array.from({ length: random.below(3) }, () => ({
        enforcer: randomBytes(random, 20),
        terms: randomBytes(random, random.below(60)),
        args: randomBytes(random, random.below(40)),
      })),
      salt: BigInt(randomBytes(random, 1 + random.below(32))),
      signature,
    }
    links.unshift(link)
    ;[authority, delegator] = [hashDelegation(link), delegate]
  }
  return links
}

function randomBytes(random: Random, length: number): Hex {
  let digits = ''
  for (let i = 0; i < length; i++) digits += random.below(256).toString(16).padStart(2, '0')
  return `0x${digits}`
}
