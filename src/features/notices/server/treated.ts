import { z } from 'zod'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { button, paragraph } from '../../../platform/mail/letter.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { dayOf, formatTime } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { keepOffAsOf, listTreated, type Treated } from '../../chemicals/records/server/queries.ts'
import { getChemicalRules } from '../../chemicals/server/queries.ts'
import { quietOf } from '../../messages/zones/server/queries.ts'
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
    longer: (when: string) =>
      `This has changed: keep people and pets off until ${when}, longer than we told you before.`,
    keepOff: (when: string) => `Keep people and pets off until ${when}.`,
    label: 'Label',
    more: 'Details',
    see: 'See your visit',
    and: 'and',
  },
  es: {
    subject: (name: string) => `${name}: lo que se aplicó en su césped`,
    applied: (name: string, products: string) => `${name} trató su césped con ${products}.`,
    longer: (when: string) =>
      `Esto cambió: mantenga a personas y mascotas fuera hasta las ${when}, más tiempo de lo que le dijimos.`,
    keepOff: (when: string) => `Mantenga a personas y mascotas fuera hasta las ${when}.`,
    label: 'Etiqueta',
    more: 'Detalles',
    see: 'Ver su visita',
    and: 'y',
  },
} as const

/**
 * @param longer the lawn stays closed longer than the customer was told
 */
const treatedWords = (
  settings: NoticeSettings,
  treated: Treated,
  { language, link, longer }: { language: Language; link: string; longer: boolean },
): Words => {
  const words = texts[language]
  // always with its day: a message is read when it is read; and nobody keeps off a lawn that is open again
  const isClosed = treated.keepOffUntil !== null && Date.parse(treated.keepOffUntil) > clock.nowMs()
  const until = isClosed ? keepOffWords(treated, { language, timeZone: settings.timeZone, today: '' }) : null
  const applied = words.applied(
    settings.name,
    namesOf(
      treated.products.map(({ name }) => name),
      words.and,
    ),
  )
  const keepOff = until ? (longer ? words.longer(until) : words.keepOff(until)) : ''
  const labels = treated.products.filter(({ labelUrl }) => labelUrl !== '')
  const labelLines = labels.map(({ name, labelUrl }) =>
    labels.length > 1 ? `${words.label} ${name}: ${labelUrl}` : `${words.label}: ${labelUrl}`,
  )
  return {
    text: [applied, keepOff, ...labelLines, `${words.more}: ${link}`].filter(Boolean).join(' '),
    mail: () => ({
      subject: words.subject(settings.name).slice(0, 200),
      ...customerLetter(settings, {
        language,
        parts: [
          paragraph(applied),
          ...(keepOff ? [paragraph(keepOff)] : []),
          ...labelLines.map((line) => paragraph(line)),
          button(words.see, link),
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

/** A second product that goes down some minutes after the first is no news. */
const worthTellingMs = 60 * 60_000

/** More changes of one visit than these are not told; its page always says what holds. */
const mostCorrections = 8

const toldKeys = (visitId: string): string[] => [
  `treated:${visitId}`,
  ...Array.from({ length: mostCorrections }, (_, n) => `treated:${visitId}:${n + 1}`),
]

/** How often the people of a customer were told of a visit, and when last. */
const sumTold = async (db: TenantDb, visitId: string, ways: readonly string[]) => {
  const keys = toldKeys(visitId)
  const sent = await db
    .selectFrom('messages')
    .select(['createdAt', 'dedupeKey'])
    .where('businessId', '=', db.businessId)
    .where(
      'dedupeKey',
      'in',
      keys.flatMap((key) => ways.map((way) => `${key}${way}`)),
    )
    .orderBy('createdAt', 'desc')
    .execute()
  const times = keys.filter((key) => sent.some(({ dedupeKey }) => ways.some((way) => dedupeKey === `${key}${way}`)))
  return { times: times.length, lastAt: sent[0]?.createdAt ?? null }
}

/** Whether the lawn is still closed, and longer than a message of that time said. */
const isLongerNow = async (db: TenantDb, { visitId, keepOffUntil }: Treated, toldAt: string): Promise<boolean> => {
  if (keepOffUntil === null || Date.parse(keepOffUntil) <= clock.nowMs()) return false
  const before = await keepOffAsOf(db, visitId, toldAt)
  return before === null || Date.parse(keepOffUntil) - Date.parse(before) >= worthTellingMs
}

export const tellTreated = (actor: SystemActor, visitId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const settings = await getNoticeSettings(db)
    if (settings.closedAt || !(await getChemicalRules(db)).tellCustomers) return
    const [treated] = await listTreated(db, [visitId])
    if (!treated) return
    const visit = await db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visitId)
      .executeTakeFirst()
    const [customer] = visit ? await listNoticeCustomers(db, [visit.customerId]) : []
    if (!customer) return
    const told = await sumTold(db, visitId, ['', ...customer.others.map(({ contactId }) => `:${contactId}`)])
    const longer = told.lastAt !== null
    if (told.lastAt !== null && !(await isLongerNow(db, treated, told.lastAt))) return
    if (told.times > mostCorrections) return
    if (!longer && clock.nowMs() - Date.parse(treated.endedAt) > lateMs) return
    const quietEnd = await quietOf(db, 'transactional', customer.id, settings)
    const left = await segmentsLeft(db)
    // Mail wakes nobody; who has none gets a text in the morning, with the words of the morning.
    const ways = await findWays(db, customer, { texts: quietEnd === null, segmentsLeft: left })
    if (ways.length === 0) {
      if (quietEnd !== null && (await findWays(db, customer, { segmentsLeft: left })).length > 0)
        await enqueue(db, tellTreatedTask, { visitId }, { key: visitId, runAt: quietEnd })
      return
    }
    const link = absoluteUrl(paths.visit(await linkToken(db, 'visit', visitId)))
    const words = treatedWords(settings, treated, { language: customer.language, link, longer })
    const dedupeKey = toldKeys(visitId)[told.times] ?? ''
    for (const { way, key } of ways)
      await putOut(db, { customer, way, visitId, dedupeKey: `${dedupeKey}${key}`, words })
  })
