import { createVitalsClient, registerGolem, resendSettled, type Vitals } from '@bardo/chain'
import { BardoError, type Sender, type SubmissionEvent } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { GolemSubmitter } from './openSubmitter.ts'

/**
 * Repairs the effects of a reorganisation. If the row in the vitals names an earlier key again, or gas is
 * back with a wiped key, the transactions of that key are sent again as they were signed. If the row is
 * missing, the Golem is registered again: without a row every write and every redemption reverts. Returns
 * true if something was sent and the chain must be read again.
 */
export async function restoreRow(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  { state, writer }: Pick<Vitals, 'state' | 'writer'>,
): Promise<boolean> {
  if (state === 'unknown') await registerAgain(parts, permission, openSubmitter)
  if (state === 'unknown') return true
  if (state === 'dead') return false
  const { id, store, deployment, settings } = parts
  // A session account keeps its address, and its submitter sends undone operations again by itself.
  if (settings.route?.type === 'userOperation') return false
  const isOurs = isAddressEqual(writer, permission.links[0].delegate)
  if (isOurs && !permission.hasOtherKeys) return false
  // A reorganisation does not reach further back than the last one or two rotations.
  const wiped = (await store.sessionKeys.list(id)).findLast(({ status }) => status === 'wiped')
  const from = isOurs ? wiped?.address : writer
  if (!from) return false
  return (await resend(parts, { chainId: deployment.chainId, from })) > 0
}

/** Sends a sender's settled transactions again, and records the outcome in the Golem's audit chain. */
function resend({ id, store, client, settings }: GolemParts, sender: Sender): Promise<number> {
  const finality = settings.submitter?.finality
  const onEvent = (event: SubmissionEvent) =>
    store.transaction(async (transaction) => recordEvents(transaction, id, [event]))
  return resendSettled({ client, journal: store.journal, finality, onEvent }, sender)
}

/**
 * Sends the registration again as it was signed. If that transaction cannot land any more, the Golem's own
 * key sends the registration. Throws if neither restores the row.
 */
async function registerAgain(
  parts: GolemParts,
  { golem }: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
): Promise<void> {
  const { id, store, client, deployment, keys } = parts
  const address = deployment.contracts.golemVitals
  const known = await store.journal.find(`register-${id}`)
  const sent = known ? await resend(parts, known.intent) : 0
  // While the signed transaction is pending, the next tick checks again.
  if (sent === 0 && !(await isAlive())) await registerAsGolem()
  if (!(await isAlive())) throw notThere()
  await store.transaction(async (transaction) =>
    recordEvents(transaction, id, [{ name: 'golem.registeredAgain' }]),
  )

  async function isAlive(): Promise<boolean> {
    const { submitter } = await openSubmitter()
    const vitals = createVitalsClient({ client, address, golem: id, submitter })
    return (await vitals.read()).state === 'alive'
  }

  /** Any account may pay for a registration; the consent of the first key ties it to the Golem. */
  async function registerAsGolem(): Promise<void> {
    const { submitter } = await openSubmitter()
    if (known) {
      const { to, data } = known.intent
      await submitter.submit({ id: `register-again-${id}`, to, data })
      return
    }
    const [first] = await store.sessionKeys.list(id)
    const wallet = await keys.open()
    if (!first || !wallet || !isAddressEqual(first.address, wallet.address)) throw notThere()
    await registerGolem({ client, deployment, submitter }, { owner: golem.owner, key: wallet })
  }
}

function notThere(): BardoError {
  return new BardoError('The Golem’s row is not on the chain any more.', {
    code: 'OUTCOME_UNKNOWN',
    details: ['a reorganisation removed its registration', 'the next tick sends it again'],
    remedy:
      'Wait for the next tick. If the error remains, run `bardo kill` and summon a Golem with another name.',
    docsPath: 'operators.md#a-jammed-key',
  })
}
