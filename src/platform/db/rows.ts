// Rows that come from the program are written out as values: past one machine a select from a list of JSON is gathered on the coordinator and copied to
// the shards, which the wall between businesses does not let in.

/** As many rows as one statement takes, by far not all of its 65,535 values. */
const most = 1_000

/** A list in pieces that one `insert ... values` takes each. */
export const inPieces = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, index) => rows.slice(index * most, (index + 1) * most))

/** A value for a jsonb column; what is not there is null in SQL, not in JSON. */
export const jsonOf = (value: unknown): string | null =>
  JSON.stringify(value ?? null) === 'null' ? null : JSON.stringify(value)
