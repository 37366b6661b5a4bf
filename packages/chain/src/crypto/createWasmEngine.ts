import type { CryptoEngine } from '@bardo/core'
import { engine as hashEngine } from 'ox/wasm/Hash'
import { engine as curveEngine } from 'ox/wasm/Secp256k1'

/**
 * libsecp256k1 and Keccak as WebAssembly: about twenty times as fast as JavaScript. Compiling them takes
 * milliseconds.
 */
export async function createWasmEngine(): Promise<CryptoEngine> {
  const [{ keccak256 }, { recoverPublicKey }] = await Promise.all([hashEngine(), curveEngine()])
  return { keccak256, recoverPublicKey }
}
