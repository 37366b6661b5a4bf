import { createMemoryJournal, generateSessionKey, type Journal } from '@bardo/core'
import { type Address, createTestClient, http, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { sessionKeyAccount } from '../session/sessionKeyAccount.ts'
import { createSubmitter } from '../submission/createSubmitter.ts'
import type { SubmitterSettings } from '../submission/settings.ts'
import type { TransactionSigner } from '../submission/signAttempt.ts'
import { type Around, clientAround, createTestClock, journalAround, signerAround } from './fault.ts'

const chainId = 31_337
const asItIs: Around = (_operation, run) => run()

/** A bench to try a submitter on: an anvil, keys with gas, strangers to pay, and processes over one journal. */
export function createSubmissionBench(url: string) {
  const chain = createTestClient({ mode: 'anvil', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)

  return {
    chain,

    /** A fresh session key that can pay for gas. */
    async fundedKey() {
      const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
      const account = sessionKeyAccount(generateSessionKey('secp256k1', random))
      await chain.setBalance({ address: account.address, value: parseEther('1') })
      return account
    },

    /** An address that nobody has used. */
    stranger: (): Address => privateKeyToAddress(generatePrivateKey()),

    /** A process: a submitter for the key. Each of its waits is a turn of the world. */
    start(
      signer: TransactionSigner,
      {
        journal = createMemoryJournal(),
        around = asItIs,
        onSleep,
        settings = {},
      }: {
        journal?: Journal
        around?: Around
        onSleep?: () => Promise<unknown>
        settings?: Partial<SubmitterSettings>
      } = {},
    ) {
      const clock = createTestClock(onSleep)
      const client = clientAround(url, around)
      const submitter = createSubmitter({
        client,
        chainId,
        journal: journalAround(journal, around),
        clock,
        signer: signerAround(signer, around),
        settings: { finality: 1, ...settings },
      })
      return { submitter, journal, clock }
    },
  }
}
