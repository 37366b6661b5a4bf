import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { BardoError, canonicalFramework } from '@bardo/core'
import type { Address } from 'viem'
import { z } from 'zod'
import { codesIn } from './chainDump.ts'
import type { SavedState } from './savedState.ts'
import { type World, worldContracts } from './world/worldDescription.ts'

/** An owner's devnet: its contracts, and its chain as it was left. */
export type KeptWorld = SavedState & {
  /** The fingerprint of the sources that wrote it. Informational only. */
  readonly version: string
}

/** The content of a file. */
export type FoundWorld =
  | { readonly type: 'none' }
  | { readonly type: 'kept'; readonly kept: KeptWorld }
  /** It lacks contracts that Bardo does not deploy, or the file is damaged. */
  | { readonly type: 'unusable'; readonly because: string }

/**
 * Reads a devnet that was stored in a file. An earlier version of Bardo may have written it: `startDevnet`
 * adds the current contracts to those that exist.
 */
export function readKeptWorld(file: string): FoundWorld {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { type: 'none' }
    throw error
  }
  const parsed = parse(text)
  if (!parsed) return { type: 'unusable', because: 'its file is damaged' }
  const { kept, missing } = parsed
  if (missing.length === 0) return { type: 'kept', kept }
  const names = missing.length > 3 ? [...missing.slice(0, 3), '…'] : missing
  return { type: 'unusable', because: `it lacks contracts: ${names.join(', ')}` }
}

/** Stores a devnet in a file, atomically. */
export function writeKeptWorld(file: string, kept: KeptWorld): void {
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
  renameSync(draft, file)
}

function parse(text: string): { readonly kept: KeptWorld; readonly missing: readonly string[] } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isKept(value) ? { kept: value, missing: missingContracts(value) } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof BardoError) return undefined
    throw error
  }
}

const address = z.templateLiteral(['0x', z.string()])
const keptSchema = z.object({
  version: z.string(),
  world: z.object({
    addresses: z.record(z.string(), address),
    framework: z.object({
      DelegationManager: address,
      EntryPoint: address,
      SimpleFactory: address,
      implementations: z.record(z.string(), address),
      caveatEnforcers: z.record(z.string(), address),
    }),
  }),
  dump: z.templateLiteral(['0x', z.string()]),
})

function isKept(value: unknown): value is KeptWorld {
  return keptSchema.safeParse(value).success
}

/**
 * The contracts that this version of Bardo needs on a devnet and that this one lacks. Bardo's own are not
 * included: they are deployed when the devnet is opened.
 */
function missingContracts({ world, dump }: SavedState): readonly string[] {
  const codes = codesIn(dump)
  const needed = [
    ...worldContracts,
    'SimpleFactory',
    ...Object.keys(canonicalFramework.implementations),
    ...Object.keys(canonicalFramework.caveatEnforcers),
  ]
  const addresses = addressesOf(world)
  return needed.filter((name) => !isOptional(name) && !codes.has(addresses[name]?.toLowerCase() ?? ''))
}

/** A devnet of an earlier version has no publishing contract: its address book lists none. */
const isOptional = (name: string) => name === 'publicOracle'

function addressesOf({ addresses, framework }: World): Readonly<Record<string, Address>> {
  const { SimpleFactory, implementations, caveatEnforcers } = framework
  return { ...addresses, SimpleFactory, ...implementations, ...caveatEnforcers }
}
