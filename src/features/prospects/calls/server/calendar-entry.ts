import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { config } from '../../../../platform/config.ts'
import { brand } from '../../../../shared/brand.ts'
import { callTitles } from '../rules.ts'
import type { CallRow } from './queries.ts'

/**
 * A call as a calendar file: the same UID for life, SEQUENCE counts its changes, a canceled one says so and leaves the calendar. Times stand in
 * UTC: a single event needs no zone.
 */
export const calendarEntry = (
  call: CallRow,
  lead: { name: string; email: string },
  message: { fromName: string; callLink: string; manageUrl: string },
): string => {
  const canceled = call.status === 'canceled'
  const calendar = ical({
    prodId: { company: brand.name, product: 'Calls', language: 'EN' },
    method: canceled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  })
  calendar.createEvent({
    id: `call-${call.id}@${new URL(config.publicUrl).hostname}`,
    sequence: call.sequence,
    stamp: new Date(call.updatedAt),
    created: new Date(call.createdAt),
    lastModified: new Date(call.updatedAt),
    start: new Date(call.startsAt),
    end: new Date(call.endsAt),
    summary: `${callTitles[call.kind]} · ${message.fromName}`,
    description: [
      `${call.minutes} minutes with ${message.fromName}.`,
      message.callLink ? `Join: ${message.callLink}` : 'We call the number you gave us.',
      `Move or cancel: ${message.manageUrl}`,
    ].join('\n'),
    ...(message.callLink ? { url: message.callLink } : {}),
    status: canceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: message.fromName, email: config.supportEmail },
    attendees: [{ name: lead.name, email: lead.email, rsvp: true, status: ICalAttendeeStatus.ACCEPTED }],
  })
  return calendar.toString()
}
