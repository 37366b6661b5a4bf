import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { version }: { version: string } = require('@foundry-rs/forge/package.json')

/** Foundry's names for the values of `process.arch`. */
const foundryArch: Record<string, string> = { x64: 'amd64' }

/**
 * The forge that npm installed, or the one that `BARDO_FORGE` names. Not the command in `node_modules/.bin`:
 * that one always exits with 0.
 */
export function forgeBinary(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  const chosen = env['BARDO_FORGE']
  if (chosen) return chosen
  const name = `@foundry-rs/forge-${platform}-${foundryArch[process.arch] ?? process.arch}`
  try {
    return createRequire(require.resolve('@foundry-rs/forge/package.json')).resolve(`${name}/bin/forge`)
  } catch (cause) {
    throw new Error(
      `forge is not installed for this machine. Run \`npm install --no-save ${name}@${version}\` in the repository, or set BARDO_FORGE to the path of a forge binary.`,
      { cause },
    )
  }
}
