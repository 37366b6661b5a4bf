import { toFunctionSelector, zeroAddress } from 'viem'
import { expect, it, test } from 'vitest'
import { cage } from '../../caveats/cage.ts'
import { targetKinds } from '../../caveats/terms/mandate.ts'
import { readSignedPlan } from '../readSignedPlan.ts'
import { type AddressBook, missingAddresses, toCageTerms } from '../toCageTerms.ts'
import { compileStrategy } from './compileStrategy.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const selector = toFunctionSelector('function publish(bytes32 topic, int256 value)')
const book: AddressBook = {
  assets: new Map([
    ['USDC', { token: at('1'), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    ['WETH', { token: at('2'), feed: at('3'), maxAgeSeconds: 60, scale: 26 }],
  ]),
  pools: new Map(),
  vaults: new Map(),
  contracts: { swapRouter02: at('5') },
  publishers: new Map([['ORACLE', { address: at('6'), selector }]]),
}
const swap = 'Swap USDC into WETH.\nbudget: $20/day\n'
const compile = (text: string) =>
  compileStrategy(`${swap}\n${text}`, { now: 100n, symbols: ['USDC', 'WETH'] })
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 0 } as const

it('grants the signed method of the named contract, and reads it back from the signed bytes', () => {
  const { plan, ambiguities, setNothing } = compile('Publish to ORACLE.')
  expect(plan.targets).toContainEqual({ role: 'publish', name: 'ORACLE' })
  expect([plan.classes, plan.methods].flat()).toEqual(expect.arrayContaining(['publish', 'signed']))
  expect(plan.reasons).toContainEqual({
    permission: 'class publish',
    because: [{ line: 4, sentence: 'Publish to ORACLE.' }],
  })
  expect([...ambiguities.filter(({ outcome }) => outcome === 'notGranted'), ...setNothing]).toEqual([])
  const terms = toCageTerms(plan, book, subject)
  expect(terms.mandate.targets).toContainEqual({ kind: targetKinds.publish, address: at('6'), selector })
  const signed = readSignedPlan(cage.decode(cage.encode(terms)), book)
  expect(toCageTerms(signed.plan, signed.book, subject)).toMatchObject({
    classes: terms.classes,
    mandate: terms.mandate,
  })
})

test.for([
  'Do not publish to ORACLE.',
  'Publish to ORACLE if the market is calm.',
  'Should it publish to ORACLE?',
  'Publish to ORACLE. Never publish anything.',
  'Publish something somewhere.',
  'Publish to 0x1111111111111111111111111111111111111111.',
])('grants nothing for %j', (text) => {
  const { plan } = compile(text)
  expect(plan.classes).not.toContain('publish')
  expect(plan.targets).not.toContainEqual(expect.objectContaining({ role: 'publish' }))
})

it('still reads what a sentence with another purpose forbids', () => {
  expect(compile('Publish nothing, and never swap USDC into WETH.').plan.classes).not.toContain('swap')
})

it('names a contract that the address book does not list', () => {
  expect(missingAddresses(compile('Publish to NEWS.').plan, book)).toEqual(['a publishing contract NEWS'])
})

it('needs a capability beside it: publishing alone is no strategy', () => {
  expect(compileStrategy('Publish to ORACLE.', { now: 100n }).plan.classes).toEqual([])
})
