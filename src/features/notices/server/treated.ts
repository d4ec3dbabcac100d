import { z } from 'zod'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { button, paragraph, small, writeLetter } from '../../../platform/mail/letter.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { dayOf, formatTime } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { listTreated, type Treated } from '../../chemicals/records/server/queries.ts'
import { getChemicalRules } from '../../chemicals/server/queries.ts'
import { quietUntil } from '../../messages/rules.ts'
import { dayWords } from '../rules.ts'
import { putOut, type Words } from './outgoing.ts'
import { findWays, getNoticeSettings, listNoticeCustomers, type NoticeSettings, segmentsLeft } from './queries.ts'

/** What a customer hears after something was put on their lawn: products, until when to keep off, the label. Once for a visit. */

export const tellTreatedTask = taskName({ name: 'notices.treated', payload: z.object({ visitId: z.uuid() }) })

/** So long the notice waits for the other products of the visit. */
const holdMinutes = 5
/** After that it warns of nothing any more; it stays on the page of the visit. */
const lateMs = 24 * 3_600_000

/** Until when to keep off, as a customer reads it; null where nothing asks for it. */
export const keepOffWords = (
  { keepOffUntil }: Pick<Treated, 'keepOffUntil'>,
  { language, timeZone, today }: { language: Language; timeZone: string; today: string },
): string | null => {
  if (!keepOffUntil) return null
  const day = dayOf(keepOffUntil, timeZone)
  const time = formatTime(keepOffUntil, timeZone)
  return day === today ? time : `${time}, ${dayWords(day, language)}`
}

const namesOf = (list: readonly string[], and: string): string =>
  list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} ${and} ${list.at(-1)}`

const texts = {
  en: {
    subject: (name: string) => `${name}: what was applied to your lawn`,
    applied: (name: string, products: string) => `${name} treated your lawn with ${products}.`,
    keepOff: (when: string) => `Keep people and pets off until ${when}.`,
    label: 'Label',
    more: 'Details',
    see: 'See your visit',
    and: 'and',
  },
  es: {
    subject: (name: string) => `${name}: lo que se aplicó en su césped`,
    applied: (name: string, products: string) => `${name} trató su césped con ${products}.`,
    keepOff: (when: string) => `Mantenga a personas y mascotas fuera hasta las ${when}.`,
    label: 'Etiqueta',
    more: 'Detalles',
    see: 'Ver su visita',
    and: 'y',
  },
} as const

const treatedWords = (settings: NoticeSettings, treated: Treated, language: Language, link: string): Words => {
  const words = texts[language]
  const { timeZone, today } = settings
  const until = keepOffWords(treated, { language, timeZone, today })
  const applied = words.applied(
    settings.name,
    namesOf(
      treated.products.map(({ name }) => name),
      words.and,
    ),
  )
  const keepOff = until ? words.keepOff(until) : ''
  const labels = treated.products.filter(({ labelUrl }) => labelUrl !== '')
  const labelLines = labels.map(({ name, labelUrl }) =>
    labels.length > 1 ? `${words.label} ${name}: ${labelUrl}` : `${words.label}: ${labelUrl}`,
  )
  const phone = settings.phone ? formatPhone(settings.phone) : ''
  return {
    text: [applied, keepOff, ...labelLines, `${words.more}: ${link}`].filter(Boolean).join(' '),
    mail: () => ({
      subject: words.subject(settings.name).slice(0, 200),
      ...writeLetter({
        language,
        from: settings.name,
        brandColor: settings.brandColor,
        parts: [
          paragraph(applied),
          ...(keepOff ? [paragraph(keepOff)] : []),
          ...labelLines.map((line) => paragraph(line)),
          button(words.see, link),
          small([settings.name, phone, settings.email].filter(Boolean).join('\n')),
        ],
      }),
    }),
  }
}

/** Asks for the notice of a visit, in a moment: a second product is mostly written down right after the first. */
export const wantTreatedTx = async (db: TenantDb, visitId: string): Promise<void> => {
  const runAt = new Date(clock.nowMs() + holdMinutes * 60_000).toISOString()
  await enqueue(db, tellTreatedTask, { visitId }, { key: visitId, runAt })
}

export const tellTreated = (actor: SystemActor, visitId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const settings = await getNoticeSettings(db)
    if (settings.closedAt || !(await getChemicalRules(db)).tellCustomers) return
    const [treated] = await listTreated(db, [visitId])
    if (!treated || clock.nowMs() - Date.parse(treated.endedAt) > lateMs) return
    const visit = await db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visitId)
      .executeTakeFirst()
    const [customer] = visit ? await listNoticeCustomers(db, [visit.customerId]) : []
    if (!customer) return
    const isQuiet = quietUntil('transactional', clock.now(), settings.timeZone, settings.quiet) !== null
    const left = await segmentsLeft(db)
    // Mail wakes nobody; who has none reads the text in the morning.
    const awake = await findWays(db, customer, { texts: !isQuiet, segmentsLeft: left })
    const ways = awake.length > 0 ? awake : await findWays(db, customer, { segmentsLeft: left })
    if (ways.length === 0) return
    const link = absoluteUrl(paths.visit(await linkToken(db, 'visit', visitId)))
    const words = treatedWords(settings, treated, customer.language, link)
    for (const { way, key } of ways)
      await putOut(db, { customer, way, visitId, dedupeKey: `treated:${visitId}${key}`, words })
  })
