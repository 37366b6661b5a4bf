import {
  BardoError,
  type Clock,
  type CustodyEvent,
  type Delegation,
  hashDelegation,
  type Journal,
  type Rotation,
  type RotationPorts,
  type SessionKey,
  type SessionKeyEvent,
  type StepResult,
} from '@bardo/core'
import {
  type Address,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  keccak256,
  type PublicClient,
  stringToHex,
} from 'viem'
import { sessionKeySigner, signersOf, walletSigner } from '../accounts/accountSigner.ts'
import { encodeUpdateSigners, hybridAccount } from '../accounts/hybridAccount.ts'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { upgradedAccount } from '../accounts/upgradedAccount.ts'
import type { Deployment } from '../deployments/deployment.ts'
import { sendAllGas } from '../gas/sendAllGas.ts'
import { replacementOrder } from '../owner/replacementOrder.ts'
import { isDisabled } from '../owner/revoke.ts'
import { sessionKeyAccount } from '../session/sessionKeyAccount.ts'
import type { Bundler } from '../submission/bundler.ts'
import { createOperationSubmitter } from '../submission/createOperationSubmitter.ts'
import { createSubmitter, type Submitter } from '../submission/createSubmitter.ts'
import type { SubmitterSettings } from '../submission/settings.ts'
import type { Paymaster } from '../submission/userOperationRail.ts'
import { createVitalsClient } from '../vitals/createVitalsClient.ts'
import type { OwnerRequests, RotationStore } from './rotationStore.ts'

/** Everything that the rotations of one Golem work with. */
export type RotationParts = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly journal: Journal
  readonly clock: Clock
  readonly settings?: Partial<SubmitterSettings>
  readonly store: RotationStore
  readonly owner: OwnerRequests
  /** Where the Golem's vitals are written by its key. */
  readonly golem?: Hex
  /** Where the Golem acts through a session account. */
  readonly session?: {
    readonly account: Omit<SmartAccount, 'signer'>
    readonly bundler: Bundler
    readonly paymaster?: Paymaster
  }
  /** What else the owner signed for the old key: gas, feeds. With a suspected key these end too. */
  readonly besides?: readonly Delegation[]
  /** When the signed authority ends, in Unix seconds: for whoever hears of a new key. */
  readonly expiresAt: bigint
  /** May hear of the same thing twice where a process was killed in between. */
  readonly onEvent?: (event: SessionKeyEvent | CustodyEvent) => void
}

const done: StepResult = { kind: 'done' }
const waiting: StepResult = { kind: 'waiting' }

/**
 * The real effects of a rotation's steps. Each can be performed again: transactions and operations are intents named
 * after the rotation and the step, redelegations come out the same, and the store writes only where nothing is.
 *
 * @example
 * const rotation = await runRotation(createRotationPorts(parts), 'rotation-7')
 */
