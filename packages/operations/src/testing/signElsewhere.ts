/**
 * Signs a prepared operation in a process of its own, as an owner on another machine would: it gets a file and a key, and
 * imports nothing of Bardo. `node signElsewhere.ts FILE KEY NONCE` prints the file that `--signed` takes.
 */
import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'

const [file = '', key = '', nonce = '0'] = process.argv.slice(2)
const { operation, steps } = JSON.parse(readFileSync(file, 'utf8'))
const account = privateKeyToAccount(`0x${key.slice(2)}`)
const answers = []
let next = Number(nonce)
for (const { type, digest, ...step } of steps) {
  if (type === 'signature') answers.push({ digest, signature: await account.signTypedData(step.typedData) })
  else {
    const { chainId, to, value, data } = step
    const rawTransaction = await account.signTransaction({
      chainId,
      to,
      value: BigInt(value),
      data,
      nonce: next,
      gas: 1_000_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
    })
    next += 1
    answers.push({ digest, rawTransaction })
  }
}
console.log(JSON.stringify({ operation, answers }))
