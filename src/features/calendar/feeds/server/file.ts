import { ICalCalendar, ICalCalendarMethod } from 'ical-generator'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { onSiteMinutes } from '../../../visits/rules.ts'

/** A feed as an iCalendar file: what a crew needs to find its day, and nothing that is nobody else's business. */

export type FeedVisit = {
  id: string
  day: Day
  startMinute: number | null
  budgetMinutes: number
  people: number
  title: string
  services: string[]
  street: string
  city: string
  state: string
  zip: string
  customer: string
  version: number
  updatedAt: string
}
export type FeedEvent = {
  id: string
  title: string
  firstDay: Day
  lastDay: Day
  startMinute: number | null
  endMinute: number | null
  version: number
  updatedAt: string
}
export type Feed = { name: string; timeZone: string; visits: readonly FeedVisit[]; events: readonly FeedEvent[] }

/** A day without a time is the same day in every zone. */
const dateOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)
/** Times are written as instants, so that the night in which clocks change moves nothing. */
const timeOf = (day: Day, minute: number, timeZone: string): Date => new Date(instantAt(day, minute, timeZone))

export const icsOf = ({ name, timeZone, visits, events }: Feed): string => {
  const calendar = new ICalCalendar({
    name,
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Swath', product: 'Calendar', language: 'EN' },
    ttl: 15 * 60,
  })
  for (const visit of visits) {
    const whole = visit.startMinute === null
    const minutes = onSiteMinutes(visit.budgetMinutes, visit.people)
    calendar.createEvent({
      id: `${visit.id}@visit.swath`,
      sequence: visit.version,
      stamp: new Date(visit.updatedAt),
      ...(visit.startMinute === null
        ? { start: dateOf(visit.day), end: dateOf(addDays(visit.day, 1)) }
        : {
            start: timeOf(visit.day, visit.startMinute, timeZone),
            end: timeOf(visit.day, visit.startMinute + Math.max(5, minutes), timeZone),
          }),
      allDay: whole,
      summary: `${visit.street}: ${visit.title}`,
      location: `${visit.street}, ${visit.city}, ${visit.state} ${visit.zip}`,
      description: [visit.customer, visit.services.join(', '), `${minutes} min`].filter(Boolean).join('\n'),
    })
  }
  for (const event of events) {
    const shared = { sequence: event.version, stamp: new Date(event.updatedAt), summary: event.title }
    if (event.startMinute === null || event.endMinute === null)
      calendar.createEvent({
        ...shared,
        id: `${event.id}@event.swath`,
        start: dateOf(event.firstDay),
        end: dateOf(addDays(event.lastDay, 1)),
        allDay: true,
      })
    else
      for (let day = event.firstDay; day <= event.lastDay; day = addDays(day, 1))
        calendar.createEvent({
          ...shared,
          id: `${event.id}-${day}@event.swath`,
          start: timeOf(day, event.startMinute, timeZone),
          end: timeOf(day, event.endMinute, timeZone),
        })
  }
  return calendar.toString()
}
