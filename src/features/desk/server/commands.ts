import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../platform/db/prospects.ts'
import { requireVersion, versionConflict } from '../../../platform/db/version.ts'
import { newId } from '../../../platform/ids.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { isTimeZone } from '../../../shared/timeZone.ts'
import { gate, smsSegments } from '../../messages/rules.ts'
import { hoursProblem } from '../../prospects/calls/rules.ts'
import { queueProspectMessage } from '../../prospects/outbox/server/commands.ts'
import { findProspectConsent, findProspectSuppression, quietHoursOf } from '../../prospects/outbox/server/queries.ts'
import type { LeadStatus } from '../../prospects/rules.ts'
import { auditProspects } from '../../prospects/server/commands.ts'
import type { DeskSettings, Lead, TemplateEntry } from '../contract.ts'
import { fillTemplate, type TemplateKey, textCharacters, unfilled } from '../rules.ts'
import { getLead, getTemplate, placeholdersOf, readSettings } from './queries.ts'

export { lastTextTo, receiveProspectMail, receiveProspectText, recordProspectDelivery } from './inbound.ts'
export { readClick, readOpen } from './tracking.ts'

const leadRow = async (db: ProspectsDb, leadId: string) => {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', leadId).forUpdate().executeTakeFirst()
  if (!row) throw notFound('lead')
  return row
}

