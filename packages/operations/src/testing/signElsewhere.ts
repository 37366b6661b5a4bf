/**
 * Signs a prepared operation in a process of its own, as an owner on another machine would: it gets a file and a key, and
 * imports nothing of Bardo. `node signElsewhere.ts FILE KEY NONCE` prints the file that `--signed` takes. Without arguments it
 * reads one such list (JSON) per line, and prints one file per line.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { privateKeyToAccount } from 'viem/accounts'

async function sign([file = '', key = '', nonce = '0']: readonly string[]): Promise<string> {
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
  return JSON.stringify({ operation, answers })
}

const words = process.argv.slice(2)
if (words.length > 0) console.log(await sign(words))
else
  for await (const line of createInterface({ input: process.stdin }))
    console.log(await sign(JSON.parse(line)))
