import { describe, expect, it } from 'vitest'
import { coverageReport, parseLcov, percent } from './lineCoverage.ts'

const report = `TN:
SF:src/A.sol
FN:3,A.f
FNDA:7,A.f
DA:3,7
DA:4,7
DA:5,0
DA:6,0
DA:9,0
BRDA:4,0,0,-
end_of_record
TN:
SF:src/B.sol
DA:1,1
end_of_record
TN:
SF:src/IOnly.sol
end_of_record
`

describe('line coverage', () => {
  it('counts the executable lines, and lists those that did not run', () => {
    expect(parseLcov(report)).toEqual([
      { file: 'src/A.sol', lines: 5, missed: [5, 6, 9] },
      { file: 'src/B.sol', lines: 1, missed: [] },
    ])
    expect(percent(parseLcov(report))).toBe(50)
    expect(percent([])).toBe(100)
  })

  it('lists files below the mark with their lines, and the total', () => {
    expect(coverageReport(parseLcov(report), 95)).toBe(
      'src/A.sol  40.0 %  never ran: 5-6, 9\nLine coverage of contracts/src: 50.0 %',
    )
  })

  it('does not round up to the mark', () => {
    const nearly = { file: 'src/C.sol', lines: 10_000, missed: Array.from({ length: 501 }, (_, i) => i * 2) }
    expect(coverageReport([nearly], 95)).toMatch(/94\.9 %$/)
  })
})
