/** The part of a `package.json` that is used here. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly type: string
  readonly sideEffects?: boolean
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What the built package exports at one subpath. */
type BuiltExport = { readonly types: string; readonly default: string }

/**
 * The `package.json` that is packed. In the repository `exports` name TypeScript, which Node runs directly.
 * Inside `node_modules` Node does not, so the packed exports name the built JavaScript. npm does not apply
 * `publishConfig.exports`.
 */
export function publishedManifest(manifest: Manifest) {
  const { name, version, type, sideEffects, exports, dependencies } = manifest
  return {
    name,
    version,
    license: 'MIT',
    type,
    sideEffects,
    engines: { node: '>=20.19' },
    exports: Object.fromEntries(
      Object.entries(exports)
        // Test helpers stay in the repository.
        .filter(([path]) => !path.startsWith('./testing/'))
        .map(([path, source]) => [path, builtExport(source)]),
    ),
    files: ['dist'],
    dependencies,
  }
}

/**
 * `./src/caveats/index.ts` becomes `./dist/caveats/index.js`, `./generated/index.ts`
 * `./dist/generated/index.js`.
 */
function builtExport(source: string): BuiltExport {
  const path = `./dist/${source.replace(/^\.\/(?:src\/)?/, '').replace(/\.ts$/, '')}`
  return { types: `${path}.d.ts`, default: `${path}.js` }
}
