import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSubmitter, systemClock } from '@bardo/chain'
import { createMemoryJournal, deploymentOn } from '@bardo/core'
import { devnetAccount, devnetBook, type Funds, startDevnet } from '@bardo/devnet'
import { baseChainId, passAsBase } from '@bardo/devnet/testing/passAsBase'
import { createGolem, type Runtime } from '@bardo/golem'
import { partsOf, summonIn, testSecret } from '@bardo/golem/testing/golemWorld'
import { openStore } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { OperationContext } from '../owner/ownerOperation.ts'
import {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  type SignedOperation,
  signedOperationSchema,
} from '../prepareOperation.ts'

const mintable = parseAbi(['function mint(address to, uint256 amount)'])
/** No operation needs more rounds of answers. */
const mostRounds = 8

/** A chain that passes for Base, a store, and owners whose keys are in another process. */
export type OperationWorld = Awaited<ReturnType<typeof openOperationWorld>>

/** Opens a chain that passes for Base, and an empty store. */
export async function openOperationWorld() {
  const home = mkdtempSync(join(tmpdir(), 'bardo-operations-'))
  await copyEmptyPglite(home)
  const local = await startDevnet({ port: 0 })
  const addresses = await passAsBase(local)
  const world = { ...local, addresses, chainId: baseChainId, fund }
  const store = await openStore({ home, clock: systemClock })
  const clock = { laterMs: 0, ...systemClock, now: () => systemClock.now() + clock.laterMs }
  const runtime: Pick<Runtime, 'open' | 'partsOf'> = {
    partsOf: async (id) => partsOf(world, store, id),
    open: async (id) => createGolem(partsOf(world, store, id)),
  }

  /** The devnet's own faucet signs for the devnet's chain id. */
  async function fund(to: Address, { ETH = 0n, USDC = 0n }: Funds): Promise<void> {
    const { client } = local
    const before = await client.getBalance({ address: to })
    await client.setBalance({ address: to, value: before + ETH })
    if (USDC === 0n) return
    const data = encodeFunctionData({ abi: mintable, functionName: 'mint', args: [to, USDC] })
    const account = devnetAccount('faucet')
    const hash = await client.sendTransaction({ account, chain: null, to: addresses.usdc, data })
    await client.waitForTransactionReceipt({ hash })
  }

  /** An owner with 10 ETH and 1,000 USDC in their wallet. */
  async function newOwner(): Promise<{ readonly key: Hex; readonly context: OperationContext }> {
    const key = generatePrivateKey()
    const owner = privateKeyToAccount(key).address
    await fund(owner, { ETH: parseEther('10'), USDC: parseUnits('1000', 6) })
    const context: OperationContext = {
      user: 'local',
      owner,
      client: world.client,
      deployment: deploymentOn(baseChainId),
      book: devnetBook(world),
      store,
      clock,
      runtime,
      secret: testSecret,
      submitter: { finality: 1, pollMs: 20 },
      confirmations: 1,
    }
    return { key, context }
  }

  const elsewhere = spawn(process.execPath, [join(import.meta.dirname, 'signElsewhere.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const files = createInterface({ input: elsewhere.stdout })[Symbol.asyncIterator]()

  /** Signs all steps in another process, which gets only the printed file and the key. */
  async function signed(prepared: unknown, by: Hex): Promise<SignedOperation> {
    const file = join(home, 'operation.json')
    writeFileSync(file, JSON.stringify(prepared))
    const nonce = await world.client.getTransactionCount({ address: privateKeyToAccount(by).address })
    elsewhere.stdin.write(`${JSON.stringify([file, by, `${nonce}`])}\n`)
    const { value, done } = await files.next()
    if (done) throw new Error('the process that signs has ended')
    return signedOperationSchema.parse(JSON.parse(value))
  }

  return {
    submitterOf: (signer: LocalAccount) =>
      createSubmitter({
        client: world.client,
        chainId: baseChainId,
        journal: createMemoryJournal(),
        clock: systemClock,
        signer,
        settings: { finality: 1, pollMs: 20 },
      }),
    world,
    store,
    clock,
    runtime,
    newOwner,
    signed,
    /** A Golem of such an owner. */
    async golemOf(key: Hex, strategy: string) {
      const summoned = await summonIn(world, store, strategy, undefined, { owner: privateKeyToAccount(key) })
      return { ...summoned, open: () => createGolem(partsOf(world, store, summoned.id)) }
    },
    /** Completes an operation round by round. */
    async finish(
      context: OperationContext,
      prepared: PreparedOperationJson,
      key: Hex,
    ): Promise<FinishedOperation> {
      let current: PreparedOperationJson | FinishedOperation = prepared
      for (let rounds = 0; rounds < mostRounds; rounds += 1) {
        if (current.type === 'done') return current
        current = await completeOperation(context, await signed(current, key))
      }
      throw new Error(`${prepared.kind} is not done after ${mostRounds} rounds`)
    },
    async stop(): Promise<void> {
      elsewhere.stdin.end()
      await store.close()
      await local[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
