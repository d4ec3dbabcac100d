import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { actorFrom } from '../../../platform/http/session.ts'
import { admits } from '../../../shared/can.ts'
import { AppError, invalid, notFound } from '../../../shared/errors.ts'
import type { Permission, Role } from '../../../shared/roles.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { listProducts } from '../../chemicals/server/queries.ts'
import { listOutcomes } from '../../messages/log/server/queries.ts'
import { chosenColumns } from '../columns/rules.ts'
import { type Report, type ReportList, type ReportSettings, reportsApi, type SavedReport } from '../contract.ts'
import {
  groupingOf,
  kindInfo,
  mayHave,
  mostSaved,
  type ReportKind,
  reportKinds,
  spanFor,
  spanProblem,
  titleOf,
} from '../rules.ts'
import { readRows } from './rows.ts'

const permissionWords: Partial<Record<Permission, string>> = {
  money: 'for money',
  payroll: 'for payroll',
  schedule: 'for the schedule',
}

/** @throws AppError forbidden for who may not open what a report is made of */
export const assertReport = (actor: Actor, kind: ReportKind): void => {
  const { permission, title } = kindInfo[kind]
  if (!hasPermission(actor, permission))
    throw new AppError(
      'forbidden',
      `The report “${title}” needs the permission ${permissionWords[permission] ?? ''}. Ask the owner.`,
    )
}

/**
 * A report as somebody may see it.
 * @param limit rows; the sums are of all
 * @throws AppError forbidden, validation_failed for days that it cannot have
 */
export const runReport = async (
  db: TenantDb,
  actor: Actor,
  kind: ReportKind,
  settings: ReportSettings,
  limit: number,
): Promise<Report> => {
  assertReport(actor, kind)
  const today = await todayOf(db)
  const span = spanFor(kind, settings, today)
  const problem = spanProblem(kind, span, today)
  if (problem) throw invalid([problem])
  const by = groupingOf(kind, settings.by)
  const columns = chosenColumns(actor, kind, by, settings.columns?.split(','))
  const { rows, total, count, notes } = await readRows(db, actor, kind, { span, by, settings, today })
  const cellsOf = (values: Record<string, string | number | null>) => columns.map(({ id }) => values[id] ?? null)
  return {
    kind,
    title: titleOf(kind, by),
    ...span,
    by,
    columns: columns.map(({ id, label, type }) => ({ id, label, type })),
    rows: rows.slice(0, limit).map(({ key, href = null, visitId = null, narrow = null, values }) => ({
      key,
      href,
      visitId,
      narrow,
      cells: cellsOf(values),
    })),
    total: total ? cellsOf(total) : null,
    count,
    notes,
  }
}

const savedOf = (db: TenantDb) =>
  db
    .selectFrom('savedReports as r')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'r.businessId').onRef('u.id', '=', 'r.createdBy'))
    .leftJoin('reportMailings as m', (join) =>
      join.onRef('m.businessId', '=', 'r.businessId').onRef('m.reportId', '=', 'r.id'),
    )
    .where('r.businessId', '=', db.businessId)
    .select(['r.id', 'r.name', 'r.kind', 'r.settings', 'r.version', 'u.name as createdBy'])
    .select(['m.rhythm', 'm.weekday', 'm.monthDay', 'm.hour', 'm.formats', 'm.userIds', 'm.emails'])
    .select(['m.nextAt', 'm.lastSentAt', 'm.lastMessageIds', 'm.problem'])

type Stored = Awaited<ReturnType<ReturnType<typeof savedOf>['execute']>>[number]

/** What became of the mails of the last turn, and who of those chosen gets none any more. */
type News = {
  outcomes: Awaited<ReturnType<typeof listOutcomes>>
  people: ReadonlyMap<string, { name: string; kinds: readonly ReportKind[] }>
}

const kindsOf = (person: { role: string; permissions: readonly string[] }): ReportKind[] => {
  const who = { role: person.role as Role, permissions: person.permissions as Permission[] }
  return reportKinds.filter((kind) => mayHave(who, kind))
}

const newsOf = async (db: TenantDb, rows: readonly Stored[]): Promise<News> => {
  const ids = [...new Set(rows.flatMap(({ userIds }) => userIds ?? []))]
  const people =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .where('businessId', '=', db.businessId)
          .where('id', 'in', ids)
          .select(['id', 'name', 'email', 'role', 'status', 'permissions'])
          .execute()
  return {
    outcomes: await listOutcomes(
      db,
      rows.flatMap(({ lastMessageIds }) => lastMessageIds ?? []),
    ),
    people: new Map(
      people.map((one) => [
        one.id,
        { name: one.name, kinds: one.status === 'active' && one.email !== null ? kindsOf(one) : [] },
      ]),
    ),
  }
}

