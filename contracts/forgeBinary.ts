import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Foundry's names for the values of `process.arch`. */
const foundryArch: Record<string, string> = { x64: 'amd64' }

/**
 * The forge that npm installed, or the one that `BARDO_FORGE` names. Not the command in `node_modules/.bin`:
 * that one always exits with 0.
 */
export function forgeBinary(env: NodeJS.ProcessEnv = process.env): string {
  const arch = foundryArch[process.arch] ?? process.arch
  return (
    env['BARDO_FORGE'] ||
    createRequire(require.resolve('@foundry-rs/forge/package.json')).resolve(
      `@foundry-rs/forge-${process.platform}-${arch}/bin/forge`,
    )
  )
}
