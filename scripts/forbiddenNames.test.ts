import { describe, expect, it } from 'vitest'
import { applyAllowList, findForbiddenUses, readForbiddenNames } from './forbiddenNames.ts'

const glossary = `# Glossary

| term | meaning |
| --- | --- |
| \`seat\` | a term of another table |

## Names that are not used

| not | use | note |
| --- | --- | --- |
| \`seat\`, \`OwnerSeat\` | \`responder\` | |
| \`Place\` | \`context\` | the type |
| \`judge*\` | \`assess\` | |

## Something else

| \`golem\` | \`agent\` |
`
const forbidden = readForbiddenNames(glossary)
const names = (text: string, path = 'packages/core/src/a.ts') =>
  findForbiddenUses([{ path, text }], forbidden).map(({ name, line }) => `${line} ${name}`)

describe('readForbiddenNames', () => {
  it('reads the rows below its heading and no others', () => {
    expect(forbidden).toEqual([
      { patterns: ['seat', 'OwnerSeat'], instead: '`responder`' },
      { patterns: ['Place'], instead: '`context`' },
      { patterns: ['judge*'], instead: '`assess`' },
    ])
  })
})

describe('findForbiddenUses', () => {
  it('finds a word of an identifier, in any case and in the plural', () => {
    expect(names('const seat = 1\nconst ownerSeat = seat\ntype Seats = 1')).toEqual([
      '1 seat',
      '2 ownerSeat',
      '2 seat',
      '3 Seats',
    ])
  })

  it('does not take a part of a word for a word', () => {
    expect(names('const seatbelt = 1; const unseated = 2')).toEqual([])
  })

  it('takes a pattern with a capital for a whole identifier', () => {
    expect(names('type Place = 1; const place = 2; type PlaceOfAsset = 3')).toEqual(['1 Place'])
  })

  it('takes a star for any rest', () => {
    expect(names('function judgeAll() {}; const judgement = 1')).toEqual(['1 judgeAll', '1 judgement'])
  })

  it('finds properties, type members, imports and JSX', () => {
    const uses = ['x.seat', '({ seat: 1 })', 'type A = { seat: 1 }', `import { seat } from 'a'`]
    for (const text of uses) expect(names(text)).toContain('1 seat')
    expect(names('const a = <box seat="1" />', 'apps/cli/src/a.tsx')).toEqual(['1 seat'])
  })

  it('leaves comments and strings alone', () => {
    expect(names(`// a seat\n/** a seat */\nconst a = 'seat' + \`seat\``)).toEqual([])
  })
})

describe('applyAllowList', () => {
  const uses = findForbiddenUses(
    [{ path: 'packages/tools/src/a.ts', text: 'const ownerSeat = 1' }],
    forbidden,
  )

  it('lets through a name in the folder of its entry', () => {
    const entry = { name: 'seat', in: 'packages/tools/', reason: 'a stored name' }
    expect(applyAllowList(uses, [entry])).toEqual({ refused: [], stale: [] })
  })

  it('refuses the name in another folder, and names the entry that is left over', () => {
    const entry = { name: 'seat', in: 'packages/core/', reason: 'a stored name' }
    expect(applyAllowList(uses, [entry])).toEqual({ refused: uses, stale: [entry] })
  })
})
