import {
  BardoError,
  type Clock,
  type CustodyEvent,
  contextLimits,
  type Delegation,
  type Deployment,
  encodeUpdateSigners,
  type GasEvent,
  hashDelegation,
  hybridAccount,
  type Journal,
  type Rotation,
  type RotationPorts,
  replacementOrder,
  type SessionKeyEvent,
  type SmartAccount,
  type StepResult,
  type SubmissionEvent,
  signDelegation,
  signersOf,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import {
  type Address,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  type PublicClient,
  stringToHex,
} from 'viem'
import type { SessionSigner } from '../accounts/sessionSigner.ts'
import { sendAllGas } from '../gasAllowance/sendAllGas.ts'
import { isDisabled } from '../ownerActions/revoke.ts'
import type { Bundler } from '../submission/bundler.ts'
import { createOperationSubmitter } from '../submission/createOperationSubmitter.ts'
import { createSubmitter, type Submitter } from '../submission/createSubmitter.ts'
import type { SubmitterSettings } from '../submission/settings.ts'
import type { Paymaster } from '../submission/userOperationBackend.ts'
import { createVitalsClient } from '../vitals/createVitalsClient.ts'
import type { OwnerRequests, RotationStore } from './rotationStore.ts'

/** The dependencies of one Golem's rotations. */
export type RotationParts = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly journal: Journal
  readonly clock: Clock
  readonly settings?: Partial<SubmitterSettings>
  readonly store: RotationStore
  readonly owner: OwnerRequests
  /** Set if the Golem's key writes its vitals. */
  readonly golem?: Hex
  /** Set if the Golem acts through a session account. */
  readonly session?: {
    readonly account: Omit<SmartAccount, 'signer'>
    readonly bundler: Bundler
    readonly paymaster?: Paymaster
  }
  /** Other delegations to the old key: gas, runway draws. If the key is suspected, they are revoked too. */
  readonly besides?: readonly Delegation[]
  /** When the signed authority ends, in Unix seconds, for the event of a new key. */
  readonly expiresAt: bigint
  /** May receive the same event twice if the process was killed in between. */
  readonly onEvent?: (event: SessionKeyEvent | CustodyEvent | GasEvent | SubmissionEvent) => void
}

const done: StepResult = { kind: 'done' }
const waiting: StepResult = { kind: 'waiting' }

/**
 * The effects of a rotation's steps. Each step is idempotent: transactions and operations are intents named
 * after the rotation and the step, redelegations are deterministic, and the store writes only if the entry
 * does not exist.
 *
 * @example
 * const rotation = await runRotation(createRotationPorts(parts), 'rotation-7')
 */
