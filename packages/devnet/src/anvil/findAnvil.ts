import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BardoError } from '@bardo/core'

const require = createRequire(import.meta.url)

// npm's names for processors are Node's, Foundry's packages have their own.
const foundryArch: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * The path of the anvil binary: `BARDO_ANVIL` if set, else the one npm installed for this platform.
 *
 * The platform's binary is started directly. The npm wrapper around it would be one more process between us and anvil,
 * and it is the one that would miss our death.
 */
export function findAnvil(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['BARDO_ANVIL']
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new BardoError('There is no anvil where BARDO_ANVIL points.', {
      code: 'ANVIL_MISSING',
      details: [`BARDO_ANVIL=${chosen}`],
      remedy: 'Correct the path, or unset BARDO_ANVIL to use the one that npm installed.',
      docsPath: 'devnet.md#when-it-does-not-start',
    })
  }

  const arch = foundryArch[process.arch] ?? process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const path = `@foundry-rs/anvil-${process.platform}-${arch}/bin/${file}`
  try {
    // Resolved from @foundry-rs/anvil, whose optional dependency the platform's package is.
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(path)
  } catch (cause) {
    throw new BardoError('anvil is not installed for this machine.', {
      code: 'ANVIL_MISSING',
      details: [`looked for ${path}`],
      remedy: 'Run `npm install` in the repository, or point BARDO_ANVIL at an anvil of your own.',
      docsPath: 'devnet.md#when-it-does-not-start',
      cause,
    })
  }
}