const shownTo = (actor: Actor, row: Stored, { outcomes, people }: News): SavedReport => {
  const { id, name, createdBy, version, rhythm, weekday, monthDay, hour, formats, nextAt } = row
  const kind = row.kind as ReportKind
  const may = mayHave(actor, kind)
  const mails = (row.lastMessageIds ?? []).flatMap((one) => outcomes.get(one) ?? [])
  return {
    id,
    name,
    kind,
    settings: row.settings as ReportSettings,
    createdBy,
    version,
    mailing:
      rhythm === null || weekday === null || monthDay === null || hour === null || nextAt === null
        ? null
        : {
            rhythm,
            weekday,
            monthDay,
            hour,
            formats: (formats ?? []) as ('csv' | 'xlsx' | 'pdf')[],
            userIds: row.userIds ?? [],
            emails: row.emails ?? [],
            nextAt,
            lastSentAt: row.lastSentAt,
            problem: row.problem ?? '',
            gone: (row.userIds ?? []).flatMap((one) => {
              const person = people.get(one)
              return person?.kinds.includes(kind) ? [] : [person?.name ?? 'Somebody who left']
            }),
            notReached: mails.flatMap(({ address, outcome, reason }) =>
              outcome === 'stopped' || outcome === 'unknown' ? [{ address, reason }] : [],
            ),
            waiting: mails.filter(({ outcome }) => outcome === 'waits').length,
          },
    can: {
      change: may && admits(actor, reportsApi.change),
      remove: may && admits(actor, reportsApi.remove),
      mail: may && admits(actor, reportsApi.mail),
    },
  }
}

/** Saved reports by name, without those of which somebody may not have the kind. */
export const listSaved = async (db: TenantDb, actor: Actor): Promise<SavedReport[]> => {
  const rows = await savedOf(db)
    .orderBy((eb) => eb.fn('lower', ['r.name']))
    .orderBy('r.id')
    .limit(mostSaved)
    .execute()
  const own = rows.filter(({ kind }) => mayHave(actor, kind as ReportKind))
  const news = await newsOf(db, own)
  return own.map((row) => shownTo(actor, row, news))
}

/** @throws AppError not_found, forbidden */
export const getSaved = async (db: TenantDb, actor: Actor, id: string): Promise<SavedReport> => {
  const row = await savedOf(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('report')
  assertReport(actor, row.kind as ReportKind)
  return shownTo(actor, row, await newsOf(db, [row]))
}

const mostChoices = 300

/** People of the office who can have reports by mail. */
export const listRecipients = (db: TenantDb) =>
  db
    .selectFrom('users')
    .where('businessId', '=', db.businessId)
    .where('role', '<>', 'Employee')
    .where('status', '=', 'active')
    .where('email', 'is not', null)
    .select(['id', 'name', 'email', 'role', 'permissions'])
    .orderBy('name')
    .orderBy('id')
    .limit(mostChoices)
    .execute()

/** Reports that the office has saved, and what a report can be narrowed to. */
export const listReports = async (db: TenantDb, actor: Actor): Promise<ReportList> => {
  const crews = await db
    .selectFrom('crews')
    .where('businessId', '=', db.businessId)
    .select(['id', 'name'])
    .orderBy('archivedAt', (o) => o.nullsFirst())
    .orderBy('name')
    .limit(mostChoices)
    .execute()
  const people = hasPermission(actor, 'payroll')
    ? await db
        .selectFrom('users')
        .where('businessId', '=', db.businessId)
        .select(['id', 'name'])
        .orderBy('name')
        .orderBy('id')
        .limit(mostChoices)
        .execute()
    : []
  const products = hasPermission(actor, 'schedule')
    ? (await listProducts(db)).map(({ id, name }) => ({ id, name })).slice(0, mostChoices)
    : []
  const states = await db
    .selectFrom('taxRates')
    .where('businessId', '=', db.businessId)
    .where('state', 'is not', null)
    .select('state')
    .distinct()
    .orderBy('state')
    .limit(60)
    .execute()
  return {
    saved: await listSaved(db, actor),
    choices: {
      crews,
      people,
      products,
      states: states.flatMap(({ state }) => (state ? [state] : [])),
      recipients: (await listRecipients(db)).map((one) => ({ id: one.id, name: one.name, kinds: kindsOf(one) })),
    },
  }
}

/** Somebody of the office as whom a report is read that goes out by mail; null where they may not be asked for any more. */
export const findReader = async (db: TenantDb, userId: string): Promise<(Actor & { email: string }) | null> => {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('businesses as b', 'b.businessId', 'u.businessId')
    .leftJoin('twoFactors as t', (join) =>
      join.onRef('t.businessId', '=', 'u.businessId').onRef('t.userId', '=', 'u.id'),
    )
    .where('u.businessId', '=', db.businessId)
    .where('u.id', '=', userId)
    .where('u.status', '=', 'active')
    .where('u.role', '<>', 'Employee')
    .select(['u.id', 'u.name', 'u.email', 'u.role', 'u.permissions', 'b.timeZone', 'b.planTier'])
    .select(['b.subscriptionStatus', 'b.pastDueSince', 'b.requireTwoFactor', 't.confirmedAt as twoFactorSince'])
    .executeTakeFirst()
  if (!row?.email) return null
  // Nobody is signed in: it only reads, and no session is asked for.
  return { ...actorFrom({ businessId: db.businessId, userId: row.id, sessionId: row.id }, row), email: row.email }
}
