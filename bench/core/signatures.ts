import { createWasmEngine } from '@bardo/chain'
import { createDelegationVerifier, type Delegation, delegationTypedData, rootAuthority } from '@bardo/core'
import { type Address, type Hex, numberToHex, verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Comparison, compare } from './compare.ts'

const chainId = 8453
const manager: Address = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3'
const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const batchSize = 1_000

/** Hashing a delegation and checking its signer: Bardo with the WebAssembly engine, and viem. */
export async function compareSignatures(): Promise<readonly Comparison[]> {
  const verifier = createDelegationVerifier({ chainId, manager, engine: await createWasmEngine() })
  const batch = await Promise.all(Array.from({ length: batchSize }, (_, i) => signedDelegation(BigInt(i))))
  let next = 0
  const some = (): Delegation => batch[next++ % batchSize] ?? fail('the batch is empty')
  const byViem = async (delegation: Delegation) => {
    const { signature, delegator: address } = delegation
    const data = delegationTypedData(chainId, manager, delegation)
    if (!(await verifyTypedData({ ...data, address, signature }))) fail('viem rejects the signature')
  }
  return [
    await compare(
      'delegation hash and signature check',
      {
        name: 'bardo',
        run: () => verifier.signerOf(some()) === owner.address || fail('another key signed it'),
      },
      { name: 'viem verifyTypedData', run: () => byViem(some()) },
    ),
    await compare(
      `batch verification of ${batchSize.toLocaleString('en')} delegations`,
      {
        name: 'bardo',
        run: () =>
          verifier.findForged(batch, ({ delegator }) => delegator).length === 0 ||
          fail('a signature is forged'),
      },
      { name: 'viem verifyTypedData for each', run: () => Promise.all(batch.map(byViem)) },
    ),
  ]
}

/** A root with four caveats of the usual sizes. */
async function signedDelegation(salt: bigint): Promise<Delegation> {
  const caveats = [400, 16, 32, 32].map((length, place) => ({
    enforcer: numberToHex(0xe0 + place, { size: 20 }),
    terms: `0x${'5a'.repeat(length)}` as Hex,
    args: '0x' as const,
  }))
  const delegate = numberToHex(0xd0, { size: 20 })
  const unsigned = { delegate, delegator: owner.address, authority: rootAuthority, caveats, salt }
  const signature = await owner.signTypedData(delegationTypedData(chainId, manager, unsigned))
  return { ...unsigned, signature }
}

function fail(reason: string): never {
  throw new Error(reason)
}
