import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../../shared/dates.ts'
import { type CallKind, callTitles } from '../../../prospects/calls/rules.ts'
import type { LeadSource, LeadStatus } from '../../../prospects/rules.ts'
import { leadsWhere } from '../../server/queries.ts'
import type { AgendaCall, LeadsOf, Moment } from '../contract.ts'

const most = 200

/** What happened with a lead besides messages and calls, newest first. */
export const listHistory = async (db: ProspectsDb, leadId: string): Promise<Moment[]> => {
  const { rows } = await sql<Omit<Moment, '_id'> & { id: string }>`
    select id, 'note' as kind, body as text, author, created_at as at from prospects.lead_notes where lead_id = ${leadId}
    union all
    (select id, 'view', path, null, at from prospects.page_views where lead_id = ${leadId} order by at desc limit ${most})
    union all
    select id, 'status', change->>'after', null, at from prospects.audit_log
      where entity_type = 'lead' and entity_id = ${leadId} and action = 'lead.status' and change->>'after' is not null
    union all
    select id, 'account', change->>'businessName', null, at from prospects.audit_log
      where entity_type = 'lead' and entity_id = ${leadId} and action like 'lead.account.%' and change->>'businessName' is not null
    order by at desc, id desc limit ${2 * most}`.execute(db)
  return rows.map(({ id, ...moment }) => ({ _id: id, ...moment }))
}

const agendaDays = 7

/** The booked calls from the beginning of today on, as far as the agenda reaches. */
export const readAgenda = async (db: ProspectsDb): Promise<{ timeZone: string; today: Day; calls: AgendaCall[] }> => {
  const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
  const today = dayOf(clock.now(), timeZone)
  const rows = await db
    .selectFrom('calls as c')
    .innerJoin('leads as l', 'l.id', 'c.leadId')
    .select([
      'c.id',
      'c.leadId',
      'l.name',
      'l.email',
      'l.phone',
      'c.kind',
      'c.minutes',
      'c.startsAt',
      'c.endsAt',
      'c.note',
    ])
    .where('c.status', '=', 'booked')
    .where('c.startsAt', '>=', instantAt(today, 0, timeZone))
    .where('c.startsAt', '<', instantAt(addDays(today, agendaDays + 1), 0, timeZone))
    .orderBy('c.startsAt')
    .execute()
  return {
    timeZone,
    today,
    calls: rows.map(({ id, ...call }) => ({ _id: id, ...call, title: callTitles[call.kind as CallKind] })),
  }
}

export type ExportLead = {
  name: string
  email: string
  phone: string
  status: LeadStatus
  source: LeadSource
  campaign: string
  utmSource: string
  utmMedium: string
  utmCampaign: string
  createdAt: string
  accountAt: string | null
  customerAt: string | null
}

/** The leads of a filter for a file, newest first. */
export const listLeadsForFile = async (db: ProspectsDb, filter: LeadsOf): Promise<ExportLead[]> => {
  const { rows } = await sql<ExportLead>`
    select l.* from prospects.leads l where ${await leadsWhere(db, filter)} order by l.created_at desc, l.id desc`.execute(
    db,
  )
  return rows
}
