import type { Capability, CapabilityLedger } from '../capability.ts'

/** A ledger that answers as SQL would: each write looks and writes in one turn. */
export function createMemoryLedger(): CapabilityLedger {
  const rows = new Map<string, { readonly capability: Capability; consumedBy?: string }>()
  return {
    async add(capability, { most, since }) {
      const recent = [...rows.values()].filter(
        (row) => row.capability.golem === capability.golem && row.capability.mintedAt > since,
      )
      if (rows.has(capability.permitId) || recent.length >= most) return false
      rows.set(capability.permitId, { capability })
      return true
    },
    async find(permitId) {
      const row = rows.get(permitId)
      return row && { capability: row.capability, consumedBy: row.consumedBy }
    },
    async consume(permitId, intentId) {
      const row = rows.get(permitId)
      if (!row) return false
      row.consumedBy ??= intentId
      return row.consumedBy === intentId
    },
  }
}
