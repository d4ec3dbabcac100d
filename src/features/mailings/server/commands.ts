import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { paragraph, small } from '../../../platform/mail/letter.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { addressLine } from '../../../shared/places.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { asSms, fillText } from '../../businesses/notices/rules.ts'
import { listChosen } from '../../customers/server/bulk/queries.ts'
import { stopWords } from '../../messages/rules.ts'
import { queueMessage, stopMessagesTx } from '../../messages/server/commands.ts'
import { stopLine } from '../../messages/server/queries.ts'
import type { Mailing, mailingsApi } from '../contract.ts'
import { type About, mostChosen, undoMinutes, valuesFor, type Way, wordsFor } from '../rules.ts'
import { type Addressee, getMailing, listAddressees, listReached, readChoice, senderOf } from './queries.ts'

/** Puts the messages into the outbox, some at a time. */
export const sendMailingTask = taskName({ name: 'mailings.send', payload: z.object({ mailingId: z.uuid() }) })

type Written = z.output<(typeof mailingsApi)['send']['body']>

/** Notes whom it is for; the outbox is filled in steps, each a transaction of its own. */
export const sendMailing = (who: Actor, { choice, way, about, subject, en, es }: Written): Promise<Mailing> =>
  withTenant(who, async (db) => {
    const chosen = await listChosen(db, readChoice(choice), mostChosen + 1)
    if (chosen.length > mostChosen)
      throw conflict(
        `That is more than ${mostChosen} customers at once. Narrow the list and send it in parts. Nothing was sent.`,
      )
    const people = await listAddressees(db, chosen)
    const reached = [...(await listReached(db, people, { way, about })).values()]
    if (!reached.some(({ channel }) => channel !== null))
      throw conflict('Nobody of these customers can be reached this way. Nothing was sent.')
    const business = await senderOf(db)
    if (about === 'offer' && !(business.street && business.zip) && reached.some(({ channel }) => channel === 'email'))
      throw conflict(
        'An offer by e-mail has to say where your business is: add its address under Profile, or send it by text. Nothing was sent.',
      )
    if (subject === '' && reached.some(({ channel }) => channel === 'email'))
      throw invalid([{ path: 'subject', message: 'Some get it as an e-mail: a subject is needed.' }])
    const id = newId()
    const now = clock.iso()
    const leavesAt = new Date(clock.nowMs() + undoMinutes * 60_000).toISOString()
    await db
      .insertInto('mailings')
      .values({
        businessId: db.businessId,
        id,
        way,
        about,
        subject,
        textEn: en,
        textEs: es,
        waiting: people.map((person) => person.id),
        chosen: chosen.length,
        unreached: chosen.length - people.length,
        leavesAt,
        byUserId: userIdOf(who),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(db, who, 'mailing.send', { type: 'mailing', id }, { after: { way, about, chosen: chosen.length } })
    await enqueue(db, sendMailingTask, { mailingId: id }, { key: id })
    return getMailing(db, id)
  })

/** What has not left yet does not leave; what left stays. */
export const stopMailing = (who: Actor, id: string): Promise<Mailing> =>
  withTenant(who, async (db) => {
    const found = await lockMailing(db, id)
    if (!found) throw notFound('message')
    await db
      .updateTable('mailings')
      .set({ waiting: [], stoppedAt: found.stoppedAt ?? clock.iso(), updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await stopMessagesTx(db, { type: 'mailing', id }, 'It was stopped before it left')
    await audit(db, who, 'mailing.stop', { type: 'mailing', id })
    return getMailing(db, id)
  })

const lockMailing = (db: TenantDb, id: string) =>
  db
    .selectFrom('mailings')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

const atOnce = 50

type Sender = Awaited<ReturnType<typeof senderOf>>
type Row = NonNullable<Awaited<ReturnType<typeof lockMailing>>>

/** What the law asks for under an offer by mail: where who writes can be found, and how to get no more. */
const footerOf = async (db: TenantDb, business: Sender, customerId: string, language: 'en' | 'es'): Promise<string> => {
  const url = absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', customerId)))
  const { name, street, city, state, zip } = business
  const at = addressLine({ street: street ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' })
  return `${name}, ${at}\n${language === 'es' ? 'No recibir más ofertas' : 'Get no more offers'}: ${url}`
}

const queueOne = async (
  db: TenantDb,
  mailing: Row,
  business: Sender,
  person: Addressee,
  to: { channel: 'sms' | 'email'; address: string },
): Promise<void> => {
  const { language, text } = wordsFor(person.language, { en: mailing.textEn, es: mailing.textEs })
  const values = valuesFor(person, business)
  const words = fillText(text, values)
  const isOffer = mailing.about === 'offer'
  const stop = isOffer
    ? ` ${stopWords[language]}`
    : await stopLine(db, { customerId: person.id, address: to.address, language })
  await queueMessage(db, {
    channel: to.channel,
    purpose: isOffer ? 'marketing' : 'transactional',
    address: to.address,
    // a manager of twenty places, or two records of one household, get it once
    dedupeKey: `mailing:${mailing.id}:${to.address}`,
    customerId: person.id,
    userId: mailing.byUserId,
    entity: { type: 'mailing', id: mailing.id },
    runAfter: mailing.leavesAt,
    ...(to.channel === 'sms'
      ? { text: `${asSms(words)}${stop}` }
      : {
          subject: fillText(mailing.subject, values).slice(0, 200),
          ...customerLetter(business, {
            language,
            parts: [paragraph(words)],
            foot: isOffer ? [small(await footerOf(db, business, person.id, language))] : [],
          }),
        }),
  })
}

/** The next customers of a message to several. A step that was cut off is done again: each message has a key of its own. @returns whether more wait */
export const mailingStepTx = async (db: TenantDb, id: string): Promise<boolean> => {
  const mailing = await lockMailing(db, id)
  if (!mailing || mailing.stoppedAt || mailing.waiting.length === 0) return false
  const next = mailing.waiting.slice(0, atOnce)
  const people = await listAddressees(db, next)
  const business = await senderOf(db)
  const reached = await listReached(db, people, { way: mailing.way as Way, about: mailing.about as About })
  let unreached = next.length - people.length
  for (const person of people) {
    const to = reached.get(person.id)
    if (to?.channel) await queueOne(db, mailing, business, person, to)
    else unreached++
  }
  await db
    .updateTable('mailings')
    .set((eb) => ({
      waiting: sql<string[]>`waiting[${sql.lit(atOnce + 1)}:]`,
      unreached: eb('unreached', '+', unreached),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  return mailing.waiting.length > next.length
}
