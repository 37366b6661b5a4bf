import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  adoptConstitution,
  createSubmitter,
  deployAccount,
  enactConstitution,
  systemClock,
} from '@bardo/chain'
import {
  createMemoryJournal,
  type Delegation,
  deploymentOn,
  hybridAccount,
  signDelegation,
  walletSigner,
} from '@bardo/core'
import { type DevnetConnection, devnetAccount, devnetBook } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { sealedKeySource } from '@bardo/wallets'
import {
  type Address,
  createPublicClient,
  erc20Abi,
  type Hash,
  http,
  type LocalAccount,
  parseEther,
  parseUnits,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { defaultSchedule } from '../config/heartbeatSchedule.ts'
import type { GolemParts, GolemSettings } from '../permission/golemParts.ts'
import { dcaStrategy } from '../strategy/dcaStrategy.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import type { Summons } from '../summon/summons.ts'

/** The secret that seals keys in tests. */
export const testSecret = { kind: 'operator', secret: new Uint8Array(32).fill(7) } as const

/** The settings of Golems in tests: three dollars a day, from a hundred. */
const testSettings: GolemSettings = {
  schedule: defaultSchedule,
  strategy: dcaStrategy,
  economy: {
    runwayCents: 10_000n,
    dayPrices: { compute: 250n, data: 50n },
  },
  expiryTicks: 3,
  poolFee: 500,
  submitter: { finality: 1, pollMs: 20 },
}

/** A folder with an empty database, removed when disposed. */
export async function testHome(): Promise<AsyncDisposable & { readonly home: string }> {
  const home = await mkdtemp(join(tmpdir(), 'bardo-golem-'))
  await copyEmptyPglite(home)
  return { home, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
}

/** The parts of a Golem on a devnet. */
export function partsOf(
  world: DevnetConnection,
  store: Store,
  id: Hash,
  changes: Partial<GolemSettings> = {},
): GolemParts {
  const transport = http(world.url)
  return {
    id,
    store,
    client: createPublicClient({ chain: world.chain, transport, cacheTime: 0, pollingInterval: 20 }),
    deployment: deploymentOn(world.chainId),
    book: devnetBook(world),
    clock: systemClock,
    keys: sealedKeySource({
      store,
      golem: id,
      secret: testSecret,
      chainId: world.chainId,
      route: () => changes.route ?? { type: 'direct' },
    }),
    settings: { ...testSettings, ...changes },
  }
}

/** An owner with $10,000 in their own account, and the input of a summoning. */
export async function ownerIn(
  world: DevnetConnection,
  store: Store,
  strategy: string,
  succession: { readonly owner?: LocalAccount; readonly ancestor?: Hash; readonly name?: string } & Pick<
    Summons,
    'route' | 'curve'
  > = {},
) {
  const { client, deployment, book, clock } = partsOf(world, store, zeroHash)
  const {
    owner = privateKeyToAccount(generatePrivateKey()),
    ancestor,
    name = 'alpha',
    route,
    curve,
  } = succession
  const journal = createMemoryJournal()
  const submitterOf = (signer: LocalAccount) =>
    createSubmitter({
      client,
      chainId: world.chainId,
      journal,
      clock,
      signer,
      settings: { finality: 1, pollMs: 20 },
    })
  const began = { owner: owner.address }
  const account = hybridAccount(deployment, { began, signer: walletSigner(owner) })
  const sponsor = submitterOf(devnetAccount('operator'))
  await deployAccount({ client, submitter: sponsor }, account)
  await world.fund(account.address, { USDC: parseUnits('10000', 6) })
  await world.fund(owner.address, { ETH: parseEther('1') })
  const signer = { client, deployment, account, key: owner.address, submitter: submitterOf(owner) }
  const summons: Summons = {
    store,
    client,
    deployment,
    book,
    clock,
    name,
    strategy,
    owner: owner.address,
    account: account.address,
    graceSeconds: 86_400,
    intervalSeconds: defaultSchedule.intervalSeconds,
    ...(ancestor && { ancestor }),
    ...(route && { route }),
    ...(curve && { curve }),
    secret: testSecret,
    sponsor,
    adopt: async (constitution) => adoptConstitution(signer, await enactConstitution(signer, constitution)),
    sign: (root) => signDelegation(account, root),
    drip: (key) => world.fund(key, { ETH: parseEther('1') }),
  }
  return { summons, owner, account: account.address, signer }
}

/** Such an owner, and a Golem that they summoned. */
export async function summonIn(
  world: DevnetConnection,
  store: Store,
  strategy: string,
  change: (root: Delegation) => Delegation = (root) => root,
  succession: Parameters<typeof ownerIn>[3] = {},
) {
  const { summons, ...owner } = await ownerIn(world, store, strategy, succession)
  const summoned = await summonGolem({ ...summons, sign: (root) => summons.sign(change(root)) })
  return { ...summoned, ...owner }
}

/** An account's balance of a token. */
export function balanceOf(world: DevnetConnection, token: Address, account: Address): Promise<bigint> {
  const args = [account] as const
  return world.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args })
}
