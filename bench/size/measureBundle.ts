import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** Maximum size of the code that a page loads to show a delegation to an owner, in bytes after gzip. */
export const limit = 60_000

/** The size of one entry for a browser. */
export type Bundle = {
  readonly minified: number
  readonly gzip: number
  /** Bytes before minifying, by npm package or folder of `packages`; the largest first. */
  readonly parts: readonly (readonly [name: string, bytes: number])[]
}

/** Bundles one file of `entries` as a page's build would: tree-shaken, minified, gzipped. */
export async function measureBundle(entry: string): Promise<Bundle> {
  const input = fileURLToPath(new URL(`./entries/${entry}.ts`, import.meta.url))
  await using build = await rolldown({ input, platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  const parts = new Map<string, number>()
  let code = ''
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    code += chunk.code
    for (const [path, { renderedLength }] of Object.entries(chunk.modules)) {
      const name = partOf(path)
      parts.set(name, (parts.get(name) ?? 0) + renderedLength)
    }
  }
  return {
    minified: code.length,
    gzip: gzipSync(code, { level: 9 }).length,
    parts: [...parts].filter(([, bytes]) => bytes > 0).sort(([, one], [, other]) => other - one),
  }
}

/** `viem`, `@noble/hashes`, `core/caveats`. */
function partOf(path: string): string {
  const inPackage = path.split('/node_modules/').at(-1) ?? path
  if (inPackage !== path) return /^(?:@[^/]+\/)?[^/]+/.exec(inPackage)?.[0] ?? inPackage
  const own = /\/packages\/([^/]+)\/src\/(?:([^/.]+)\/)?/.exec(path)
  return own ? [own[1], own[2]].filter(Boolean).join('/') : 'the bundler’s own code'
}
