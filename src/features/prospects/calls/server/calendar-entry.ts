import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { config } from '../../../../platform/config.ts'
import { brand } from '../../../../shared/brand.ts'
import { callTitles } from '../rules.ts'
import type { CallRow } from './queries.ts'

/**
 * A call as a calendar file: the same UID for life, SEQUENCE counts its changes, a cancelled one says so and leaves the calendar. Times stand in
 * UTC: a single event needs no zone.
 */
export const calendarEntry = (
  call: CallRow,
  lead: { name: string; email: string },
  words: { fromName: string; callLink: string; manageUrl: string },
): string => {
  const cancelled = call.status === 'cancelled'
  const calendar = ical({
    prodId: { company: brand.name, product: 'Calls', language: 'EN' },
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  })
  calendar.createEvent({
    id: `call-${call.id}@${new URL(config.publicUrl).hostname}`,
    sequence: call.sequence,
    stamp: new Date(call.updatedAt),
    created: new Date(call.createdAt),
    lastModified: new Date(call.updatedAt),
    start: new Date(call.startsAt),
    end: new Date(call.endsAt),
    summary: `${callTitles[call.kind as keyof typeof callTitles]} · ${words.fromName}`,
    description: [
      `${call.minutes} minutes with ${words.fromName}.`,
      words.callLink ? `Join: ${words.callLink}` : 'We call the number you gave us.',
      `Move or cancel: ${words.manageUrl}`,
    ].join('\n'),
    ...(words.callLink ? { url: words.callLink } : {}),
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: words.fromName, email: config.supportEmail },
    attendees: [{ name: lead.name, email: lead.email, rsvp: true, status: ICalAttendeeStatus.ACCEPTED }],
  })
  return calendar.toString()
}
