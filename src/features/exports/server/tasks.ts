import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import { openObject, removeObject, type StoredObject } from '../../../platform/storage.ts'
import { task } from '../../../platform/tasks/task.ts'
import { dayOf } from '../../../shared/dates.ts'
import { addDocumentTx, removeDocumentsTx } from '../../files/server/commands.ts'
import { bringInCustomers, bringInJobs } from '../../imports/bringin/server/queries.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { pathOfFile, readMe } from '../rules.ts'
import { Archives } from './archive.ts'
import { expireTask, exportTask, startExportTx } from './commands.ts'
import { countFiles, exportTable, getExport, listExportTables, listFilesAfter, listSignedAfter } from './queries.ts'
import { exportReady } from './templates.ts'

const filesAtOnce = 200

const setExport = (actor: SystemActor, id: string, change: Record<string, unknown>) =>
  withTenant(actor, (db) =>
    db
      .updateTable('businessExports')
      .set(change)
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute(),
  )

const lines = async function* (texts: readonly string[]) {
  yield* texts
}

/** Every file of the business and every signed quote, one after the other; those that are gone from the disk are named. */
const addFiles = async (actor: SystemActor, archives: Archives, step: () => Promise<void>): Promise<string[]> => {
  const missing: string[] = []
  for (const list of [listFilesAfter, listSignedAfter])
    for (let after: string | null = null; ; ) {
      const files = await withTenant(actor, (db) => list(db, after, filesAtOnce))
      const last = files.at(-1)
      if (!last) break
      after = last.id
      for (const file of files) {
        const bytes = await openObject(file.storageKey)
        if (bytes) await archives.add(pathOfFile(file), bytes, true)
        else missing.push(`${file.id} ${file.kind} ${file.name}`)
        await step()
      }
    }
  return missing
}

const make = async (
  actor: SystemActor,
  exportId: string,
): Promise<{ archives: StoredObject[]; missing: number; name: string }> => {
  const { tables, business, fileCount, withFiles } = await withTenant(actor, async (db) => ({
    tables: await listExportTables(db),
    business: await db
      .selectFrom('businesses')
      .select(['name', 'slug', 'timeZone'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
    fileCount: await countFiles(db),
    withFiles: (await getExport(db, exportId)).withFiles,
  }))
  const today = dayOf(clock.now(), business.timeZone)
  let done = 0
  let told = clock.nowMs()
  await setExport(actor, exportId, { stepsDone: 0, stepsTotal: tables.length + 2 + (withFiles ? fileCount : 0) })
  const step = async () => {
    done += 1
    if (clock.nowMs() - told < 1_000) return
    told = clock.nowMs()
    await setExport(actor, exportId, { stepsDone: done })
  }
  const archives = new Archives(actor.businessId)
  try {
    await archives.add(
      'README.txt',
      lines([
        readMe(
          business.name,
          today,
          tables.map(({ name }) => name),
        ),
      ]),
    )
    for (const table of tables) {
      await archives.add(`records/${table.name}.csv`, exportTable(actor, table))
      await step()
    }
    await archives.add('bring-in/customers.csv', bringInCustomers(actor))
    await step()
    await archives.add('bring-in/jobs.csv', bringInJobs(actor))
    await step()
    const missing = withFiles ? await addFiles(actor, archives, step) : []
    if (missing.length > 0) await archives.add('files/missing.txt', lines(missing.map((line) => `${line}\r\n`)))
    return { archives: await archives.finish(), missing: missing.length, name: `${business.slug}-${today}` }
  } catch (error) {
    await archives.abandon()
    for (const { storageKey } of archives.done) await removeObject(storageKey)
    throw error
  }
}

const mailOwner = (actor: SystemActor, exportId: string) =>
  withTenant(actor, async (db) => {
    const { archives, expiresAt } = await getExport(db, exportId)
    const { name, timeZone } = await db
      .selectFrom('businesses')
      .select(['name', 'timeZone'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const owner = await db
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where('businessId', '=', db.businessId)
      .where('role', '=', 'Owner')
      .executeTakeFirst()
    if (owner?.email)
      await queueMessage(db, {
        channel: 'email',
        purpose: 'account',
        address: owner.email,
        userId: owner.id,
        dedupeKey: `export:${exportId}`,
        ...exportReady(owner.name, name, dayOf(new Date(expiresAt), timeZone), archives),
      })
  })

/** Makes the archives from the beginning, however far a try before came; done already, it does nothing. */
export const makeExport = task({
  ...exportTask,
  attempts: 4,
  run: async (actor, { exportId }) => {
    const record = await withTenant(actor, (db) =>
      db
        .selectFrom('businessExports')
        .select(['status', 'mailed'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', exportId)
        .executeTakeFirst(),
    )
    if (record?.status !== 'running') return
    const { archives, missing, name } = await make(actor, exportId)
    await withTenant(actor, async (db) => {
      const fileIds: string[] = []
      for (const [at, stored] of archives.entries())
        fileIds.push(
          await addDocumentTx(db, 'export', {
            ...stored,
            mime: 'application/zip',
            name: `${name}${archives.length > 1 ? `-${at + 1}-of-${archives.length}` : ''}.zip`,
          }),
        )
      await db
        .updateTable('businessExports')
        .set((eb) => ({
          status: 'done',
          fileIds,
          missingFiles: missing,
          stepsDone: eb.ref('stepsTotal'),
          finishedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', exportId)
        .execute()
    })
    if (record.mailed) await mailOwner(actor, exportId)
  },
  gaveUp: async (actor, { exportId }) => {
    await setExport(actor, exportId, { status: 'failed', finishedAt: clock.iso() })
  },
})

/** Takes the archives of an export off the disk when nobody may fetch them any more. */
export const expireExport = task({
  ...expireTask,
  run: async (actor, { exportId }) => {
    const keys = await withTenant(actor, async (db) => {
      const row = await db
        .updateTable('businessExports')
        .set({ status: 'expired' })
        .where('businessId', '=', db.businessId)
        .where('id', '=', exportId)
        .where('expiresAt', '<=', clock.iso())
        .returning('fileIds')
        .executeTakeFirst()
      return row ? removeDocumentsTx(db, 'export', row.fileIds) : []
    })
    for (const key of keys) await removeObject(key)
  },
})

/** Who closed the business is mailed all of it, for as long as it is kept. */
export const exportClosed = subscriber({
  name: 'exports.onBusinessClosed',
  on: 'business.closed',
  run: async (actor) => {
    await withTenant(actor, async (db) => {
      const { deleteAfter, closedAt, demo } = await db
        .selectFrom('businesses')
        .select(['deleteAfter', 'closedAt', 'demo'])
        .where('businessId', '=', db.businessId)
        .executeTakeFirstOrThrow()
      if (closedAt && deleteAfter && !demo)
        await startExportTx(db, actor, { withFiles: true, until: deleteAfter, mailed: true })
    })
  },
})
