/** Fails when code above packages/wallets uses a session key: a wallet or a signer is all that it may hold. */
import { globSync, readFileSync } from 'node:fs'
import { identifiersIn } from './identifiersIn.ts'

/** A source file: its path from the repository's root, and its text. */
export type Source = { readonly path: string; readonly text: string }

/** A use of a session key where only a wallet is allowed. */
export type SessionKeyUse = { readonly path: string; readonly line: number; readonly name: string }

/** The type of a key, what creates or opens one, and what takes one. */
const keyNames: ReadonlySet<string> = new Set([
  'SessionKey',
  'generateSessionKey',
  'openSealedKey',
  'sealSessionKey',
  'sessionKeyAccount',
  'sessionKeyFrom',
  'sessionKeySigner',
  'sessionSigner',
])

/** `core` has the keys, `chain` makes accounts and signers of them, `wallets` generates, seals, opens and wipes them. */
const mayHoldKeys = /^packages\/(core|chain|wallets)\//
const isTest = (path: string) => /\.(test|bench)\.tsx?$|\/testing\//.test(path)

/**
 * Finds every use of a session key in code that may not hold one. It looks at identifiers and not at imports
 * only, so `chain.sessionKeyAccount` and `await import(…)` are found too.
 */
export function findSessionKeyUses(sources: readonly Source[]): SessionKeyUse[] {
  return sources
    .filter(({ path }) => !mayHoldKeys.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      identifiersIn(path, text)
        .filter(({ name }) => keyNames.has(name))
        .map(({ name, start }) => ({ path, line: text.slice(0, start).split('\n').length, name })),
    )
}

if (import.meta.main) {
  const paths = globSync('{packages,apps}/*/**/*.{ts,tsx}', { exclude: ['**/node_modules/**', '**/dist/**'] })
  const uses = findSessionKeyUses(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
  for (const { path, line, name } of uses)
    console.error(`${path}:${line}  ${name}: use a wallet of @bardo/wallets (docs/golem.md#wallets)`)
  if (uses.length > 0) process.exitCode = 1
  else console.log(`${paths.length} files; only core, chain and wallets hold session keys`)
}
