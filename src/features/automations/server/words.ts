import type { TenantDb } from '../../../platform/db/tenant.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { paragraph, small } from '../../../platform/mail/letter.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { addressLine } from '../../../shared/places.ts'
import { getAutomaticValues } from '../../answers/server/queries.ts'
import { customerLetter, getLetterSender } from '../../businesses/letters/server/queries.ts'
import { asSms } from '../../businesses/notices/rules.ts'
import { statementUrlTx } from '../../invoices/statements/server/commands.ts'
import { stopWords } from '../../messages/rules.ts'
import { stopLine } from '../../messages/server/queries.ts'
import { fillTemplate, holesIn, textFor } from '../../messages/templates/rules.ts'
import { kinds, type Way } from '../kinds/rules.ts'
import type { AutomationRow } from './rows.ts'

/** The words of one message, as its customer reads them. */

type Language = 'en' | 'es'
export type Draft = { subject: string; text: string; language: Language; problem: string | null }
type Own = { customerId: string; subjectId: string; ownSubject?: string | null; ownText?: string | null }

type Options = {
  /** Makes the address at which they pay; without it its place says so: looking makes no link. */
  pay?: () => Promise<string>
  /** For who may not see what customers owe. */
  hidesMoney?: boolean
}

const paysHere = { en: '(their link to pay)', es: '(su enlace de pago)' } as const

export const draftOf = async (
  db: TenantDb,
  automation: AutomationRow,
  { customerId, subjectId, ownSubject = null, ownText = null }: Own,
  { pay, hidesMoney = false }: Options = {},
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
  const subject = (language === 'es' && automation.subjectEs) || automation.subjectEn
  if (ownText !== null) return { subject: ownSubject ?? subject, text: ownText, language, problem: null }
  const needed = [...new Set([...holesIn(text), ...holesIn(subject)])]
  const { values, missing } = await getAutomaticValues(
    db,
    customerId,
    language,
    needed,
    await visitsOf(db, automation, subjectId),
  )
  if (values['pay link']) values['pay link'] = pay ? await pay() : paysHere[language]
  if (values.balance && hidesMoney) values.balance = '($)'
  const [words, about] = [fillTemplate(text, values), fillTemplate(subject, values)]
  const [hole] = [...words.holes, ...about.holes]
  return {
    subject: ownSubject ?? about.text,
    text: words.text,
    language,
    problem: hole ? (missing[hole.variable] ?? `There is no {${hole.variable}} to name.`) : null,
  }
}

/** Which visit the words mean: that of the treatment, the first of the work that was booked, the one that was done. */
const visitsOf = async (db: TenantDb, { kind }: AutomationRow, subjectId: string) => {
  if (kind === 'treatment_coming') return { nextVisitId: subjectId }
  if (kind === 'visit_done' || kind === 'visit_skipped' || kind === 'dormant') return { lastVisitId: subjectId }
  if (kind !== 'visit_booked') return {}
  const first = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', subjectId)
    .where('status', 'in', ['scheduled', 'completed'])
    .where('day', 'is not', null)
    .orderBy('day')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { nextVisitId: first?.id ?? null }
}

/** The same with the link to pay made. */
export const finalDraftOf = (db: TenantDb, automation: AutomationRow, own: Own): Promise<Draft> =>
  draftOf(db, automation, own, { pay: () => statementUrlTx(db, own.customerId) })

const stopLabel = { en: 'Get no more offers', es: 'No recibir más ofertas' } as const

/** What leaves: a text with how to get no more where that is due, or a letter; under an offer where who writes can be found. */
export const composed = async (
  db: TenantDb,
  automation: AutomationRow,
  draft: Pick<Draft, 'subject' | 'text' | 'language'>,
  to: { channel: Way; address: string; customerId: string | null },
): Promise<{ text: string } | { subject: string; text: string; html: string }> => {
  const { isOffer } = kinds[automation.kind]
  const { language, text } = draft
  if (to.channel === 'sms') {
    const { customerId, address } = to
    const stop = isOffer ? ` ${stopWords[language]}` : await stopLine(db, { customerId, address, language })
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
