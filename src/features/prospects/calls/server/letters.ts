import { config } from '../../../../platform/config.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { paths } from '../../../../shared/paths.ts'
import { timeZoneLabel } from '../../../../shared/timeZone.ts'
import { queueProspectMessage } from '../../outbox/server/commands.ts'
import { mailedToken } from '../../server/tokens.ts'
import { callTitles } from '../rules.ts'
import { calendarEntry } from './calendar-entry.ts'
import { type CallRow, getCallSettings } from './queries.ts'

export type CallUpdate = 'booked' | 'rescheduled' | 'canceled'

/** "Tuesday, June 16, 2026, 9:30 AM" in a zone. */
export const whenOf = (instant: string, timeZone: string): string =>
  `${formatDay(dayOf(instant, timeZone), { long: true, year: true })}, ${formatTime(instant, timeZone)}`

export const manageUrl = (token: string): string => absoluteUrl(`${paths.bookCall}#call=${token}`)

/** What the holder of a call's link gets with it. */
export const calendarOf = async (db: ProspectsDb, call: CallRow): Promise<{ token: string; ics: string }> => {
  const { fromName, callLink } = await getCallSettings(db)
  const lead = await db
    .selectFrom('leads')
    .select(['name', 'email'])
    .where('id', '=', call.leadId)
    .executeTakeFirstOrThrow()
  const token = await mailedToken(db, { kind: 'call', leadId: call.leadId, entityId: call.id })
  return { token, ics: calendarEntry(call, lead, { fromName, callLink, manageUrl: manageUrl(token) }) }
}

/** Mails both sides what became of a call, with the calendar file; once for each change of its time. */
export const mailCall = async (db: ProspectsDb, call: CallRow, update: CallUpdate): Promise<void> => {
  const { fromName, callLink, timeZone } = await getCallSettings(db)
  const lead = await db
    .selectFrom('leads')
    .select(['id', 'name', 'email', 'phone'])
    .where('id', '=', call.leadId)
    .executeTakeFirstOrThrow()
  const { token, ics } = await calendarOf(db, call)
  const title = callTitles[call.kind]
  const method = update === 'canceled' ? 'CANCEL' : 'REQUEST'
  const attachments = [{ name: 'call.ics', mime: `text/calendar; charset=utf-8; method=${method}`, content: ics }]
  const when = `${whenOf(call.startsAt, call.timeZone)} (${timeZoneLabel(call.timeZone)})`
  const message = {
    booked: `your call is booked: ${when}, ${call.minutes} minutes.`,
    rescheduled: `your call has a new time: ${when}, ${call.minutes} minutes.`,
    canceled: `your call on ${when} is canceled.`,
  }[update]
  const how = callLink ? `Join here: ${callLink}` : `We call you at ${lead.phone}.`
  const text =
    update === 'canceled'
      ? `Hello ${firstNameOf(lead.name)},\n\n${message}\n\nYou can choose another time whenever it suits you: ${absoluteUrl(paths.bookCall)}\n\n${fromName}`
      : `Hello ${firstNameOf(lead.name)},\n\n${message}\n\n${how}\n\nThe calendar file is attached. To move or cancel the call: ${manageUrl(token)}\n\n${fromName}`
  await queueProspectMessage(db, {
    leadId: lead.id,
    channel: 'email',
    purpose: 'transactional',
    address: lead.email,
    subject: {
      booked: 'Your call is booked',
      rescheduled: 'Your call has a new time',
      canceled: 'Your call is canceled',
    }[update],
    text,
    attachments,
    dedupeKey: `call:${call.id}:${update}:${call.sequence}`,
  })
  await queueProspectMessage(db, {
    leadId: null,
    channel: 'email',
    purpose: 'internal',
    address: config.supportEmail,
    replyTo: lead.email,
    subject: `${title} ${update}: ${lead.name}`,
    text: `${title} with ${lead.name} (${lead.email}, ${lead.phone}) ${update}: ${whenOf(call.startsAt, timeZone)} (${timeZoneLabel(timeZone)}), ${call.minutes} minutes.${call.note ? `\n\nNote: ${call.note}` : ''}`,
    attachments,
    dedupeKey: `call:${call.id}:${update}:${call.sequence}:internal`,
  })
}
