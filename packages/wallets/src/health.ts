import { BardoError, type RevocationState, type SessionKey } from '@bardo/core'
import type { WalletHealth } from './walletHandle.ts'

/** How the root delegation stands, as the chain has it now. */
export type Standing = () => Promise<RevocationState>

/** The health of a key that acts under a delegation: the key's own, then the delegation's. */
export async function healthOf(key: SessionKey, standing: Standing): Promise<WalletHealth> {
  if (key.wiped) return { is: 'unhealthy', code: 'SESSION_KEY_ZEROED', because: 'The session key was wiped.' }
  try {
    const { is } = await standing()
    if (is === 'active') return { is: 'healthy' }
    return { is: 'unhealthy', code: 'DELEGATION_DISABLED', because: `The delegation is ${is}.` }
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    return { is: 'unhealthy', code: error.code, because: error.shortMessage }
  }
}
