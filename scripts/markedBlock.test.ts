import { expect, it } from 'vitest'
import { readBlock, writeBlock } from './markedBlock.ts'

const page = 'before\n\n<!-- table -->\n\n| a |\n\n| b |\n\n<!-- /table -->\n\nafter\n'

it('reads what stands between the markers', () => {
  expect(readBlock(page, 'table')).toBe('| a |\n\n| b |')
  expect(readBlock(page, 'tab')).toBeUndefined()
})

it('writes there and nowhere else, whatever the text holds', () => {
  const written = writeBlock(page, 'table', "$& and $'")
  expect(written).toBe("before\n\n<!-- table -->\n\n$& and $'\n\n<!-- /table -->\n\nafter\n")
})

it('says so when a page has no such part', () => {
  expect(writeBlock('nothing here', 'table', 'text')).toBeUndefined()
})
