import { expect, it } from 'vitest'
import { readBlock, writeBlock } from './markedBlock.ts'

const page = 'before\n\n<!-- table -->\n\n| a |\n\n| b |\n\n<!-- /table -->\n\nafter\n'

it('reads the text between the markers', () => {
  expect(readBlock(page, 'table')).toBe('| a |\n\n| b |')
  expect(readBlock(page, 'tab')).toBeUndefined()
})

it('writes only there, with any text', () => {
  const written = writeBlock(page, 'table', "$& and $'")
  expect(written).toBe("before\n\n<!-- table -->\n\n$& and $'\n\n<!-- /table -->\n\nafter\n")
})

it('returns undefined for a page without the block', () => {
  expect(writeBlock('nothing here', 'table', 'text')).toBeUndefined()
})
