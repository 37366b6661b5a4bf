/** Writes the addresses that the contracts have into docs/deployment.md; they change with every change of bytecode. */
import { writeFileSync } from 'node:fs'
import { addressesPage } from './addressesPage.ts'

const { path, text, wanted } = addressesPage()
if (text !== wanted) {
  writeFileSync(path, wanted)
  console.log('new addresses → docs/deployment.md')
}
