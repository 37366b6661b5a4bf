import type { OwnerSigner } from '@bardo/chain'
import { type AddressBook, hybridAccount, walletSigner } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { LocalAccount } from 'viem'
import { createOwnerResponder, type OwnerResponderOptions } from '../createOwnerResponder.ts'
import type { OwnerResponder } from '../ownerResponder.ts'

/** What an owner's key signed and sent, and what the wallet was asked. */
export type Recorded = {
  readonly signed: {
    readonly primaryType: string
    readonly domain: Readonly<Record<string, unknown>>
    readonly message: Readonly<Record<string, unknown>>
  }[]
  readonly sent: { readonly to: string; readonly value?: bigint; readonly data?: string }[]
  readonly asked: { readonly method: string; readonly params?: unknown }[]
}

/** An owner whose key, submitter and wallet are real, and record everything. */
export function recordingOwner(
  signer: OwnerSigner,
  {
    store,
    book,
    owner,
    wallet,
  }: {
    readonly store: Store
    readonly book: AddressBook
    readonly owner: LocalAccount
    readonly wallet: NonNullable<OwnerResponderOptions['wallet']>
  },
): Recorded & { readonly responder: OwnerResponder } {
  const recorded: Recorded = { signed: [], sent: [], asked: [] }
  const signTypedData: LocalAccount['signTypedData'] = (typedData) => {
    const { primaryType, domain, message } = typedData
    recorded.signed.push({ primaryType, domain: Object(domain), message: Object(message) })
    return owner.signTypedData(typedData)
  }
  const recordingKey: LocalAccount = { ...owner, signTypedData }
  const account = hybridAccount(signer.deployment, {
    began: { owner: owner.address },
    signer: walletSigner(recordingKey),
  })
  const submitter: OwnerSigner['submitter'] = {
    ...signer.submitter,
    submit(request) {
      recorded.sent.push(request)
      return signer.submitter.submit(request)
    },
  }
  const responder = createOwnerResponder({
    ...signer,
    account,
    submitter,
    store,
    book,
    owner: recordingKey,
    override: true,
    wallet: {
      request(request) {
        recorded.asked.push(request)
        return wallet.request(request)
      },
    },
  })
  return { ...recorded, responder }
}
