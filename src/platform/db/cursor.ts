import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isDay } from '../../shared/dates.ts'
import { invalid } from '../../shared/errors.ts'
import type { TenantDb } from './tenant.ts'

const types = {
  text: { cast: sql`text`, fits: (text: string) => text.length <= 500 && !/\p{Cc}/u.test(text) },
  int: { cast: sql`int8`, fits: (text: string) => /^-?\d{1,18}$/.test(text) },
  day: { cast: sql`date`, fits: isDay },
  instant: {
    cast: sql`timestamptz`,
    fits: (text: string) =>
      isDay(text.slice(0, 10)) && /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/.test(text),
  },
  uuid: { cast: sql`uuid`, fits: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) },
}

/** One column of the order of a list; never null, so that its rows have one order. */
export type Key = { of: RawBuilder<unknown>; type: keyof typeof types }

/**
 * The keys of a cursor, for a list that no statement orders.
 * @throws AppError validation_failed (422) for a cursor that is not one of this list
 */
export const readCursor = (cursor: string, keys: readonly Pick<Key, 'type'>[]): string[] => {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(values) &&
      values.length === keys.length &&
      keys.every((key, i) => typeof values[i] === 'string' && types[key.type].fits(values[i]))
    )
      return values as string[]
  } catch {
    // answered below, like any other text that we did not make
  }
  throw invalid([{ path: 'cursor', message: 'This page of the list cannot be found. Load the list again.' }])
}

/** The cursor behind the keys of a row. */
export const cursorAfter = (keys: readonly string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url')

/**
 * Keyset pages: a page goes on after the last row of the one before, so a deep page costs what the first does and no row comes twice.
 * The cursor is opaque to the caller: base64url of the last row's keys, each checked by its type before it reaches the database.
 * @param keys the order; the last one is unique, so that it breaks every tie
 * @returns `beyond`, the condition of the page; `order`, for `order by`; `values`, to be selected as `cursorKeys`; `page`, which cuts the extra row off;
 * `after`, the cursor behind keys that are no row of the page
 * @throws AppError validation_failed (422) for a cursor that is not one of this list
 */
export const keyset = (
  keys: readonly Key[],
  options: { order: 'asc' | 'desc'; cursor?: string | undefined; limit: number },
) => {
  const from = options.cursor ? readCursor(options.cursor, keys) : null
  const list = (parts: RawBuilder<unknown>[]) => sql.join(parts)
  const beyond = from
    ? sql<SqlBool>`(${list(keys.map((key) => key.of))}) ${options.order === 'asc' ? sql`>` : sql`<`} (${list(
        keys.map((key, i) => sql`${from[i]}::${types[key.type].cast}`),
      )})`
    : sql<SqlBool>`true`
  const order = list(keys.map((key) => sql`${key.of} ${options.order === 'asc' ? sql`asc` : sql`desc`}`))
  const values = sql<string[]>`array[${list(keys.map((key) => sql`(${key.of})::text`))}]`
  const page = <Row extends { cursorKeys: string[] }>(
    rows: readonly Row[],
  ): { items: Omit<Row, 'cursorKeys'>[]; nextCursor: string | null } => {
    const items = rows.slice(0, options.limit)
    const last = items.at(-1)
    return {
      items: items.map(({ cursorKeys: _, ...item }) => item),
      nextCursor: rows.length > options.limit && last ? cursorAfter(last.cursorKeys) : null,
    }
  }
  /** One more than the page, to know whether there is another. */
  return { beyond, order, values, limit: options.limit + 1, page, after: cursorAfter }
}

/** Beyond these the rows of a list that grows with the years are not counted: all of them would be walked for one number. */
export const mostCounted = 1_000

/** How many rows a query finds; null for more than 1,000. */
export const countUpTo = async (
  db: TenantDb,
  ids: Expression<unknown> & { limit(n: number): Expression<unknown> },
): Promise<number | null> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${ids.limit(mostCounted + 1)}) found`.execute(db)
  const total = rows[0]?.total ?? 0
  return total > mostCounted ? null : total
}
