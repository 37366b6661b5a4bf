import { BardoError, type RevocationState, type SessionKey } from '@bardo/core'
import type { WalletHealth } from './wallet.ts'

/** Reads the current state of the root delegation from the chain. */
export type Standing = () => Promise<RevocationState>

/** The health of a key that acts under a delegation: first the key's own, then the delegation's. */
export async function healthOf(key: SessionKey, standing: Standing): Promise<WalletHealth> {
  if (key.wiped)
    return { type: 'unhealthy', code: 'SESSION_KEY_ZEROED', because: 'The session key was wiped.' }
  try {
    const { type } = await standing()
    if (type === 'active') return { type: 'healthy' }
    return { type: 'unhealthy', code: 'DELEGATION_DISABLED', because: `The delegation is ${type}.` }
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    return { type: 'unhealthy', code: error.code, because: error.shortMessage }
  }
}
