import {
  createSharedReader,
  createSubmitter,
  deployAccount,
  type Submitter,
  sessionKeyAccount,
  systemClock,
} from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  type Clock,
  createMemoryJournal,
  type Delegation,
  deploymentOn,
  encodeContext,
  generateSessionKey,
  golemRegistrationTypedData,
  hybridAccount,
  prepareSignatures,
  type SealedKey,
  type SessionKey,
  sealSessionKey,
  signDelegation,
  walletSigner,
} from '@bardo/core'
import { type DevnetConnection, devnetAccount, devnetBook } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { sealedKeySource } from '@bardo/wallets'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hash,
  type Hex,
  keccak256,
  multicall3Abi,
  parseAbiParameters,
  stringToHex,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { GolemParts } from '../permission/golemParts.ts'
import { newGolem } from '../state/golemState.ts'
import { partsOf, testSecret } from './golemWorld.ts'

/** One of many Golems of one owner, with its stored data. */
export type FleetMember = {
  readonly id: Hash
  readonly owner: Address
  readonly root: Delegation
  readonly key: Pick<SessionKey, 'publicKey' | 'curve'> & { readonly address: Address }
  readonly sealed: SealedKey
  readonly strategy: string
}

/** What all Golems of a fleet have in common. */
export type FleetPlan = {
  readonly count: number
  readonly strategy: string
  /** The balance of their common account, in base units of USDC. */
  readonly usdc: bigint
  /** Gas for each session key. */
  readonly gas: bigint
}

/** The number of registrations per block. */
const perBlock = 150

/**
 * Summons many Golems at once, each with its own key and signed root, all of one owner and one account; one
 * transaction
 * registers many. It is fast, while `summonGolem` is thorough.
 */
export async function summonFleet(
  world: DevnetConnection,
  { count, strategy, usdc, gas }: FleetPlan,
): Promise<readonly FleetMember[]> {
  const deployment = deploymentOn(world.chainId)
  const owner = privateKeyToAccount(generatePrivateKey())
  const began = { owner: owner.address }
  const account = hybridAccount(deployment, { began, signer: walletSigner(owner) })
  const submitter = operatorOf(world)
  await deployAccount({ client: world.client, submitter }, account)
  if (usdc > 0n) await world.fund(account.address, { USDC: usdc })
  const { timestamp: now } = await world.client.getBlock()
  const book = devnetBook(world)
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const cageEnforcer = deployment.contracts.cageEnforcer
  const vitals = deployment.contracts.golemVitals
  const registrations: Hex[] = []
  const members: FleetMember[] = []
  for (let index = 0; index < count; index += 1) {
    const session = generateSessionKey('secp256k1', random)
    const key = sessionKeyAccount(session)
    const id = keccak256(
      encodeAbiParameters(parseAbiParameters('address, address, bytes32'), [
        owner.address,
        key.address,
        zeroHash,
      ]),
    )
    const { root } = prepareSignatures(strategy, {
      chainId: world.chainId,
      now,
      book,
      subject: { golem: id, account: account.address, graceSeconds: 86_400 },
      cageEnforcer,
      delegate: key.address,
      salt: BigInt(index),
      runway: { to: account.address },
    })
    const [signed, consent, sealed] = await Promise.all([
      signDelegation(account, root),
      key.signTypedData(
        golemRegistrationTypedData(world.chainId, vitals, {
          owner: owner.address,
          key: key.address,
          salt: zeroHash,
        }),
      ),
      sealSessionKey(session, testSecret, random, { context: id }),
    ])
    registrations.push(
      encodeFunctionData({
        abi: golemVitals.abi,
        functionName: 'register',
        args: [owner.address, key.address, zeroHash, consent],
      }),
    )
    if (gas > 0n) await world.client.setBalance({ address: key.address, value: gas })
    const { publicKey, curve } = session
    const names = { publicKey, curve, address: key.address }
    members.push({ id, owner: owner.address, root: signed, key: names, sealed, strategy })
  }
  for (let done = 0; done < count; done += perBlock)
    await registerTogether(world, submitter, registrations.slice(done, done + perBlock))
  return members
}

function operatorOf({ client, chainId }: DevnetConnection): Submitter {
  return createSubmitter({
    client,
    chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    signer: devnetAccount('operator'),
    settings: { finality: 1, pollMs: 20 },
  })
}

async function registerTogether(
  world: DevnetConnection,
  submitter: Submitter,
  calls: readonly Hex[],
): Promise<void> {
  const target = deploymentOn(world.chainId).contracts.golemVitals
  const args = calls.map((callData) => ({ target, allowFailure: false, callData }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  const { status } = await submitter.submit({ id: keccak256(data), to: world.addresses.multicall3, data })
  if (status !== 'success') throw new Error('the vitals contract refused a registration')
}

/** The number of Golems to store per transaction. */
const perTransaction = 200

/** Stores a fleet, alive and due at once. */
export async function storeFleet(store: Store, fleet: readonly FleetMember[], now: number): Promise<void> {
  for (let done = 0; done < fleet.length; done += perTransaction) {
    await store.transaction(async ({ golems, sessionKeys, delegations, golemStates }) => {
      for (const member of fleet.slice(done, done + perTransaction)) {
        const { id, owner, root, key, sealed, strategy: text } = member
        const strategy = { text, hash: keccak256(stringToHex(text)) }
        await golems.create({
          id,
          owner,
          name: 'one of many',
          custody: 'delegation',
          status: 'alive',
          phase: 'thriving',
          strategy,
          onboarding: {
            step: 'live',
            owner,
            golem: id,
            custody: 'delegation',
            strategyHash: strategy.hash,
            identity: undefined,
          },
          nextTick: now,
        })
        await sessionKeys.add({ ...key, golem: id, sealed })
        await sessionKeys.advance(key.publicKey, 'active')
        await delegations.add({ golem: id, delegation: root, context: encodeContext([root]) })
        await golemStates.begin(id, newGolem(id, Math.floor(now / 1_000), 300))
      }
    })
  }
}

/** The parts of each Golem of a store, with a common client and reader. */
export function fleetParts(
  world: DevnetConnection,
  store: Store,
  clock: Clock = systemClock,
): (id: Hash) => GolemParts {
  const shared = partsOf(world, store, zeroHash)
  const reader = createSharedReader(shared.client, shared.deployment)
  return (id) => ({
    ...shared,
    id,
    clock,
    reader,
    keys: sealedKeySource({ store, golem: id, secret: testSecret, chainId: world.chainId }),
  })
}
