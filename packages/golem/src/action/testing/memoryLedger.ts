import type { Capability } from '@bardo/store'
import type { Action } from '../action.ts'
import type { CapabilityLedger } from '../capability.ts'

/** An in-memory ledger with the atomicity of SQL: each write checks and writes without yielding. */
export function createMemoryLedger(): CapabilityLedger {
  const rows = new Map<
    string,
    { readonly capability: Capability; readonly built: Action; consumedBy?: string }
  >()
  return {
    async add(capability, built, { most, since }) {
      const recent = [...rows.values()].filter(
        (row) => row.capability.golem === capability.golem && row.capability.mintedAt > since,
      )
      if (rows.has(capability.capabilityId) || recent.length >= most) return false
      rows.set(capability.capabilityId, { capability, built })
      return true
    },
    async find(capabilityId) {
      const row = rows.get(capabilityId)
      return row && { capability: row.capability, built: row.built, consumedBy: row.consumedBy }
    },
    async consume(capabilityId, intentId) {
      const row = rows.get(capabilityId)
      if (!row) return false
      row.consumedBy ??= intentId
      return row.consumedBy === intentId
    },
  }
}
