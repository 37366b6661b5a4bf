import { expect, it } from 'vitest'
import { knownClasses } from './actionClass.ts'
import { scopeOf } from './methodScope.ts'
import { methodNames } from './methods.ts'

it('assigns every class and every kind of contract to some method', () => {
  const { classes, kinds } = scopeOf(methodNames)
  expect(classes).toBe(knownClasses(2))
  expect([...kinds].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

it('assigns to a method only its own classes and contracts', () => {
  expect(scopeOf(['approve', 'exactInputSingle'])).toEqual({
    classes: 0b1100_0000_0011,
    kinds: new Set([1]),
  })
  expect(scopeOf([])).toEqual({ classes: 0, kinds: new Set() })
})
