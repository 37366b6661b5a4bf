/** An owner summons a Golem by a file; the process never has the key: `node examples/offline-signing.ts` */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { BardoError, deploymentOn } from '@bardo/core'
import { devnetBook, startDevnet } from '@bardo/devnet'
import { completeOperation, prepareOperation, summonedResult } from '@bardo/operations'
import { openStore } from '@bardo/store'
import { createPublicClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

await using world = await startDevnet({ port: 0 })
const home = await mkdtemp(join(tmpdir(), 'bardo-offline-'))
const file = join(home, 'operation.json')

// The owner's machine: it has the key, and it sees nothing but the file.
const owner = privateKeyToAccount(generatePrivateKey())
await world.fund(owner.address, { ETH: parseEther('1') })
async function sign() {
  const { operation, steps } = JSON.parse(await readFile(file, 'utf8'))
  const answers = []
  let nonce = await world.client.getTransactionCount({ address: owner.address })
  for (const { type, digest, typedData, chainId, to, value, data } of steps) {
    if (type === 'signature') {
      answers.push({ digest, signature: await owner.signTypedData(typedData) })
      continue
    }
    const gas = { gas: 1_000_000n, maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000n }
    const transaction = { chainId, to, value: BigInt(value), data, nonce, ...gas }
    answers.push({ digest, rawTransaction: await owner.signTransaction(transaction) })
    nonce += 1
  }
  return { operation, answers }
}

// The operator's machine: it knows the owner's address, and holds the Golem's key.
const store = await openStore({ home, clock: systemClock })
const context = {
  user: 'local',
  owner: owner.address,
  client: createPublicClient({ transport: http(world.url), pollingInterval: 50 }),
  deployment: deploymentOn(world.chainId),
  book: devnetBook(world),
  store,
  clock: systemClock,
  secret: { kind: 'operator', secret: crypto.getRandomValues(new Uint8Array(32)) },
  confirmations: 1,
} as const
const prepared = await prepareOperation(context, 'summon', {
  name: 'alpha',
  strategy: 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days',
  intervalSeconds: 3_600,
  graceSeconds: 86_400,
})
console.log(`to do: ${prepared.steps.map(({ type }) => type).join(', ')}`)

// A file that was changed on its way is refused, and nothing is sent.
await writeFile(file, JSON.stringify(prepared).replaceAll(/"salt":"\d+"/g, '"salt":"1"'))
console.log(await completeOperation(context, await sign()).catch(refusal))

await writeFile(file, JSON.stringify(prepared))
const done = await completeOperation(context, await sign())
if (done.type === 'done') {
  const { name, golem } = summonedResult.parse(done.result)
  console.log(`${name} is ${(await store.golems.find(golem))?.status}`)
}

await store.close()
await rm(home, { recursive: true })

function refusal(error: unknown): string {
  if (error instanceof BardoError) return `${error.code}: ${error.shortMessage}`
  throw error
}
