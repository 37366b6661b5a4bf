import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BardoError } from '@bardo/core'

const require = createRequire(import.meta.url)
const { version }: { version: string } = require('@foundry-rs/anvil/package.json')

// Node and Foundry's packages name processors differently.
const foundryArch: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * The path of the anvil binary: `BARDO_ANVIL` if set, otherwise the one that npm installed for this platform.
 *
 * The platform's binary is started directly: the npm wrapper would be an additional process, which would not
 * notice the end of ours.
 */
export function findAnvil(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  const chosen = env['BARDO_ANVIL']
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new BardoError('BARDO_ANVIL points to a file that does not exist.', {
      code: 'ANVIL_MISSING',
      details: [`BARDO_ANVIL=${chosen}`],
      remedy: 'Correct the path, or unset BARDO_ANVIL to use the binary that npm installed.',
      docsPath: 'devnet.md#when-it-does-not-start',
    })
  }

  const arch = foundryArch[process.arch] ?? process.arch
  const file = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const name = `@foundry-rs/anvil-${platform}-${arch}`
  const path = `${name}/bin/${file}`
  try {
    // Resolved from @foundry-rs/anvil: the platform's package is its optional dependency.
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(path)
  } catch (cause) {
    throw new BardoError('anvil is not installed for this machine.', {
      code: 'ANVIL_MISSING',
      details: [`looked for ${path}`],
      remedy: `Run \`npm install --no-save ${name}@${version}\` in the repository, or set BARDO_ANVIL to the path of an anvil binary.`,
      docsPath: 'devnet.md#when-it-does-not-start',
      cause,
    })
  }
}
