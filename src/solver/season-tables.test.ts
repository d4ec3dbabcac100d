import { describe, expect, it } from 'vitest'
import type { Matrix } from './problem.ts'
import { seasonTables } from './season-tables.ts'

const matrix = (seconds: number[]): Matrix => ({
  size: 2,
  seconds: Int32Array.from(seconds),
  meters: Int32Array.from([0, 1000, 1000, 0]),
})
/** With the place that is nowhere. */
const wide = ([a = 0, b = 0, c = 0, d = 0]: number[]): Int32Array => Int32Array.from([a, b, 0, c, d, 0, 0, 0, 0])
const rates = [3, 1, 2, 1].map((second) => ({ second, meter: 0.01 }))

describe('cents of the legs', () => {
  it('each rate has a table of its own, and crews of one rate share it', () => {
    const { tables, tableOf } = seasonTables(matrix([0, 60, 60, 0]), wide([0, 60, 60, 0]), rates)
    expect(tables).toHaveLength(3)
    expect(tableOf[1]).toBe(tableOf[3])
    expect(rates.map((_, n) => tables[tableOf[n]!]![1])).toEqual([190, 70, 130, 70])
  })

  it('one table is both ways where both ways are the same, and a second one where they are not', () => {
    const same = seasonTables(matrix([0, 60, 60, 0]), wide([0, 60, 60, 0]), rates)
    expect(same.tablesTo[0]).toBe(same.tables[0])
    const other = seasonTables(matrix([0, 60, 90, 0]), wide([0, 60, 90, 0]), rates)
    expect([other.tables[0]![1], other.tables[0]![3]]).toEqual([other.tablesTo[0]![3], other.tablesTo[0]![1]])
    expect(other.tables[0]![1]).not.toBe(other.tablesTo[0]![1])
  })

  it('never takes more memory than it may: neighbors by their wage share the table of their mean', () => {
    const bytes = 8 * 3 ** 2
    const { tables, tableOf } = seasonTables(matrix([0, 60, 60, 0]), wide([0, 60, 60, 0]), rates, 2 * bytes)
    expect(tables).toHaveLength(2)
    expect(rates.map((_, n) => tables[tableOf[n]!]![1])).toEqual([160, 70, 160, 70])
    expect(seasonTables(matrix([0, 60, 60, 0]), wide([0, 60, 60, 0]), rates, 1).tables).toHaveLength(1)
  })
})
