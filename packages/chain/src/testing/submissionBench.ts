import { createMemoryJournal, generateSessionKey, type Journal, type SubmissionEvent } from '@bardo/core'
import { type Address, createTestClient, http, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { sessionKeyAccount } from '../accounts/sessionKeyAccount.ts'
import { createSubmitter } from '../submission/createSubmitter.ts'
import type { SubmitterSettings } from '../submission/settings.ts'
import type { TransactionSigner } from '../submission/signAttempt.ts'
import { type Around, clientAround, createTestClock, journalAround, signerAround } from './fault.ts'

const chainId = 31_337
const passThrough: Around = (_operation, run) => run()

/** A test bench for submitters: an anvil, keys with gas, unused addresses, and processes with one journal. */
export function createSubmissionBench(url: string) {
  const chain = createTestClient({ mode: 'anvil', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)

  return {
    chain,

    /** A new session key that can pay for gas. */
    async fundedKey() {
      const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
      const account = sessionKeyAccount(generateSessionKey('secp256k1', random))
      await chain.setBalance({ address: account.address, value: parseEther('1') })
      return account
    },

    /** An unused address. */
    stranger: (): Address => privateKeyToAddress(generatePrivateKey()),

    /** A process: a submitter for the key. `onSleep` runs in each of its waits. */
    start(
      signer: TransactionSigner,
      {
        journal = createMemoryJournal(),
        around = passThrough,
        onSleep,
        settings = {},
        onEvent,
        isKeyless = false,
      }: {
        journal?: Journal
        around?: Around
        onSleep?: () => Promise<unknown>
        settings?: Partial<SubmitterSettings>
        onEvent?: (event: SubmissionEvent) => void
        isKeyless?: boolean
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
        isKeyless,
        ...(onEvent && { onEvent }),
      })
      return { submitter, journal, clock }
    },
  }
}
