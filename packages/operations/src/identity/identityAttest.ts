import { BardoError, golemAttestationRefusal, golemAttestationTypedData, golemIdOf } from '@bardo/core'
import { recordEvents } from '@bardo/golem/events'
import { attestationFrom, attestationSchema, writeAttestation } from '@bardo/golem/identity'
import { getAddress, zeroHash } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import { addressField, findOwnIdentity, golemField } from './golemIdentity.ts'

const fieldsSchema = lineageFields.extend({
  account: addressField,
  firstKey: addressField,
  issuedAt: z.string().regex(/^\d{1,12}$/),
})

type Fields = z.output<typeof fieldsSchema>

/** The owner signs that a Golem is theirs. Anyone can verify it with `golemAttestationRefusal`. */
export const identityAttest = defineOperation({
  input: z.strictObject({ golem: golemField }),
  fields: fieldsSchema,
  result: attestationSchema,
  async resolve(context, { golem: id }): Promise<Fields> {
    const { golem, account } = await findOwnIdentity(context, id)
    const keys = await context.store.sessionKeys.list(golem.id)
    const first = keys.find(
      ({ address }) =>
        golemIdOf({ owner: golem.owner, firstKey: address, salt: zeroHash }) === golem.id.toLowerCase(),
    )
    if (!first)
      throw new BardoError('The id of the Golem is not derived from its owner and its first key.', {
        code: 'STORE_CORRUPT',
        outcome: 'not-sent',
        details: [golem.id, `owner ${golem.owner}`],
      })
    return {
      ...(await resolveLineage(context, golem.id)),
      account,
      firstKey: getAddress(first.address),
      issuedAt: `${Math.floor(context.clock.now() / 1_000)}`,
    }
  },
  describe: ({ owner }, { name, golem, account }) => [
    `State that the Golem ${name} (${golem}) belongs to ${owner} and acts for the account ${account}.`,
    'Anyone who sees the signature can verify this. It allows nothing.',
  ],
  async run(context, signer, fields: Fields) {
    const { deployment, owner, store } = context
    const { chainId } = deployment
    await requireSameRoots(context, fields)
    const { golem, account, firstKey, name, issuedAt } = fields
    const attestation = { owner, golem, firstKey, name, account, issuedAt: BigInt(issuedAt) }
    const signature = await signer.account.signer.signTypedData(
      golemAttestationTypedData(attestation, chainId),
    )
    const signed = { chainId, owner, golem, firstKey, name, account, issuedAt, signature }
    const expected = { chainId, owner, golem, account }
    const refusal = await golemAttestationRefusal(attestationFrom(signed), expected)
    if (refusal !== undefined)
      throw new BardoError('The attestation is not valid.', {
        code: 'SIGNATURE_MALFORMED',
        outcome: 'not-sent',
        details: [`wrong: ${refusal}`],
      })
    await store.transaction(async (transaction) => {
      await writeAttestation(transaction, golem, signed)
      recordEvents(transaction, golem, [{ name: 'identity.attested', owner }])
    })
    return signed
  },
})
