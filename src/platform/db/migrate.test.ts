import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../test/database.ts'
import { MigrationError, migrate, readMigrations } from './migrate.ts'

let dir: string
let url: string

const write = (name: string, sql: string): void => writeFileSync(join(dir, name), sql)
const ask = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'swath-migrate-'))
  url = await emptyDatabase('migrate')
  write('0001_pets.sql', 'create table pets (name text);')
  write('0002_colors.sql', 'alter table pets add color text;')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('migrate', () => {
  it('applies what is pending in order, once', async () => {
    expect(await migrate({ url, dir })).toEqual(['0001_pets.sql', '0002_colors.sql'])
    expect(await migrate({ url, dir })).toEqual([])
    write('0003_ages.sql', 'alter table pets add age integer;')
    expect(await migrate({ url, dir })).toEqual(['0003_ages.sql'])
  })

  it('asks for a copy before it changes data, and not before the first migration', async () => {
    const asked: string[][] = []
    const beforeChange = async (pending: string[]): Promise<void> => {
      asked.push(pending)
    }
    await migrate({ url, dir, beforeChange })
    expect(asked).toEqual([])
    write('0003_ages.sql', 'alter table pets add age integer;')
    await migrate({ url, dir, beforeChange })
    expect(asked).toEqual([['0003_ages.sql']])
    await migrate({ url, dir, beforeChange })
    expect(asked).toHaveLength(1)
  })

  it('refuses a file that was changed afterwards, but not other line ends', async () => {
    await migrate({ url, dir })
    write('0002_colors.sql', 'alter table pets add\r\ncolor text;'.replace('add\r\n', 'add '))
    expect(await migrate({ url, dir })).toEqual([])
    write('0002_colors.sql', 'alter table pets add color varchar;')
    await expect(migrate({ url, dir })).rejects.toThrow(/"0002_colors.sql" was changed/)
  })

  it('a failing file changes nothing and says where it stands', async () => {
    write('0003_bad.sql', 'alter table pets add age integer;\nalter table dogs add age integer;\n')
    const failing = migrate({ url, dir })
    await expect(failing).rejects.toThrow(MigrationError)
    await expect(failing).rejects.toThrow(/"0003_bad.sql".*failed and changed nothing.*dogs/)
    expect(
      await ask("select 1 from information_schema.columns where table_name = 'pets' and column_name = 'age'"),
    ).toEqual([])
    expect(await ask('select number from schema_migrations order by number')).toEqual([{ number: 1 }, { number: 2 }])
  })

  it('refuses data of a newer program and a file that comes too late', async () => {
    write('0004_later.sql', 'select 1;')
    await migrate({ url, dir })
    write('0003_late.sql', 'select 1;')
    await expect(migrate({ url, dir })).rejects.toThrow(/"0003_late.sql" comes before/)
    rmSync(join(dir, '0003_late.sql'))
    rmSync(join(dir, '0004_later.sql'))
    await expect(migrate({ url, dir })).rejects.toThrow(/newer version of Swath/)
  })

  it('data from before the tables were written anew are left as they are, with the way out', async () => {
    write('0009_ages.sql', 'alter table pets add age integer;')
    await migrate({ url, dir })
    for (const name of ['0001_pets.sql', '0002_colors.sql', '0009_ages.sql']) rmSync(join(dir, name))
    write('0001_animals.sql', 'create table animals (name text, color text, age integer);')
    write('0002_owners.sql', 'create table owners (name text);')
    const copies: string[][] = []
    const starting = migrate({ url, dir, beforeChange: async (pending) => void copies.push(pending) })
    await expect(starting).rejects.toThrow(MigrationError)
    await expect(starting).rejects.toThrow(
      /older Swath.*"0001_pets.sql".*"0001_animals.sql".*Nothing was changed.*SWATH_DATA_DIR/,
    )
    expect(copies).toEqual([])
    expect(await ask("select to_regclass('pets') is not null as pets, to_regclass('animals') as animals")).toEqual([
      { pets: true, animals: null },
    ])
    expect(await ask('select name from schema_migrations order by number')).toHaveLength(3)
  })

  it('two that start together apply each file once', async () => {
    const both = await Promise.all([migrate({ url, dir }), migrate({ url, dir })])
    expect(both.flat().sort()).toEqual(['0001_pets.sql', '0002_colors.sql'])
  })

  it('what cannot stand in a transaction runs statement by statement, and again after it was cut off', async () => {
    await migrate({ url, dir })
    await ask("insert into pets values ('Rex'), ('Rex')")
    write(
      '0003_indexes.sql',
      '-- no-transaction\n-- by color, while others write;\ncreate index concurrently pets_color on pets (color);\ncreate unique index concurrently pets_name on pets (name);\n',
    )
    const indexes = () =>
      ask(
        "select relname as name, indisvalid as valid from pg_index join pg_class on oid = indexrelid where indrelid = 'pets'::regclass order by 1",
      )
    await expect(migrate({ url, dir })).rejects.toThrow(/"0003_indexes.sql", statement 2, failed.*What stands before/)
    expect(await indexes()).toEqual([
      { name: 'pets_color', valid: true },
      { name: 'pets_name', valid: false },
    ])
    expect(await ask('select number from schema_migrations order by number')).toHaveLength(2)
    await ask('delete from pets where ctid = (select min(ctid) from pets)')
    expect(await migrate({ url, dir })).toEqual(['0003_indexes.sql'])
    expect(await indexes()).toEqual([
      { name: 'pets_color', valid: true },
      { name: 'pets_name', valid: true },
    ])
    expect(await migrate({ url, dir })).toEqual([])
  })

  it('names and numbers are checked', () => {
    write('0002_again.sql', '')
    expect(() => readMigrations(dir)).toThrow(/have the number/)
    rmSync(join(dir, '0002_again.sql'))
    write('3_x.sql', '')
    expect(() => readMigrations(dir)).toThrow(/must be named/)
  })
})

it('our own migrations run as an owner that is no superuser', async () => {
  const [owner] = await ask<{ rolsuper: boolean }>('select rolsuper from pg_roles where rolname = current_user')
  expect(owner?.rolsuper).toBe(false)
  expect((await migrate({ url })).length).toBe(readMigrations().length)
  expect(await ask<{ may: boolean }>("select pg_has_role(current_user, 'swath_app', 'member') as may")).toEqual([
    { may: true },
  ])
})
