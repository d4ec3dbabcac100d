import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { hmacToken, isHmacToken } from '../../../platform/keys.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { paragraph, small } from '../../../platform/mail/letter.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { addressLine } from '../../../shared/places.ts'
import { getAutomaticValues } from '../../answers/server/queries.ts'
import { customerLetter, getLetterSender } from '../../businesses/letters/server/queries.ts'
import { asSms } from '../../businesses/notices/rules.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { statementUrlTx } from '../../invoices/statements/server/commands.ts'
import { stopWords } from '../../messages/rules.ts'
import { stopLine } from '../../messages/server/queries.ts'
import { fillTemplate, holesIn, templateProblem, textFor } from '../../messages/templates/rules.ts'
import { kinds, type Way } from '../kinds/rules.ts'
import { subjectFor } from '../rules.ts'
import type { AutomationRow } from './rows.ts'

/** The words of one message, as its customer reads them. */

type Language = 'en' | 'es'
export type Draft = {
  subject: string
  text: string
  language: Language
  problem: string | null
  /** The same with its variables, as the office writes it. */
  words: { subject: string; text: string }
  /** The visit whose day it names as the next one. */
  says: { visitId: string; day: Day } | null
}
type Own = { customerId: string; subjectId: string; ownSubject?: string | null; ownText?: string | null }

type Options = {
  /** Makes the address at which they pay; without it its place says so: looking makes no link. */
  pay?: () => Promise<string>
  /** For who may not see what customers owe. */
  hidesMoney?: boolean
  /** As it would have read then. */
  at?: string
}

const paysHere = { en: '(their link to pay)', es: '(su enlace de pago)' } as const

export const draftOf = async (
  db: TenantDb,
  automation: AutomationRow,
  { customerId, subjectId, ownSubject = null, ownText = null }: Own,
  { pay, hidesMoney = false, at }: Options = {},
): Promise<Draft> => {
  const customer = await db
    .selectFrom('customers')
    .select('language')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const { text, fellBack } = textFor(automation, customer.language === 'es' ? 'es' : 'en')
  const language: Language = customer.language === 'es' && !fellBack ? 'es' : 'en'
  const subject = subjectFor(automation, language)
  const words = { subject: ownSubject ?? subject, text: ownText ?? text }
  const needed = [...new Set([...holesIn(words.text), ...holesIn(words.subject)])]
  const { values, missing, next } = await getAutomaticValues(
    db,
    customerId,
    language,
    needed,
    await visitsOf(db, automation, subjectId, at),
  )
  if (values['pay link']) values['pay link'] = pay ? await pay() : paysHere[language]
  if (values.balance && hidesMoney) values.balance = '($)'
  const [filled, about] = [fillTemplate(words.text, values), fillTemplate(words.subject, values)]
  const [hole] = [...filled.holes, ...about.holes]
  const strange = templateProblem(words.text) ?? templateProblem(words.subject)
  return {
    subject: about.text,
    text: filled.text,
    language,
    problem: hole
      ? (missing[hole.variable] ?? `There is no {${hole.variable}} to name.`)
      : (strange?.replace(/\.? Nothing was saved\.$/, '') ?? null),
    words,
    says: next,
  }
}

/**
 * Which visit the words mean: that of the treatment, the first that comes of the work that was booked, the one that was done.
 * @param at in the past: which was the first then
 */
const visitsOf = async (db: TenantDb, { kind }: AutomationRow, subjectId: string, at?: string) => {
  if (kind === 'treatment_coming') return { nextVisitId: subjectId }
  if (kind === 'visit_done' || kind === 'visit_skipped' || kind === 'dormant') return { lastVisitId: subjectId }
  if (kind !== 'visit_booked') return {}
  const first = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', subjectId)
    .where(
      'status',
      'in',
      at === undefined ? ['scheduled'] : ['scheduled', 'en_route', 'in_progress', 'paused', 'completed'],
    )
    .where('day', '>=', dayOf(at ?? clock.now(), await timeZoneOf(db)))
    .orderBy('day')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { nextVisitId: first?.id ?? null }
}

/** What stands for the words that somebody saw, without telling them: whoever says yes gives it back. Of a text its subject is no part. */
const seenOf = (runId: string, channel: Way | null, { subject, text, language }: Draft): string =>
  JSON.stringify([runId, channel, language, channel === 'email' ? subject : '', text])
export const sealOf = (runId: string, channel: Way | null, draft: Draft): string =>
  hmacToken('link', `automation-run ${seenOf(runId, channel, draft)}`)
export const isSealOf = (runId: string, channel: Way | null, draft: Draft, seal: string): boolean =>
  isHmacToken('link', `automation-run ${seenOf(runId, channel, draft)}`, seal)

/** The same with the link to pay made. */
export const finalDraftOf = (db: TenantDb, automation: AutomationRow, own: Own): Promise<Draft> =>
  draftOf(db, automation, own, { pay: () => statementUrlTx(db, own.customerId) })

const stopLabel = { en: 'Get no more offers', es: 'No recibir más ofertas' } as const

/** What leaves: a text with how to get no more where that is due, or a letter; under an offer where who writes can be found. */
export const composed = async (
  db: TenantDb,
  automation: AutomationRow,
  draft: Pick<Draft, 'subject' | 'text' | 'language'>,
  to: { channel: Way; address: string; customerId: string | null; messageId?: string },
): Promise<{ text: string } | { subject: string; text: string; html: string }> => {
  const { isOffer } = kinds[automation.kind]
  const { language, text } = draft
  if (to.channel === 'sms') {
    const { customerId, address, messageId } = to
    const stop = isOffer ? ` ${stopWords[language]}` : await stopLine(db, { customerId, address, language, messageId })
    return { text: `${asSms(text)}${stop}` }
  }
  const sender = await getLetterSender(db)
  const foot = isOffer
    ? [
        small(
          `${sender.name}, ${addressLine(await postalOf(db))}\n${stopLabel[language]}: ${
            to.customerId === null
              ? language === 'es'
                ? '(aquí va el enlace de cada cliente)'
                : '(each customer has a link of their own here)'
              : absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', to.customerId)))
          }`,
        ),
      ]
    : []
  return {
    subject: draft.subject.slice(0, 200),
    ...customerLetter(sender, { language, parts: [paragraph(text)], foot }),
  }
}

const postalOf = async (db: TenantDb) => {
  const { street, city, state, zip } = await db
    .selectFrom('businesses')
    .select(['street', 'city', 'state', 'zip'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return { street: street ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' }
}
