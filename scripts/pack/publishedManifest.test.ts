import { expect, it } from 'vitest'
import { publishedManifest } from './publishedManifest.ts'

const manifest = {
  name: '@bardo/example',
  version: '1.2.3',
  type: 'module',
  sideEffects: false,
  exports: {
    '.': './src/index.ts',
    './caveats': './src/caveats/index.ts',
    './earlier/version1': './earlier/version1/index.ts',
    './testing/random': './src/testing/random.ts',
  },
  dependencies: { viem: '2.57.1' },
  devDependencies: { '@bardo/devnet': '1.2.3' },
  private: true,
}

it('lists the built files of every export, without test helpers', () => {
  expect(publishedManifest(manifest).exports).toEqual({
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './caveats': { types: './dist/caveats/index.d.ts', default: './dist/caveats/index.js' },
    './earlier/version1': {
      types: './dist/earlier/version1/index.d.ts',
      default: './dist/earlier/version1/index.js',
    },
  })
})

it('keeps the fields for users and omits those for the repository', () => {
  const published = publishedManifest(manifest)
  expect(published).toMatchObject({
    name: '@bardo/example',
    version: '1.2.3',
    dependencies: { viem: '2.57.1' },
  })
  expect(Object.keys(published)).not.toContain('devDependencies')
  expect(Object.keys(published)).not.toContain('private')
})