export function createRotationPorts(parts: RotationParts): RotationPorts {
  const { client, deployment, journal, clock, settings, store, session, owner, onEvent } = parts
  const { chainId } = deployment
  const submission = { client, journal, clock, ...(settings && { settings }) }

  async function keyNamed(name: Hex | undefined): Promise<SessionKey> {
    const key = name && (await store.keyOf(name))
    if (key) return key
    throw new BardoError('The store does not have the key.', {
      code: 'SESSION_KEY_ZEROED',
      details: [`key ${name}`],
      remedy: 'Ask the owner for a new grant.',
    })
  }

  const directSubmitter = (key: SessionKey) =>
    createSubmitter({ ...submission, chainId, signer: sessionKeyAccount(key) })

  function sessionAccount(key: SessionKey): SmartAccount {
    if (session) return { ...session.account, signer: sessionKeySigner(key) }
    throw new BardoError('This Golem has no session account.', { code: 'ROTATION_REFUSED' })
  }

  function operationSubmitter(key: SessionKey): Submitter {
    const { bundler, paymaster } = session ?? {}
    const account = sessionAccount(key)
    if (!bundler) throw new BardoError('This Golem has no bundler.', { code: 'ROTATION_REFUSED' })
    return createOperationSubmitter({ ...submission, account, bundler, ...(paymaster && { paymaster }) })
  }

  const addressOf = (key: SessionKey) => (session ? session.account.address : sessionKeyAccount(key).address)

  /** Where the new key acts. Whoever stole a key signs for its session account, so its heir gets one of its own. */
  function heirAddressOf({ kind }: Rotation, key: SessionKey): Address {
    if (!session || kind !== 'suspected') return addressOf(key)
    const own = { began: signersOf(key), signer: sessionKeySigner(key) }
    return hybridAccount(deployment, own).address
  }

  /** A key as an account that delegates: what it signs is checked as an EOA's. */
  const delegatorOf = (key: SessionKey) =>
    upgradedAccount(deployment, {
      address: sessionKeyAccount(key).address,
      signer: walletSigner(sessionKeyAccount(key)),
    })

  const oldRootOf = async ({ oldKey }: Rotation) => (await store.linksOf(oldKey)).at(-1)

  async function announce(rotation: Rotation, newKey: SessionKey) {
    const { curve } = newKey
    const newAddress = heirAddressOf(rotation, newKey)
    const { oldKey, reason } = rotation
    const old = await store.keyOf(oldKey)
    onEvent?.({ name: 'sessionKey.generated', address: newAddress, curve, expiresAt: parts.expiresAt })
    if (old)
      onEvent?.({ name: 'sessionKey.rotationTriggered', reason, oldAddress: addressOf(old), newAddress })
  }

  /** Done once nothing of the old key's is on its way. */
  async function drain({ kind, oldKey }: Rotation): Promise<StepResult> {
    const key = await store.keyOf(oldKey)
    if (!key) return done
    const isAccount = session !== undefined && kind !== 'direct'
    const from = isAccount ? session.account.address : sessionKeyAccount(key).address
    if ((await journal.open({ chainId, from })).length === 0) return done
    const submitter = isAccount ? operationSubmitter(key) : directSubmitter(key)
    await submitter.recover()
    return (await journal.open({ chainId, from })).length === 0 ? done : waiting
  }

  async function moveGas({ id, oldKey, newKey }: Rotation): Promise<StepResult> {
    const [old, next] = [await keyNamed(oldKey), await keyNamed(newKey)]
    const holder = {
      client,
      journal,
      address: sessionKeyAccount(old).address,
      submitter: directSubmitter(old),
    }
    const wish = { id: stepId(id, 'move-gas'), to: sessionKeyAccount(next).address }
    return settled(async () => (await sendAllGas(holder, wish)) ?? nothingSent)
  }

  /** A suspected key's gas, as far as whoever else has the key left it. It is no reason to wait. */
  async function saveGas(rotation: Rotation): Promise<void> {
    if (rotation.kind !== 'suspected' || session || !(await store.keyOf(rotation.oldKey))) return
    await moveGas(rotation).catch(() => waiting)
  }

  return {
    load: store.load,
    save: store.save,
    perform: {
      async 'make-key'(rotation) {
        const newKey = await store.makeKey(rotation.id)
        await announce(rotation, await keyNamed(newKey))
        return { kind: 'done', newKey }
      },

      drain,

      async 'swap-signer'({ id, oldKey, newKey }) {
        const [old, next] = [await keyNamed(oldKey), await keyNamed(newKey)]
        const { address: to } = sessionAccount(old)
        const data = encodeUpdateSigners(signersOf(next))
        return submitStep(operationSubmitter(old), { id: stepId(id, 'swap-signer'), to, data })
      },

      async redelegate({ id, oldKey, newKey }) {
        const [old, next] = [await keyNamed(oldKey), await keyNamed(newKey)]
        const links = await store.linksOf(oldKey)
        const [leaf] = links
        if (!leaf || !newKey) return { kind: 'refused', why: 'the old key has no delegation' }
        // The links above bind it; a salt from the rotation's id makes a second try the same delegation.
        const child = await signDelegation(delegatorOf(old), {
          delegate: sessionKeyAccount(next).address,
          authority: hashDelegation(leaf),
          caveats: [],
          salt: hexToBigInt(keccak256(stringToHex(id))),
        })
        await store.setLinks(newKey, [child, ...links])
        return done
      },

      async 'hand-over'({ id, oldKey, newKey }) {
        if (!parts.golem) return done
        const [old, next] = [await keyNamed(oldKey), await keyNamed(newKey)]
        const vitals = createVitalsClient({
          client,
          address: deployment.contracts.golemVitals,
          golem: parts.golem,
          submitter: directSubmitter(old),
        })
        return settled(() => vitals.handOver(stepId(id, 'hand-over'), sessionKeyAccount(next).address))
      },

      async 'disable-root'(rotation) {
        const root = await oldRootOf(rotation)
        const all = [...(root ? [root] : []), ...(parts.besides ?? [])]
        const off = await Promise.all(all.map((each) => isDisabled({ client, deployment }, each)))
        const standing = all.filter((_, at) => !off[at])
        for (const each of standing) await owner.askToRevoke(rotation, each)
        return standing.length === 0 ? done : waiting
      },

      async 'request-grant'(rotation) {
        const next = await keyNamed(rotation.newKey)
        const grant = await store.grantFor(rotation.id)
        if (!grant) {
          await owner.askToGrant(rotation, next, heirAddressOf(rotation, next))
          return waiting
        }
        const old = await oldRootOf(rotation)
        if (!isAddressEqual(grant.delegate, heirAddressOf(rotation, next)))
          return { kind: 'refused', why: `the grant is for ${grant.delegate}` }
        const why = old && secondBudget(() => replacementOrder(old, grant, deployment))
        if (why) return { kind: 'refused', why }
        if (rotation.newKey) await store.setLinks(rotation.newKey, [grant])
        return done
      },

      async switch({ oldKey, newKey }) {
        if (newKey) await store.activate({ from: oldKey, to: newKey })
        return done
      },

      'move-gas': moveGas,

      async 'wipe-old'(rotation) {
        const { oldKey, newKey, reason } = rotation
        const [old, next] = [await store.keyOf(oldKey), await keyNamed(newKey)]
        const newAddress = heirAddressOf(rotation, next)
        await saveGas(rotation)
        await store.wipeKey(oldKey)
        if (old)
          onEvent?.({ name: 'custody.sessionKeyRotated', oldAddress: addressOf(old), newAddress, reason })
        return done
      },

      async 'wipe-new'({ newKey }) {
        if (newKey) await store.wipeKey(newKey)
        return done
      },
    },
  }
}

