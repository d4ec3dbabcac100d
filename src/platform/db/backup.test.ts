import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, copyBeforeChange, restoreAll, restoreDatabase } from './backup.ts'
import { findInstance } from './instance.ts'
import { clusterHome, type EmbeddedDatabase, startEmbedded } from './supervisor.ts'

let folder: string
const running: EmbeddedDatabase[] = []
const dirs: string[] = []

const open = async (dataDir: string): Promise<EmbeddedDatabase> => {
  dirs.push(dataDir)
  const database = await startEmbedded(dataDir)
  running.push(database)
  return database
}

const query = async <T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-backup-test-'))
})

afterEach(async () => {
  for (const database of running.splice(0)) await database.stop()
  for (const dataDir of dirs.splice(0)) {
    const instance = findInstance(dataDir)
    if (instance) rmSync(clusterHome(dataDir, instance), { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
})

describe('a copy taken while rows are being written', { timeout: 120_000 }, () => {
  it('comes back whole: everything that was written before it, no row torn, files and keys', async () => {
    const original = await open(join(folder, 'original'))
    await query(original.url, 'create table notes (id serial primary key, text text)')
    await query(original.url, "insert into notes (text) select repeat('x', 200) from generate_series(1, 20000)")
    mkdirSync(join(original.dataDir, 'files'))
    writeFileSync(join(original.dataDir, 'files', 'photo.webp'), 'picture')
    writeFileSync(join(original.dataDir, 'keys.json'), '{"keep":"me"}')

    let writing = true
    let rounds = 0
    const writer = (async () => {
      for (; writing; rounds += 1)
        await query(original.url, "insert into notes (text) select 'late' from generate_series(1, 50)")
    })()
    await backUp(original.dataDir, join(folder, 'copy'), 'full')
    writing = false
    await writer
    expect(rounds).toBeGreaterThan(1)

    await restoreAll(join(folder, 'copy'), join(folder, 'restored'))
    const restored = await open(join(folder, 'restored'))
    const [row] = await query<{ early: number; late: number }>(
      restored.url,
      "select count(*) filter (where text <> 'late')::int as early, (count(*) filter (where text = 'late') % 50)::int as late from notes",
    )
    expect(row).toEqual({ early: 20_000, late: 0 })
    expect(readFileSync(join(restored.dataDir, 'files', 'photo.webp'), 'utf8')).toBe('picture')
    expect(readFileSync(join(restored.dataDir, 'keys.json'), 'utf8')).toBe('{"keep":"me"}')
    expect(findInstance(restored.dataDir)?.id).not.toBe(findInstance(original.dataDir)?.id)

    await query(restored.url, 'delete from notes')
    expect(
      (await query<{ count: number }>(original.url, 'select count(*)::int as count from notes'))[0]?.count,
    ).toBeGreaterThan(19_999)
  })

  it('is refused into a folder that holds something', async () => {
    const original = await open(join(folder, 'original'))
    await backUp(original.dataDir, join(folder, 'copy'), 'full')
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'note'), '')
    await expect(restoreAll(join(folder, 'copy'), join(folder, 'full'))).rejects.toThrow(/is not empty/)
    await expect(restoreAll(folder, join(folder, 'empty'))).rejects.toThrow(/not a whole backup/)
    await expect(restoreDatabase(join(folder, 'copy'), original.dataDir)).rejects.toThrow(/Stop Swath first/)
  })
})

describe('the copy before a change of the data', { timeout: 120_000 }, () => {
  it('keeps three and can take the place of the present database', async () => {
    const original = await open(join(folder, 'original'))
    await query(original.url, 'create table notes (text text)')
    await query(original.url, "insert into notes values ('before')")
    const copies: string[] = []
    for (const number of [2, 3, 4, 5]) copies.push(await copyBeforeChange(original.dataDir, `000${number}_change.sql`))
    expect(copies.map((copy) => existsSync(copy))).toEqual([false, true, true, true])
    expect(readdirSync(join(original.dataDir, 'backups'))).toHaveLength(3)

    await query(original.url, 'drop table notes')
    await running.splice(0)[0]?.stop()
    await restoreDatabase(copies[3] ?? '', original.dataDir)
    const again = await open(original.dataDir)
    expect(await query(again.url, 'select text from notes')).toEqual([{ text: 'before' }])
  })
})
