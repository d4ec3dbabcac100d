import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { removeObject } from '../../../platform/storage.ts'
import { dayOf, instantAt, minuteOfDay } from '../../../shared/dates.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { has, type Permission, type Role } from '../../../shared/roles.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { forgetDocumentsTx } from '../../files/server/commands.ts'
import { listAttached } from '../../messages/log/server/queries.ts'
import { stopMessagesTx } from '../../messages/server/commands.ts'
import type { MailingDraft, ReportSettings, SavedReport } from '../contract.ts'
import { fileDays, kindInfo, mostSaved, nextTurn, type ReportKind, spanFor, spanProblem, type When } from '../rules.ts'
import { assertReport, findReader, getSaved, listRecipients } from './queries.ts'

const entity = (id: string) => ({ type: 'report', id })

/** Reports are counted and named one change at a time, so that two tabs keep neither a doubled name nor one too many. */
const lockReports = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`reports:${db.businessId}`}, 0))`.execute(db)

const refuseTaken = async (db: TenantDb, name: string, exceptId: string | null): Promise<void> => {
  const taken = await db
    .selectFrom('savedReports')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (taken && taken.id !== exceptId)
    throw invalid([{ path: 'name', message: 'There is a report of this name. Choose another one.' }])
}

const refuseSpan = async (db: TenantDb, kind: ReportKind, settings: ReportSettings): Promise<void> => {
  const today = await todayOf(db)
  const problem = spanProblem(kind, spanFor(kind, settings, today), today)
  if (problem) throw invalid([{ path: `settings.${problem.path}`, message: problem.message }])
}

/** Keeps a report under a name. @throws AppError validation_failed for a name that is taken, state_conflict beyond the limit */
export const saveReport = (
  actor: Actor,
  { name, kind, settings }: { name: string; kind: ReportKind; settings: ReportSettings },
): Promise<SavedReport> =>
  withTenant(actor, async (db) => {
    assertReport(actor, kind)
    await lockReports(db)
    await refuseTaken(db, name, null)
    await refuseSpan(db, kind, settings)
    const { count } = await db
      .selectFrom('savedReports')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    if (count >= mostSaved)
      throw conflict(`You keep ${mostSaved} reports, the most there can be. Delete one first. Nothing was changed.`)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('savedReports')
      .values({
        businessId: db.businessId,
        id,
        name,
        kind,
        settings: JSON.stringify(settings),
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(db, actor, 'report.create', entity(id), { after: { name, kind } })
    await publishChange(db, 'reports', [id])
    return getSaved(db, actor, id)
  })

/** What every change of a saved report begins with. @throws AppError not_found, forbidden, version_conflict */
const openTx = async (db: TenantDb, actor: Actor, id: string, version: number): Promise<SavedReport> => {
  await lockReports(db)
  const saved = await getSaved(db, actor, id)
  requireVersion(saved, version, 'this report')
  return saved
}

const closeTx = async (
  db: TenantDb,
  saved: SavedReport,
  change: { name?: string; settings?: string },
): Promise<void> => {
  await db
    .updateTable('savedReports')
    .set({ ...change, version: saved.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', saved.id)
    .execute()
  await publishChange(db, 'reports', [saved.id])
}

export const changeReport = (
  actor: Actor,
  id: string,
  { version, name, settings }: { version: number; name?: string | undefined; settings?: ReportSettings | undefined },
): Promise<SavedReport> =>
  withTenant(actor, async (db) => {
    const saved = await openTx(db, actor, id, version)
    if (name !== undefined) await refuseTaken(db, name, id)
    if (settings) await refuseSpan(db, saved.kind, settings)
    await closeTx(db, saved, {
      ...(name === undefined ? {} : { name }),
      ...(settings ? { settings: JSON.stringify(settings) } : {}),
    })
    await audit(db, actor, 'report.update', entity(id), { before: { name: saved.name }, after: { name, settings } })
    return getSaved(db, actor, id)
  })

/** Files of reports that were made before it are not kept any more. */
export const filesSince = (): string => new Date(clock.nowMs() - fileDays * 86_400_000).toISOString()

/** Deletes a saved report with the files that it was mailed as; a mail that waits does not leave. */
export const removeReport = async (actor: Actor, id: string): Promise<{ id: string }> => {
  const keys = await withTenant(actor, async (db) => {
    await lockReports(db)
    const { name, kind } = await getSaved(db, actor, id)
    await db.deleteFrom('savedReports').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    await audit(db, actor, 'report.delete', entity(id), { before: { name, kind } })
    await publishChange(db, 'reports', [id])
    await stopMessagesTx(db, entity(id), 'The report was deleted')
    return forgetDocumentsTx(db, 'report', { ids: await listAttached(db, entity(id), filesSince()) })
  })
  for (const key of keys) await removeObject(key)
  return { id }
}

/** When a report goes out next, in the business's own day and hour. */
export const nextAtOf = (when: When, timeZone: string): string => {
  const now = clock.now()
  return instantAt(nextTurn(when, dayOf(now, timeZone), minuteOfDay(now, timeZone)), when.hour * 60, timeZone)
}

/**
 * As whom files for outside addresses are drawn: who named these addresses, as long as they may have the report. Who only moves the hour shows nobody
 * outside more than before.
 */
const setterOf = async (db: TenantDb, actor: Actor, saved: SavedReport, emails: readonly string[]): Promise<string> => {
  const before = await db
    .selectFrom('reportMailings')
    .select(['setBy', 'emails'])
    .where('businessId', '=', db.businessId)
    .where('reportId', '=', saved.id)
    .executeTakeFirst()
  const reader = before && (await findReader(db, before.setBy))
  const isSame = before?.emails.length === emails.length && emails.every((one) => before.emails.includes(one))
  return reader && isSame && has(reader, kindInfo[saved.kind].permission) ? reader.userId : actor.userId
}

/** Says when a saved report goes out and to whom; null ends it. @throws AppError validation_failed for people who may not have it */
export const setMailing = (
  actor: Actor,
  id: string,
  { version, mailing }: { version: number; mailing: MailingDraft | null },
): Promise<SavedReport> =>
  withTenant(actor, async (db) => {
    const saved = await openTx(db, actor, id, version)
    if (mailing) {
      const people = await listRecipients(db)
      const { permission, title } = kindInfo[saved.kind]
      for (const userId of mailing.userIds) {
        const person = people.find((one) => one.id === userId)
        if (!person)
          throw invalid([{ path: 'mailing.userIds', message: 'Somebody of these has no address or left the office.' }])
        if (!has({ role: person.role as Role, permissions: person.permissions as Permission[] }, permission))
          throw invalid([{ path: 'mailing.userIds', message: `${person.name} may not see “${title}”.` }])
      }
      const emails = [...new Set(mailing.emails.map((one) => one.trim().toLowerCase()))]
      const values = {
        ...mailing,
        emails,
        userIds: [...new Set(mailing.userIds)],
        formats: [...new Set(mailing.formats)],
        setBy: await setterOf(db, actor, saved, emails),
        nextAt: nextAtOf(mailing, actor.timeZone),
        problem: '',
        updatedAt: clock.iso(),
      }
      await db
        .insertInto('reportMailings')
        .values({ businessId: db.businessId, reportId: id, ...values })
        .onConflict((c) => c.columns(['businessId', 'reportId']).doUpdateSet(values))
        .execute()
    } else
      await db.deleteFrom('reportMailings').where('businessId', '=', db.businessId).where('reportId', '=', id).execute()
    await closeTx(db, saved, {})
    await audit(db, actor, 'report.mailing', entity(id), { before: saved.mailing, after: mailing })
    return getSaved(db, actor, id)
  })
