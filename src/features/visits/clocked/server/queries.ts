import { type RawBuilder, sql } from 'kysely'

/** Less on the clock than this is a tap that was taken back, no work. */
const leastSeconds = 60

/**
 * Whether the clock says how long a finished visit took. A bare Finish, a visit of the past that was entered as done, and one without people tell nothing
 * of the work: counted as work of no time they would make every lawn look good. For SQL. @param as the name that the visit has there
 */
export const isClocked = (as: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${as}.worked_seconds`)} >= ${leastSeconds} and coalesce(${sql.ref(`${as}.people`)}, 0) > 0)`

/**
 * Whether a line of a visit is the work that a line of its job is by now: the same service and as much of it. What took three yards says nothing of the
 * price of one. For SQL. @param done the name of the visit's line there @param line that of the job's
 */
export const isSameWork = (done: string, line: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${done}.service_id`)} = ${sql.ref(`${line}.service_id`)} and ${sql.ref(`${done}.quantity`)} = ${sql.ref(`${line}.quantity`)})`
