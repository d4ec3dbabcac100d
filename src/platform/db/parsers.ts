import pg from 'pg'

type Parse = (text: string) => unknown

const oid = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 }
const arrayOid = { int8: 1016, numeric: 1231, date: 1182, timestamptz: 1185 }

const utcInstant = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/**
 * An instant as PostgreSQL writes it in zone UTC, as ISO 8601: three decimals like `Date.toISOString`, six when the row holds microseconds
 * (so that a cursor made from it finds the same row again).
 */
export const instantFromText = (text: string): string => {
  const match = utcInstant.exec(text)
  if (!match) return text
  const digits = (match[3] ?? '').padEnd(6, '0')
  return `${match[1]}T${match[2]}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}

const scalar = new Map<number, Parse>([
  [oid.int8, Number],
  [oid.numeric, Number],
  [oid.date, (text) => text],
  [oid.timestamptz, instantFromText],
])

// the published type of arrayParser is not what the package exports
const arrayParser = pg.types.arrayParser as unknown as { create(text: string, parse: Parse): { parse(): unknown[] } }

const list =
  (parse: Parse): Parse =>
  (text) =>
    arrayParser.create(text, parse).parse()

const parsers = new Map<number, Parse>([
  ...scalar,
  [arrayOid.int8, list(Number)],
  [arrayOid.numeric, list(Number)],
  [arrayOid.date, list((text) => text)],
  [arrayOid.timestamptz, list(instantFromText)],
])

/** How values come out of the database: bigint and numeric as numbers, days as `YYYY-MM-DD`, instants as ISO UTC strings, the rest as pg does it. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: ((typeOid: number, format?: 'text' | 'binary') =>
    (format ?? 'text') === 'text' && parsers.has(typeOid)
      ? parsers.get(typeOid)
      : pg.types.getTypeParser(typeOid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}
