import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { appRole, prospectsRole } from './database.ts'

/** The migrations of this program. */
export const migrationsDir = resolve(import.meta.dirname, '../../../migrations')

/** A database that cannot be brought to the present shape; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MigrationError'
  }
}

export type Migration = { number: number; name: string; sql: string; checksum: string }
type Applied = { number: number; name: string; checksum: string }

// any fixed number; it only has to be ours
const lockKey = 7_928_341_001

/**
 * The numbered files of a folder in order.
 * @throws MigrationError when a number stands twice or a name is not `0001_words.sql`
 */
export const readMigrations = (dir: string = migrationsDir): Migration[] => {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const migrations = names.map((name) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(number))
      throw new MigrationError(`The migration "${name}" must be named like 0001_businesses.sql.`)
    const sql = readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
  migrations.forEach((migration, index) => {
    const before = migrations[index - 1]
    if (before?.number === migration.number)
      throw new MigrationError(`Two migrations have the number of "${before.name}" and "${migration.name}".`)
  })
  return migrations
}

const pendingAfter = (migrations: Migration[], applied: Applied[]): Migration[] => {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const done of applied) {
    const file = byNumber.get(done.number)
    if (!file)
      throw new MigrationError(
        `These data were written by a newer version of Swath (it has "${done.name}", this one does not). Start that version, or restore a backup.`,
      )
    if (file.name !== done.name)
      throw new MigrationError(
        `These data were made by an older Swath whose tables have since been written anew (they have "${done.name}", this version has "${file.name}"), and cannot be carried over. Nothing was changed. Start with an empty data folder (SWATH_DATA_DIR=<new folder>, or move the old one away) or an empty database at DATABASE_URL; the older version still opens these data.`,
      )
    if (file.checksum !== done.checksum) {
      throw new MigrationError(
        `The migration "${file.name}" was changed after these data had been made with it. Put the file back as it was and write a new migration, or start with an empty data folder.`,
      )
    }
  }
  const last = applied.at(-1)?.number ?? 0
  const pending = migrations.filter((migration) => !applied.some((done) => done.number === migration.number))
  const late = pending.find((migration) => migration.number < last)
  if (late)
    throw new MigrationError(
      `The migration "${late.name}" comes before one that these data have already. Give it the next free number.`,
    )
  return pending
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '')

/**
 * Makes a role that the application works as and lets the owner act as it. Roles belong to the whole server, so that several databases on one server
 * may do this at the same moment.
 */
const ensureRole = async (client: pg.Client, role: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role])
      if (rows.length === 0) await client.query(`create role ${role} nologin`)
      // since 16 the maker of a role is its member without being allowed to act as it
      const privilege =
        Number((await client.query('show server_version_num')).rows[0].server_version_num) >= 160_000 ? 'SET' : 'MEMBER'
      const may = await client.query(`select pg_has_role(current_user, $1, '${privilege}') as may`, [role])
      if (!may.rows[0].may) await client.query(`grant ${role} to current_user`)
      return
    } catch (error) {
      const code = codeOf(error)
      if (code === '42501') {
        throw new MigrationError(
          `The owner of the database may not make the role "${role}". As an administrator run: create role ${role} nologin; grant ${role} to <owner>;`,
          error,
        )
      }
      // somebody made it first, or changed the same row of the catalog
      const raced = ['42710', '23505', 'XX000', '40001'].includes(code)
      if (!raced || attempt === 20) throw error
      await sleep(20 * attempt)
    }
  }
}

const findApplied = async (client: pg.Client): Promise<Applied[]> => {
  const known = await client.query("select to_regclass('public.schema_migrations') is not null as known")
  if (!known.rows[0].known) return []
  return (await client.query<Applied>('select number, name, checksum from schema_migrations order by number')).rows
}

const outsideMark = /^-- no-transaction\n/
const madeConcurrently = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("?[\w.]+"?)\s/i

/** The statements of a file that is marked `-- no-transaction`: each ends with a semicolon at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((text) => text.replace(/^\s*--.*$/gm, '').trim())
    .filter((text) => text !== '')

/** An index whose making was cut off stays behind, invalid: in the way of its name, and of every write. */
const dropInvalidIndex = async (client: pg.Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`)
  return rows[0]?.valid === true
}

/**
 * What cannot stand in a transaction: each statement by itself, noted only after the last. Cut off, the file runs again from its first statement, so
 * each has to bear that; an index that is made concurrently and whole is passed over.
 */
const applyOutside = async (client: pg.Client, migration: Migration): Promise<void> => {
  for (const [index, statement] of statementsOf(migration.sql).entries()) {
    try {
      const made = madeConcurrently.exec(statement)?.[1]
      if (made && (await dropInvalidIndex(client, made))) continue
      await client.query(statement)
    } catch (error) {
      throw new MigrationError(
        `The migration "${migration.name}", statement ${index + 1}, failed: ${(error as Error).message}. What stands before it is done; the next start goes on with it.`,
        error,
      )
    }
  }
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ])
}

const applyOne = async (client: pg.Client, migration: Migration): Promise<void> => {
  if (outsideMark.test(migration.sql)) return applyOutside(client, migration)
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    const position = Number((error as { position?: string }).position ?? Number.NaN)
    const line = Number.isNaN(position) ? '' : `, line ${migration.sql.slice(0, position).split('\n').length}`
    throw new MigrationError(
      `The migration "${migration.name}"${line} failed and changed nothing: ${(error as Error).message}`,
      error,
    )
  }
}

export type MigrateOptions = {
  /** Address of the owner. */
  url: string
  dir?: string
  /** Called once before the first change of a database that has data; here the copy is taken. */
  beforeChange?: (pending: string[]) => Promise<void>
}

/**
 * Brings the database to the present shape, forward only, one transaction per file (none for a file whose first line
 * is `-- no-transaction`); processes that start together wait for each other.
 * Returns the names of what was applied.
 * @throws MigrationError in words for the person who starts the server
 */
export const migrate = async ({ url, dir = migrationsDir, beforeChange }: MigrateOptions): Promise<string[]> => {
  const migrations = readMigrations(dir)
  const client = new pg.Client({
    connectionString: url,
    application_name: 'swath-migrate',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // asked again and again: who waits inside a statement has a snapshot, and an index that is made concurrently waits for that one
    while (!(await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lockKey])).rows[0]?.got)
      await sleep(50)
    const applied = await findApplied(client)
    const pending = pendingAfter(migrations, applied)
    if (pending.length === 0) return []
    if (applied.length > 0) await beforeChange?.(pending.map(({ name }) => name))
    for (const role of [appRole, prospectsRole]) await ensureRole(client, role)
    await client.query(
      'create table if not exists schema_migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
    )
    for (const migration of pending) await applyOne(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
