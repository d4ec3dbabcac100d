import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { LeadStatus } from '../../../prospects/rules.ts'
import type { Lead } from '../../contract.ts'
import { moveStatus } from '../../server/commands.ts'
import { getLead, leadsWhere } from '../../server/queries.ts'
import type { LeadsOf, Moment } from '../contract.ts'

/** One status for several leads, each with its line in the log; those that have it already stay as they are. */
export const setLeadStatuses = (
  choice: { ids: readonly string[] } | { filter: LeadsOf },
  status: LeadStatus,
): Promise<{ changed: number }> =>
  withProspects(async (db) => {
    const chosen =
      'ids' in choice ? sql<boolean>`l.id = any(${choice.ids}::uuid[])` : await leadsWhere(db, choice.filter)
    const { rows } = await sql<{ id: string; status: string }>`
      select l.id, l.status from prospects.leads l where ${chosen} and l.status <> ${status} order by l.id for update`.execute(
      db,
    )
    for (const lead of rows) await moveStatus(db, lead.id, lead.status, status)
    return { changed: rows.length }
  })

/** Appends a note to a lead. @throws not_found */
export const addNote = (leadId: string, author: string, text: string): Promise<Moment> =>
  withProspects(async (db) => {
    const lead = await db.selectFrom('leads').select('id').where('id', '=', leadId).executeTakeFirst()
    if (!lead) throw notFound('lead')
    const note = { id: newId(), leadId, author, body: text, createdAt: clock.iso() }
    await db.insertInto('leadNotes').values(note).execute()
    return { _id: note.id, kind: 'note', text, author, at: note.createdAt }
  })

/** The desk has looked at a lead: what came until now is no news. @throws not_found */
export const markSeen = (leadId: string): Promise<Lead> =>
  withProspects(async (db) => {
    await db.updateTable('leads').set({ seenAt: clock.iso() }).where('id', '=', leadId).execute()
    return getLead(db, leadId)
  })
