import type { Method } from './endpoint.ts'

const listed = /^\/api\/(employees|crews|customers|jobs|notifications)(\/|$)/

/** Whether a call reads one of the lists that must never come from a cache on the way. One record by its id is no list. */
export const isListRead = (method: Method, path: string): boolean =>
  method === 'GET' && listed.test(path) && !path.includes('/:')

/** Where the days of the business are read: the calendar, its visits and the routes through them. */
const calendarReads = /^\/api\/(calendar|jobs\/calendar|visits|routes)(\/|$)/

/** What puts something new on the calendar. Sent again by itself it could stand there twice in a person's eyes, so a person decides. */
const calendarCreations = new Set(['/api/calendar/events', '/api/jobs', '/api/jobs/batch'])

/** How often a call is repeated by itself after a lost answer, a time-out or a 5xx. */
export const retriesOf = (method: Method, path: string, usual: number): number => {
  if (method === 'POST' && calendarCreations.has(path)) return 0
  return method === 'GET' && calendarReads.test(path) ? usual + 1 : usual
}