/** Changes the status with its line in the log. */
export const moveStatus = async (db: ProspectsDb, leadId: string, from: string, to: LeadStatus): Promise<void> => {
  if (from === to) return
  await db
    .updateTable('leads')
    // Whoever changes the status has looked at the lead.
    .set((eb) => ({
      status: to,
      statusChangedAt: clock.iso(),
      seenAt: clock.iso(),
      updatedAt: clock.iso(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', leadId)
    .execute()
  await auditProspects(db, 'owner', 'lead.status', { type: 'lead', id: leadId }, { before: from, after: to })
}

/** Any status may follow any other: the product owner decides. */
export const setLeadStatus = (leadId: string, status: LeadStatus): Promise<Lead> =>
  withProspects(async (db) => {
    const lead = await leadRow(db, leadId)
    await moveStatus(db, leadId, lead.status, status)
    return getLead(db, leadId)
  })

/** How long an answer of theirs keeps a conversation going, in which ours is an answer and no offer. */
const conversationDays = 30

const isConversation = async (db: ProspectsDb, leadId: string, channel: 'email' | 'sms'): Promise<boolean> => {
  const since = new Date(clock.nowMs() - conversationDays * 86_400_000).toISOString()
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('leadId', '=', leadId)
    .where('channel', '=', channel)
    .where('direction', '=', 'inbound')
    .where('createdAt', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type ToLead = { channel: 'email' | 'sms'; subject?: string; message: string }

/**
 * Writes to a lead by hand. A lead that was new is contacted now.
 * @throws not_found; validation_failed while a placeholder stands in it; state_conflict when it could not leave anyway
 */
export const writeToLead = (leadId: string, input: ToLead): Promise<Lead> =>
  withProspects(async (db) => {
    const { channel } = input
    const lead = await leadRow(db, leadId)
    const fill = async (text: string) => fillTemplate(text, await placeholdersOf(db, lead))
    const [subject, message] = [await fill(input.subject ?? ''), await fill(input.message)]
    const gap = unfilled(subject, message)
    if (gap) throw invalid([{ path: 'message', message: gap }])
    if (channel === 'sms' && message.length > textCharacters)
      throw invalid([
        { path: 'message', message: `With the name filled in this is longer than ${textCharacters} characters.` },
      ])
    const address = channel === 'email' ? lead.email : lead.phoneE164
    if (!address) throw conflict(`${lead.phone} is not a number that takes texts. Nothing was sent.`)
    const purpose = (await isConversation(db, leadId, channel)) ? 'reply' : 'marketing'
    const verdict = gate({
      channel,
      purpose,
      suppressed: await findProspectSuppression(db, channel, address),
      marketingConsent: await findProspectConsent(db, channel, address),
      quietUntil: null,
      segmentsLeft: null,
      segments: smsSegments(message).segments,
    })
    if (verdict.kind === 'suppress') throw conflict(`${verdict.reason}. Nothing was sent.`)
    const dedupeKey = `desk:${leadId}:${channel}:${newId()}`
    const waitsUntil = channel === 'sms' ? await quietHoursOf(db, purpose, lead.timeZone) : null
    await queueProspectMessage(db, {
      leadId,
      channel,
      purpose,
      address,
      subject,
      text: message,
      dedupeKey,
      ...(waitsUntil ? { runAfter: waitsUntil } : {}),
    })
    if (lead.status === 'new') await moveStatus(db, leadId, 'new', 'contacted')
    return getLead(db, leadId)
  })

/** Takes a message out of the conversation; one that had not left yet does not leave any more. */
export const removeMessage = (leadId: string, messageId: string, channel: 'email' | 'sms'): Promise<Lead> =>
  withProspects(async (db) => {
    const row = await db
      .selectFrom('messages')
      .select(['id', 'status'])
      .where('id', '=', messageId)
      .where('leadId', '=', leadId)
      .where('channel', '=', channel)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('message')
    const waiting = row.status === 'pending' || row.status === 'held'
    await db
      .updateTable('messages')
      .set({
        deletedAt: clock.iso(),
        updatedAt: clock.iso(),
        ...(waiting ? { status: 'suppressed', reason: 'Deleted before it left' } : {}),
      })
      .where('id', '=', messageId)
      .execute()
    await auditProspects(db, 'owner', 'message.deleted', { type: 'message', id: messageId })
    return getLead(db, leadId)
  })

/** Changes what is given of a template; null puts back what came with the product. @throws validation_failed, version_conflict */
export const saveTemplate = (
  channel: 'email' | 'sms',
  key: TemplateKey,
  change: { subject?: string | undefined; message?: string | undefined; version?: number | undefined } | null,
): Promise<TemplateEntry> =>
  withProspects(async (db) => {
    await sql`lock table prospects.templates in share row exclusive mode`.execute(db)
    const entry = await getTemplate(db, channel, key)
    if (change === null)
      await db.deleteFrom('templates').where('channel', '=', channel).where('key', '=', key).execute()
    else {
      requireVersion(entry, change.version, 'this template')
      const words = { subject: change.subject ?? entry.subject, message: change.message ?? entry.message }
      if (channel === 'email' && words.subject === '')
        throw invalid([{ path: 'subject', message: 'A subject is needed' }])
      const now = clock.iso()
      await db
        .insertInto('templates')
        .values({ channel, key, ...words, updatedAt: now })
        .onConflict((c) => c.columns(['channel', 'key']).doUpdateSet({ ...words, updatedAt: now }))
        .execute()
    }
    return getTemplate(db, channel, key)
  })

const daysAhead = (days: readonly Day[], today: Day): Day[] => [...new Set(days)].filter((day) => day >= today).sort()

/** Changes settings. Two tabs do not overwrite each other: the second is told. @throws validation_failed, version_conflict */
export const saveSettings = (
  changes: Partial<Omit<DeskSettings, 'version' | 'holidayCalls'>> & { version: number },
): Promise<DeskSettings> =>
  withProspects(async (db) => {
    const { version, callHours, holidays, ...rest } = changes
    const wrongHours = callHours ? hoursProblem(callHours) : null
    if (wrongHours) throw invalid([{ path: 'callHours', message: wrongHours }])
    if (rest.timeZone !== undefined && !isTimeZone(rest.timeZone))
      throw invalid([{ path: 'timeZone', message: 'This time zone is not known, use one like America/New_York' }])
    const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
    const today = dayOf(clock.now(), rest.timeZone ?? timeZone)
    const saved = await db
      .updateTable('settings')
      .set((eb) => ({
        ...rest,
        ...(holidays ? { holidays: daysAhead(holidays, today) } : {}),
        ...(callHours ? { callHours: JSON.stringify(callHours) } : {}),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('version', '=', version)
      .returning('version')
      .executeTakeFirst()
    const now = await readSettings(db)
    if (!saved) throw versionConflict('these settings', now.version)
    return now
  })
