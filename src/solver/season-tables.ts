import type { Matrix } from './problem.ts'

/** What a crew's second on the road and its meter cost, in cents. */
export type Rate = { second: number; meter: number }

/**
 * So many bytes the tables of cents may take together. Where crews have more wages than that, those that lie near each other share a table of
 * their mean: it only guides the search, and whoever counts its plan afterwards takes each crew's own wage.
 */
const MOST_TABLE_BYTES = 256 * 2 ** 20

/** The rate that each of these is counted by: its own where there are no more than so many, else the mean of its neighbors. */
function sharedRates(rates: readonly Rate[], most: number): Rate[] {
  const keyOf = ({ second, meter }: Rate): string => `${second} ${meter}`
  const sorted = [...new Map(rates.map((rate) => [keyOf(rate), rate])).values()].sort(
    (a, b) => a.second - b.second || a.meter - b.meter,
  )
  const groups = Math.min(most, sorted.length)
  const shared = new Map<string, Rate>()
  for (let g = 0; g < groups; g++) {
    const group = sorted.slice(Math.floor((g * sorted.length) / groups), Math.floor(((g + 1) * sorted.length) / groups))
    const mean = (of: (rate: Rate) => number): number => group.reduce((sum, rate) => sum + of(rate), 0) / group.length
    const one = group.length === 1 ? group[0]! : { second: mean((r) => r.second), meter: mean((r) => r.meter) }
    for (const rate of group) shared.set(keyOf(rate), one)
  }
  return rates.map((rate) => shared.get(keyOf(rate))!)
}

const isSymmetric = (cells: ArrayLike<number>, size: number): boolean => {
  for (let i = 1; i < size; i++)
    for (let j = 0; j < i; j++) if (cells[i * size + j] !== cells[j * size + i]) return false
  return true
}

function transposed(table: Float64Array, size: number): Float64Array {
  const other = new Float64Array(table.length)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) other[j * size + i] = table[i * size + j]!
  return other
}

/**
 * Cents of every leg, one table for every rate, and the other way round, so that both ways of a place lie in one row.
 * @param seconds of the matrix with one more place, which is nowhere and costs nothing
 * @param rates of each crew-day; `tableOf` answers with its table
 */
export function seasonTables(
  matrix: Matrix,
  seconds: Int32Array,
  rates: readonly Rate[],
  mostBytes = MOST_TABLE_BYTES,
): { tables: Float64Array[]; tablesTo: Float64Array[]; tableOf: Int32Array } {
  const places = matrix.size + 1
  const tableFor = ({ second, meter }: Rate): Float64Array => {
    const table = new Float64Array(places * places)
    for (let i = 0; i < matrix.size; i++)
      for (let j = 0; j < matrix.size; j++)
        table[i * places + j] =
          seconds[i * places + j]! * Math.max(second, 1e-6) +
          Math.max(0, matrix.meters[i * matrix.size + j] ?? 0) * meter
    return table
  }
  // Estimates are the same both ways: then one table is both.
  const bothWays = isSymmetric(matrix.seconds, matrix.size) && isSymmetric(matrix.meters, matrix.size)
  const bytes = (bothWays ? 1 : 2) * Float64Array.BYTES_PER_ELEMENT * places ** 2
  const shared = sharedRates(rates, Math.max(1, Math.floor(mostBytes / bytes)))
  const distinct = [...new Set(shared)]
  const tables = distinct.map(tableFor)
  return {
    tables,
    tablesTo: bothWays ? tables : tables.map((table) => transposed(table, places)),
    tableOf: Int32Array.from(shared, (rate) => distinct.indexOf(rate)),
  }
}
