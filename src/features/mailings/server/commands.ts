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
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone, toE164 } from '../../../shared/phone.ts'
import { addressLine } from '../../../shared/places.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { fillText } from '../../businesses/notices/rules.ts'
import { queueMessage, stopMessagesTx } from '../../messages/server/commands.ts'
import { findSuppression } from '../../messages/server/queries.ts'
import type { Mailing, mailingsApi } from '../contract.ts'
import {
  type About,
  mailingRefusals,
  mostChosen,
  smsFor,
  undoMinutes,
  valuesFor,
  type Way,
  wordsFor,
} from '../rules.ts'
import {
  type Addressee,
  getMailing,
  listAddressees,
  listChosenFor,
  listReached,
  listTexted,
  senderOf,
} from './queries.ts'

/** Puts the messages into the outbox, some at a time. */
export const sendMailingTask = taskName({ name: 'mailings.send', payload: z.object({ mailingId: z.uuid() }) })

type Written = z.output<(typeof mailingsApi)['send']['body']>

/** Notes whom it is for; the outbox is filled in steps, each a transaction of its own. */
export const sendMailing = (who: Actor, { choice, way, about, subject, en, es }: Written): Promise<Mailing> =>
  withTenant(who, async (db) => {
    const chosen = await listChosenFor(db, choice, mostChosen + 1)
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
        leftOut: JSON.stringify(gone(chosen, people)),
        leavesAt,
        byUserId: userIdOf(who),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(db, who, 'mailing.send', { type: 'mailing', id }, { after: { way, about, chosen: chosen.length } })
    await enqueue(db, sendMailingTask, { mailingId: id }, { key: id })
    return getMailing(db, who, id)
  })

type LeftOut = { id: string; reason: string }

/** Chosen, and archived before their turn came. */
const gone = (ids: readonly string[], people: readonly Addressee[]): LeftOut[] => {
  const there = new Set(people.map(({ id }) => id))
  return ids.filter((id) => !there.has(id)).map((id) => ({ id, reason: 'Archived' }))
}

