import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../../shared/dates.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { paths } from '../../../../shared/paths.ts'
import { asSms, reminderMinuteOf } from '../../../businesses/notices/rules.ts'
import { type Foreseen, foreseen, standInToken } from '../../../messages/foreseen/rules.ts'
import { sendingWindow } from '../../../messages/rules.ts'
import { stopLine } from '../../../messages/server/queries.ts'
import {
  findWay,
  findWays,
  getNoticeSettings,
  listNoticeCustomers,
  listPastReminders,
  type NoticeCustomer,
  type NoticeSettings,
  notReminded,
  type PastReminder,
  type ReminderTime,
  type Way,
} from '../../server/queries.ts'
import { noticeWords, reminderValues } from '../../server/templates.ts'

/** What reminders of visits would have been in the past, by the rules by which they leave. */

/** What has no hour comes after what has one. */
const lastMinute = 24 * 60

/** Days on whose evening before reminders left in a span, each with when. */
const timesOf = ({ quiet, timeZone, reminderMinute }: NoticeSettings, from: string, to: string): ReminderTime[] => {
  const times: ReminderTime[] = []
  for (let day: Day = dayOf(from, timeZone); day <= addDays(dayOf(to, timeZone), 1); day = addDays(day, 1)) {
    const evening = addDays(day, -1)
    const dueAt = instantAt(evening, reminderMinuteOf(reminderMinute, quiet), timeZone)
    const lastAt = instantAt(evening, Math.min(sendingWindow('transactional', evening, quiet).to, 1439), timeZone)
    if (Date.parse(dueAt) > Date.parse(from) && Date.parse(dueAt) <= Date.parse(to)) times.push({ day, dueAt, lastAt })
  }
  return times
}

/** Everybody's ways are those of today; each is looked for once. */
const waysOf = (db: TenantDb) => {
  const known = new Map<string, Promise<{ ways: (Way & { stop: string })[]; why: string }>>()
  const look = async (customer: NoticeCustomer) => {
    // what the plan has left today says nothing of last month
    const options = { segmentsLeft: null }
    const found = await findWays(db, customer, options)
    const ways: (Way & { stop: string })[] = []
    for (const { way } of found)
      ways.push({
        ...way,
        stop:
          way.channel === 'sms'
            ? await stopLine(db, { customerId: customer.id, address: way.address, language: customer.language })
            : '',
      })
    const why = ways.length > 0 ? '' : ((await findWay(db, customer, options)).why ?? '')
    return { ways, why }
  }
  return (customer: NoticeCustomer) => {
    const found = known.get(customer.id) ?? look(customer)
    known.set(customer.id, found)
    return found
  }
}

/**
 * Reminders of the day before that were due in a span: one for each customer and day. Who wants none, how they are reached and which crew had a
 * visit are as they are now.
 * @param most so many visits are looked at, the newest
 */
export const foreseeReminders = async (
  db: TenantDb,
  { from, to, most }: { from: string; to: string; most: number },
): Promise<Foreseen> => {
  const settings = await getNoticeSettings(db)
  const reminders = settings.reminders === 'off' ? 'all' : settings.reminders
  const times = timesOf(settings, from, to)
  const rows = await listPastReminders(db, times, reminders, most + 1)
  const tooMany = rows.length > most
  const groups = [...Map.groupBy(rows, ({ customerId, day }) => `${day} ${customerId}`).values()]
  // the last one may be cut in the middle
  const whole = tooMany ? groups.slice(0, -1) : groups
  const ids = [...new Set(rows.map(({ customerId }) => customerId))]
  const customers = new Map((await listNoticeCustomers(db, ids)).map((one) => [one.id, one]))
  const ways = waysOf(db)
  const url = absoluteUrl(paths.visit(standInToken))
  const found: Foreseen = {
    sent: [],
    notSent: [],
    tooMany,
    assumes:
      settings.reminders === 'off' ? 'Reminders are off. This is how it would be with them on for all visits.' : null,
  }
  for (const visits of whole) {
    const [first] = visits
    const customer = first && customers.get(first.customerId)
    if (!first || !customer) continue
    const { day } = first
    const time = times.find((one) => one.day === day)
    const due = visits
      .filter(({ why }) => why === null)
      .toSorted(
        (a, b) => (a.startMinute ?? lastMinute) - (b.startMinute ?? lastMinute) || a.visitId.localeCompare(b.visitId),
      )
    const dueAt = turnOf(time?.dueAt ?? to, due)
    const { ways: open, why } = await ways(customer)
    const against = due.length === 0 && first.why !== null ? notReminded[first.why] : open.length === 0 ? why : null
    if (against !== null) {
      found.notSent.push({ customerId: customer.id, dueAt, reason: against })
      continue
    }
    const { language } = customer
    const words = noticeWords(settings, 'reminder', language, {
      first_name: firstNameOf(customer.name),
      ...reminderValues(settings, customer, day, due),
      link: url,
    })
    for (const { channel, stop } of open)
      found.sent.push(
        foreseen(
          { customerId: customer.id, dueAt, language, url },
          channel === 'sms'
            ? { channel, text: asSms(`${words.text}${stop}`) }
            : { channel, text: words.text, subject: words.mail().subject },
        ),
      )
  }
  return found
}

/** Visits that are put on a plan after its hour are reminded of as soon as that is seen. */
const turnOf = (hour: string, due: readonly PastReminder[]): string => {
  const added = due.map(({ createdAt }) => Date.parse(createdAt)).toSorted((a, b) => a - b)
  return new Date(Math.min(clock.nowMs(), Math.max(Date.parse(hour), added[0] ?? 0))).toISOString()
}
