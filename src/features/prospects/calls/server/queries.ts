import type { Selectable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { Calls } from '../../../../platform/db/prospect-types.generated.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { Call } from '../contract.ts'
import { type Busy, type CallSettings, callTitles, freeSlots } from '../rules.ts'

export type CallRow = Selectable<Calls>

/** The product owner's calls and hours. */
export const getCallSettings = async (
  db: ProspectsDb,
): Promise<CallSettings & { callLink: string; fromName: string }> => {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
  return {
    timeZone: row.timeZone,
    hours: row.callHours as unknown as CallSettings['hours'],
    noticeMinutes: row.callNoticeMinutes,
    horizonDays: row.callHorizonDays,
    bufferMinutes: row.callBufferMinutes,
    holidays: row.holidays,
    restsOnHolidays: row.restsOnHolidays,
    callLink: row.callLink,
    fromName: row.fromName,
  }
}

/** What is booked from now on; the call that is being moved may be left out. */
export const listBusy = async (db: ProspectsDb, exceptCallId?: string): Promise<Busy[]> => {
  let query = db
    .selectFrom('calls')
    .select(['startsAt', 'busyUntil'])
    .where('status', '=', 'booked')
    .where('busyUntil', '>', clock.iso())
  if (exceptCallId) query = query.where('id', '<>', exceptCallId)
  return query.execute()
}

/** Every free time for a call of `minutes`; the product owner needs no notice. */
export const listSlots = async (
  db: ProspectsDb,
  minutes: number,
  options: { withoutNotice?: boolean; exceptCallId?: string } = {},
): Promise<{ timeZone: string; slots: string[] }> => {
  const settings = await getCallSettings(db)
  const rules = options.withoutNotice ? { ...settings, noticeMinutes: 0 } : settings
  return {
    timeZone: settings.timeZone,
    slots: freeSlots(rules, await listBusy(db, options.exceptCallId), minutes, clock.now()),
  }
}

export const toCall = (row: CallRow): Call => ({
  _id: row.id,
  leadId: row.leadId,
  kind: row.kind,
  title: callTitles[row.kind],
  minutes: row.minutes,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  timeZone: row.timeZone,
  status: row.status,
  bookedBy: row.bookedBy,
  note: row.note,
  version: row.version,
  createdAt: row.createdAt,
})

/** All calls with a lead, newest first. */
export const listCalls = async (db: ProspectsDb, leadId: string): Promise<Call[]> =>
  (await listCallsOfLead(db, leadId)).map(toCall)

/** The rows of all calls with a lead, newest first. */
export const listCallsOfLead = (db: ProspectsDb, leadId: string): Promise<CallRow[]> =>
  db.selectFrom('calls').selectAll().where('leadId', '=', leadId).orderBy('startsAt', 'desc').execute()

/** The calls that were booked with one application, newest first. */
export const listCallsOfApplication = (db: ProspectsDb, applicationId: string): Promise<CallRow[]> =>
  db.selectFrom('calls').selectAll().where('applicationId', '=', applicationId).orderBy('startsAt', 'desc').execute()

/** @throws not_found */
export const getCallRow = async (db: ProspectsDb, callId: string): Promise<CallRow> => {
  const row = await db.selectFrom('calls').selectAll().where('id', '=', callId).forUpdate().executeTakeFirst()
  if (!row) throw notFound('call')
  return row
}