/** There was nothing to send. */
const nothingSent = { status: 'success', hash: '0x' } as const
const stepId = (rotationId: string, step: string) => `${rotationId}:${step}`

function submitStep(submitter: Submitter, wish: Parameters<Submitter['submit']>[0]): Promise<StepResult> {
  return settled(() => submitter.submit(wish))
}

/** A landed success is done, a landed revert or a certain refusal is refused, and anything less certain waits. */
async function settled(
  run: () => Promise<{ readonly status: 'success' | 'reverted'; readonly hash: Hex }>,
): Promise<StepResult> {
  try {
    const { status, hash } = await run()
    return status === 'success' ? done : { kind: 'refused', why: `${hash} reverted` }
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    const isCertain = error.code === 'TRANSACTION_REVERTED' || error.code === 'INTENT_CLOSED'
    if (isCertain) return { kind: 'refused', why: error.shortMessage }
    // Whoever took the nonce was not us: it may be tried again, and nothing has happened.
    if (error.outcome === 'unknown' || error.retryable) return waiting
    throw error
  }
}

/** Why a grant would open a second budget beside the first, if it would. */
function secondBudget(compare: () => unknown): string | undefined {
  try {
    compare()
    return undefined
  } catch (error) {
    if (error instanceof BardoError && error.code === 'DELEGATION_WIDER') return error.shortMessage
    throw error
  }
}
