import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testKinds } from './scripts/testKinds.ts'

const { unit, integration, isolated } = testKinds(import.meta.dirname)
const isFull = process.env['BARDO_TEST'] === 'full'

/** Tests of the apps take longest and go first: the last file to run leaves the other workers without work. */
class AppsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isApp = ({ moduleId }: TestSpecification) => moduleId.includes('/apps/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isApp), ...sorted.filter((file) => !isApp(file))]
  }
}

export default defineConfig({
  test: {
    // MetaMask's kit reports its use to MetaMask by default; a test sends nothing to third parties.
    env: {
      DO_NOT_TRACK: '1',
      // Processes that tests start compile their sources once, not each time.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/bardo/code'),
    },
    setupFiles: ['scripts/fastCheck.setup.ts'],
    sequence: { sequencer: AppsFirst },
    // For two cores: a test that waits for a process or a chain leaves its core to the third.
    maxWorkers: 3,
    // The files of a worker share their modules: loading them for each file takes a third of the time.
    isolate: false,
    // A limit ends a test that hangs. It is far above what a test needs, because a busy machine is slow.
    testTimeout: isFull ? 900_000 : 60_000,
    hookTimeout: 120_000,
    retry: 0,
    projects: [
      { extends: true, test: { name: 'unit', include: [...unit] } },
      { extends: true, test: { name: 'integration', include: [...integration] } },
      { extends: true, test: { name: 'isolated', include: [...isolated], isolate: true } },
    ],
  },
})
