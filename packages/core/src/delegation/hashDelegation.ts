import { type Hex, keccak256 } from 'viem'
import type { Delegation } from './delegation.ts'

const delegationTypehash = '88c1d2ecf185adf710588203a5f263f0ff61be0d33da39792cde19ba9aa4331e'
const caveatTypehash = '80ad7e1b04ee6d994a125f4714ca0720908bd80ed16063ec8aee4b88e9253e2d'

/** How bytes are hashed; Node passes a faster one in. */
export type Keccak = (bytes: Hex) => Hex

/** The delegation’s EIP-712 struct hash: its name in the manager, in links and in enforcers’ rows. */
export function hashDelegation(delegation: Delegation, keccak: Keccak = keccak256): Hex {
  let caveats: Hex = '0x'
  for (const { enforcer, terms } of delegation.caveats) {
    const hash = keccak(`0x${caveatTypehash}${word(enforcer)}${keccak(terms).slice(2)}`)
    caveats = `${caveats}${hash.slice(2)}`
  }
  const { delegate, delegator, authority, salt } = delegation
  return keccak(
    `0x${delegationTypehash}${word(delegate)}${word(delegator)}${word(authority)}${keccak(caveats).slice(2)}${salt.toString(16).padStart(64, '0')}`,
  )
}

function word(bytes: Hex): string {
  return bytes.slice(2).toLowerCase().padStart(64, '0')
}
