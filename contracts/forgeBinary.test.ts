import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { forgeBinary } from './forgeBinary.ts'

it('exits with the code of the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bardo-forge-'))
  const file = join(folder, 'A.sol')
  const check = () => spawnSync(forgeBinary(), ['fmt', '--check', file]).status
  writeFileSync(file, 'contract   A{}')
  expect(check()).toBe(1)
  writeFileSync(file, 'contract A {}\n')
  expect(check()).toBe(0)
  rmSync(folder, { recursive: true })
})

it('uses the binary that BARDO_FORGE names', () => {
  expect(forgeBinary({ BARDO_FORGE: '/opt/forge' })).toBe('/opt/forge')
})

it('names the package and the command if the binary of the platform is missing', () => {
  expect(() => forgeBinary({}, 'plan9')).toThrow(
    /npm install --no-save @foundry-rs\/forge-plan9-\w+@\d+\.\d+\.\d+` .* BARDO_FORGE/,
  )
})
