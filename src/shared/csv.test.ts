import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { csvCell, csvText, unescapeCell } from './csv.ts'

describe('csv', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-81.125331', '-81.125331'],
    ['-12 Oak', "'-12 Oak"],
    ['Smith, "Al"', '"Smith, ""Al"""'],
    [null, ''],
    [1200, '1200'],
  ])('writes %j as %j', (value, cell) => expect(csvCell(value)).toBe(cell))

  it('is read back as it was, formulas and all', () => {
    const cell = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '"', ',', ';', ' ', 'a', 'ễ', '1', '\n') })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const read = Papa.parse<string[]>(csvText(rows).slice(1), { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)
        expect(read.map((row) => row.map(unescapeCell))).toEqual(rows)
      }),
    )
  })
})
