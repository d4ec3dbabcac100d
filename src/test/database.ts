import { inject } from 'vitest'
import { closeDatabase, connectDatabase, isDatabaseConnected, ownerPool } from '../platform/db/database.ts'
import { cloneTemplate } from './cluster.ts'

export type TestDatabase = {
  /** Address of this worker's database as its owner. */
  url: string
}

const world = globalThis as { swathTestDatabase?: Promise<TestDatabase> }

/** The migrated database of this test worker, connected; made once per worker. Tests never empty it: each makes its own business. */
export const useDatabase = async (): Promise<TestDatabase> => {
  world.swathTestDatabase ??= cloneTemplate(inject('testServer'), `w${process.env.VITEST_POOL_ID ?? process.pid}`).then(
    (url) => ({ url }),
  )
  const made = await world.swathTestDatabase
  if (!isDatabaseConnected()) connectDatabase({ url: made.url, max: 8 })
  return made
}

/** From here on this worker's database is a new copy of the template: nothing that was written before is in it. */
export const renewDatabase = async (): Promise<void> => {
  await closeDatabase()
  delete world.swathTestDatabase
  await useDatabase()
}

/** Until a statement of another connection, or as many as `count`, wait for a lock. */
export const somebodyWaits = async (count = 1): Promise<void> => {
  const waiting =
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  // on a Citus rows are locked where they stand, and names on the coordinator
  const anywhere =
    inject('testServer').nodes.length > 0
      ? `select ((${waiting}) + (select sum(result::int) from run_command_on_workers($$${waiting}$$)))::int as n`
      : waiting
  while (((await ownerPool().query<{ n: number }>(anywhere)).rows[0]?.n ?? 0) < count);
}

/** A database with nothing in it, for tests of the migrations. Returns the owner's address. */
export const emptyDatabase = (name: string): Promise<string> => cloneTemplate(inject('testServer'), name, 'template1')

/** A further copy of the migrated template, for tests that need a database of their own. Returns the owner's address. */
export const anotherDatabase = (name: string): Promise<string> => cloneTemplate(inject('testServer'), name)