/** What has not left yet does not leave; what left stays. @throws conflict where all has left */
export const stopMailing = (who: Actor, id: string): Promise<Mailing> =>
  withTenant(who, async (db) => {
    const found = await lockMailing(db, id)
    if (!found) throw notFound('message')
    const before = await getMailing(db, who, id)
    if (before.stoppedAt) return before
    refuse(mailingRefusals.stop(before))
    const kept = found.waiting.map((customerId) => ({ id: customerId, reason: stopReason }))
    await db
      .updateTable('mailings')
      .set({
        waiting: [],
        unreached: found.unreached + kept.length,
        leftOut: JSON.stringify([...(found.leftOut as LeftOut[]), ...kept]),
        stoppedAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await stopMessagesTx(db, { type: 'mailing', id }, stopReason)
    await audit(db, who, 'mailing.stop', { type: 'mailing', id })
    return getMailing(db, who, id)
  })

const stopReason = 'It was stopped before it left'

type Test = z.output<(typeof mailingsApi)['test']['body']>

/** Who tries out a message and where it goes. @throws conflict without an address of theirs, or where nothing may go there */
export const testAddressOf = async (
  db: TenantDb,
  who: Actor,
  channel: 'sms' | 'email',
): Promise<{ me: { id: string; name: string }; address: string; to: string }> => {
  const me = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'phone'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', userIdOf(who) ?? '')
    .executeTakeFirst()
  const phone = me?.phone ? toE164(me.phone) : null
  const address = channel === 'sms' ? phone : (me?.email ?? null)
  if (!me || !address)
    throw conflict(
      channel === 'sms'
        ? 'There is no mobile number in your profile to send a test to. Add it there, or test the e-mail.'
        : 'There is no e-mail in your profile to send a test to.',
    )
  const to = channel === 'sms' ? formatPhone(address) : address
  const closed = await findSuppression(db, channel, address)
  if (closed?.purpose === 'all') throw conflict(`Nothing can be sent to ${to}: ${closed.reason}.`)
  return { me, address, to }
}

/** The message to the person who writes it, at once, as its first reader would get it. @throws conflict without an address of theirs */
export const testMailing = (who: Actor, { channel, about, language, subject, en, es }: Test): Promise<{ to: string }> =>
  withTenant(who, async (db) => {
    const { me, address, to } = await testAddressOf(db, who, channel)
    const business = await senderOf(db)
    const person = { name: me.name, company: null, language }
    const words = wordsFor(language, { en, es })
    await queueMessage(db, {
      channel,
      // it answers the one who asked for it, so quiet hours do not hold it
      purpose: 'reply',
      address,
      dedupeKey: `mailing-test:${newId()}`,
      userId: me.id,
      entity: { type: 'mailing_test', id: me.id },
      ...(channel === 'sms'
        ? // as who never had a text of the business gets it: no real one is longer
          { text: smsFor(person, business, { en, es }, true) }
        : {
            subject: `Test: ${fillText(subject, valuesFor(person, business))}`.slice(0, 200),
            ...customerLetter(business, {
              language: words.language,
              parts: [paragraph(fillText(words.text, valuesFor(person, business)))],
              foot: about === 'offer' ? [small(footerOf(business, words.language, noLink[words.language]))] : [],
            }),
          }),
    })
    return { to }
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

const stopUrlOf = async (db: TenantDb, customerId: string): Promise<string> =>
  absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', customerId)))

/** What the law asks for under an offer by mail: where who writes can be found, and how to get no more. */
const footerOf = (business: Sender, language: 'en' | 'es', url: string): string => {
  const { name, street, city, state, zip } = business
  const at = addressLine({ street: street ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' })
  return `${name}, ${at}\n${language === 'es' ? 'No recibir más ofertas' : 'Get no more offers'}: ${url}`
}

/** Stands in a test where each customer has a link of their own. */
const noLink = {
  en: '(each customer has a link of their own here)',
  es: '(aquí va el enlace de cada cliente)',
} as const

const keyOf = (mailingId: string, address: string): string => `mailing:${mailingId}:${address}`

/** Addresses that a step before has written to. */
const writtenTo = async (db: TenantDb, mailingId: string, addresses: readonly string[]): Promise<Set<string>> => {
  if (addresses.length === 0) return new Set()
  const rows = await db
    .selectFrom('messages')
    .select('address')
    .where('businessId', '=', db.businessId)
    .where(
      'dedupeKey',
      'in',
      addresses.map((address) => keyOf(mailingId, address)),
    )
    .execute()
  return new Set(rows.map(({ address }) => address))
}

const queueOne = async (
  db: TenantDb,
  mailing: Row,
  business: Sender,
  person: Addressee,
  to: { channel: 'sms' | 'email'; address: string; tellsStop: boolean },
): Promise<void> => {
  const written = { en: mailing.textEn, es: mailing.textEs }
  const { language, text } = wordsFor(person.language, written)
  const values = valuesFor(person, business)
  const isOffer = mailing.about === 'offer'
  await queueMessage(db, {
    channel: to.channel,
    purpose: isOffer ? 'marketing' : 'transactional',
    address: to.address,
    // a manager of twenty places, or two records of one household, get it once
    dedupeKey: keyOf(mailing.id, to.address),
    customerId: person.id,
    userId: mailing.byUserId,
    entity: { type: 'mailing', id: mailing.id },
    runAfter: mailing.leavesAt,
    ...(to.channel === 'sms'
      ? { text: smsFor(person, business, written, to.tellsStop) }
      : {
          subject: fillText(mailing.subject, values).slice(0, 200),
          ...customerLetter(business, {
            language,
            parts: [paragraph(fillText(text, values))],
            foot: isOffer ? [small(footerOf(business, language, await stopUrlOf(db, person.id)))] : [],
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
  const texted = await listTexted(db, reached)
  const before = await writtenTo(
    db,
    id,
    [...reached.values()].flatMap((to) => (to.channel ? [to.address] : [])),
  )
  const leftOut = gone(next, people)
  for (const person of people) {
    const to = reached.get(person.id)
    if (!to?.channel) leftOut.push({ id: person.id, reason: to?.reason ?? 'Not reached' })
    else if (before.has(to.address)) leftOut.push({ id: person.id, reason: 'Same address as another customer' })
    else {
      const tellsStop = to.channel === 'sms' && (mailing.about === 'offer' || !texted.has(person.id))
      await queueOne(db, mailing, business, person, { ...to, tellsStop })
    }
  }
  await db
    .updateTable('mailings')
    .set((eb) => ({
      waiting: sql<string[]>`waiting[${sql.lit(atOnce + 1)}:]`,
      unreached: eb('unreached', '+', leftOut.length),
      leftOut: sql`left_out || ${JSON.stringify(leftOut)}::jsonb`,
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  return mailing.waiting.length > next.length
}