export function createRotationPorts(parts: RotationParts): RotationPorts {
  const { client, deployment, journal, clock, settings, store, session, owner, onEvent } = parts
  const { chainId } = deployment
  const submission = { client, journal, clock, ...(settings && { settings }), ...(onEvent && { onEvent }) }

  async function keyNamed(name: Hex | undefined): Promise<SessionSigner> {
    const key = name && (await store.signerOf(name))
    if (key) return key
    throw new BardoError('The store no longer has this session key.', {
      code: 'SESSION_KEY_ZEROED',
      details: [`key ${name}`],
      remedy: 'Ask the owner for a new grant.',
    })
  }

  const directSubmitter = (key: SessionSigner) =>
    createSubmitter({ ...submission, chainId, signer: accountOf(key) })

  function sessionAccount(key: SessionSigner): SmartAccount {
    if (session) return { ...session.account, signer: key.accountSigner }
    throw new BardoError('This Golem has no session account.', { code: 'ROTATION_REFUSED' })
  }

  function operationSubmitter(key: SessionSigner): Submitter {
    const { bundler, paymaster } = session ?? {}
    const account = sessionAccount(key)
    if (!bundler) throw new BardoError('This Golem has no bundler.', { code: 'ROTATION_REFUSED' })
    return createOperationSubmitter({ ...submission, account, bundler, ...(paymaster && { paymaster }) })
  }

  const addressOf = (key: SessionSigner) => (session ? session.account.address : accountOf(key).address)

  /**
   * Where the new key acts. A thief of a key can sign for its session account, so the next key gets its own.
   */
  function newAddressOf({ kind }: Rotation, key: SessionSigner): Address {
    if (!session || kind !== 'suspected') return addressOf(key)
    const own = { began: signersOf(key), signer: key.accountSigner }
    return hybridAccount(deployment, own).address
  }

  /** A key as a delegator: its signature is checked as an EOA's. */
  const delegatorOf = (key: SessionSigner) =>
    upgradedAccount(deployment, {
      address: accountOf(key).address,
      signer: walletSigner(accountOf(key)),
    })

  /**
   * The same delegation for the next key. The links above limit it. The salt from the rotation's id makes it
   * repeatable.
   */
  function redelegateTo(
    rotationId: string,
    leaf: Delegation,
    { old, next }: { readonly old: SessionSigner; readonly next: SessionSigner },
  ): Promise<Delegation> {
    return signDelegation(delegatorOf(old), {
      delegate: accountOf(next).address,
      authority: hashDelegation(leaf),
      caveats: [],
      salt: hexToBigInt(keccak256(stringToHex(rotationId))),
    })
  }

  /** Lets the new key draw the runway. Not for a suspected key: its draw ends with its root. */
  async function redelegateDraw({ id, kind, oldKey, newKey }: Rotation): Promise<void> {
    const [leaf, ...above] = kind === 'direct' ? await store.drawOf(oldKey) : []
    // The grant, the existing links and the next one.
    if (!leaf || above.length + 3 > contextLimits.links) return
    const [old, next] = [await store.signerOf(oldKey), await keyNamed(newKey)]
    if (old) await store.addDraw(await redelegateTo(id, leaf, { old, next }))
  }

  const oldRootOf = async ({ oldKey }: Rotation) => (await store.linksOf(oldKey)).at(-1)

  async function announce(rotation: Rotation, newKey: SessionSigner) {
    const { curve } = newKey
    const newAddress = newAddressOf(rotation, newKey)
    const { oldKey, reason } = rotation
    const old = await store.signerOf(oldKey)
    onEvent?.({ name: 'sessionKey.generated', address: newAddress, curve, expiresAt: parts.expiresAt })
    if (old)
      onEvent?.({ name: 'sessionKey.rotationTriggered', reason, oldAddress: addressOf(old), newAddress })
  }

  /** Done when nothing of the old key is pending. */
  async function drain({ kind, oldKey }: Rotation): Promise<StepResult> {
    const key = await store.signerOf(oldKey)
    if (!key) return done
    const isAccount = session !== undefined && kind !== 'direct'
    const from = isAccount ? session.account.address : accountOf(key).address
    if ((await journal.open({ chainId, from })).length === 0) return done
    const submitter = isAccount ? operationSubmitter(key) : directSubmitter(key)
    await submitter.recover()
    return (await journal.open({ chainId, from })).length === 0 ? done : waiting
  }

  const moveGas = (rotation: Rotation) =>
    moveGasOf(rotation, rotation.oldKey, stepId(rotation.id, 'move-gas'))

  async function moveGasOf({ newKey }: Rotation, from: Hex, id: string): Promise<StepResult> {
    const [old, next] = [await keyNamed(from), await keyNamed(newKey)]
    const holder = {
      client,
      journal,
      address: accountOf(old).address,
      submitter: directSubmitter(old),
      ...(onEvent && { onEvent }),
    }
    const request = { id, to: accountOf(next).address }
    return stepResultOf(async () => (await sendAllGas(holder, request)) ?? nothingSent)
  }

  /** Moves what gas an attacker left on a suspected key. A failure does not delay the rotation. */
  async function saveGas(rotation: Rotation): Promise<void> {
    if (rotation.kind !== 'suspected' || session || !(await store.signerOf(rotation.oldKey))) return
    await moveGas(rotation).catch(() => waiting)
  }

  /** Wipes keys of superseded rotations: their root is revoked, some still hold gas. */
  async function wipeLeftovers(rotation: Rotation): Promise<void> {
    if (rotation.kind !== 'suspected') return
    for (const name of await store.leftoverKeys(rotation)) {
      const id = stepId(rotation.id, `move-gas-${name}`)
      if (!session && (await store.signerOf(name))) await moveGasOf(rotation, name, id).catch(() => waiting)
      await store.wipeKey(name)
    }
  }

  return {
    load: store.load,
    save: store.save,
    perform: {
      async 'make-key'(rotation) {
        const newKey = await store.makeKey(rotation.id, rotation.kind)
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

      async redelegate(rotation) {
        const { id, oldKey, newKey } = rotation
        const [old, next] = [await keyNamed(oldKey), await keyNamed(newKey)]
        const links = await store.linksOf(oldKey)
        const [leaf] = links
        if (!leaf || !newKey) return { kind: 'refused', why: 'the old key has no delegation' }
        await store.setLinks(newKey, [await redelegateTo(id, leaf, { old, next }), ...links])
        await redelegateDraw(rotation)
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
        return stepResultOf(() => vitals.handOver(stepId(id, 'hand-over'), accountOf(next).address))
      },

      async 'disable-root'(rotation) {
        const root = await oldRootOf(rotation)
        const all = unique([...(root ? [root] : []), ...(parts.besides ?? [])])
        const off = await Promise.all(all.map((each) => isDisabled({ client, deployment }, each)))
        const enabled = all.filter((_, at) => !off[at])
        for (const each of enabled) await owner.askToRevoke(rotation, each)
        return enabled.length === 0 ? done : waiting
      },

      async 'request-grant'(rotation) {
        const next = await keyNamed(rotation.newKey)
        const grant = await store.grantFor(rotation.id)
        if (!grant) {
          await owner.askToGrant(rotation, next.publicKey, newAddressOf(rotation, next))
          return waiting
        }
        const old = await oldRootOf(rotation)
        if (!isAddressEqual(grant.delegate, newAddressOf(rotation, next)))
          return { kind: 'refused', why: `the grant names another delegate: ${grant.delegate}` }
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
        const [old, next] = [await store.signerOf(oldKey), await keyNamed(newKey)]
        const newAddress = newAddressOf(rotation, next)
        await saveGas(rotation)
        await wipeLeftovers(rotation)
        // Again: the owner may have granted a runway to the old key after its redelegation.
        await redelegateDraw(rotation)
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

/** The account of a key that sends its own transactions. */
function accountOf({ account }: SessionSigner): LocalAccount {
  if (account) return account
  throw new BardoError('A P-256 key cannot be an account.', {
    code: 'INVALID_INPUT',
    remedy: 'Use it as the signer of a session account.',
  })
}

/** The delegations without duplicates. */
function unique(delegations: readonly Delegation[]): readonly Delegation[] {
  return [...new Map(delegations.map((each) => [hashDelegation(each), each])).values()]
}

/** The result if there was nothing to send. */
const nothingSent = { status: 'success', hash: '0x' } as const
const stepId = (rotationId: string, step: string) => `${rotationId}:${step}`

function submitStep(submitter: Submitter, request: Parameters<Submitter['submit']>[0]): Promise<StepResult> {
  return stepResultOf(() => submitter.submit(request))
}

/** A landed success is done; a landed revert or a certain refusal is refused; anything less certain waits. */
async function stepResultOf(
  run: () => Promise<{ readonly status: 'success' | 'reverted'; readonly hash: Hex }>,
): Promise<StepResult> {
  try {
    const { status, hash } = await run()
    return status === 'success' ? done : { kind: 'refused', why: `${hash} reverted` }
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    const isCertain = error.code === 'TRANSACTION_REVERTED' || error.code === 'INTENT_CLOSED'
    if (isCertain) return { kind: 'refused', why: error.shortMessage }
    // Another transaction took the nonce: nothing has happened, and the step can be tried again.
    if (error.outcome === 'unknown' || error.retryable) return waiting
    throw error
  }
}

/** Why a grant would open a second budget; undefined if it would not. */
function secondBudget(compare: () => unknown): string | undefined {
  try {
    compare()
    return undefined
  } catch (error) {
    if (error instanceof BardoError && error.code === 'DELEGATION_WIDER') return error.shortMessage
    throw error
  }
}
