import { afterEach, beforeEach, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf, instantAt } from '../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, type VisitChanges } from '../../../test/field.ts'
import { messagesApi } from '../../messages/contract.ts'
import { conversationsApi } from '../../messages/conversations/contract.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { receiveText } from '../../messages/server/inbound/commands.ts'
import { dayWords } from '../../notices/rules.ts'
import { answersApi } from '../contract.ts'
import { getAnswers } from './queries.ts'

const zone = 'America/New_York'
const start = dayOf(Date.now(), zone)
const at = (minute: number) => setClock(() => new Date(instantAt(start, minute, zone)))
beforeEach(() => at(500))
afterEach(resetClock)

const phone = '+19125550199'

const aSeason = async (language: 'en' | 'es' = 'en') => {
  const business = await aBusiness({ name: 'Palmetto', workDays: everyDay })
  const crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  const { customerId, visitId } = await aVisit(business, {
    day: addDays(start, 2),
    crewId,
    position: 1,
    startMinute: 600,
    customer: 'Rebecca Odom',
  })
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ phone, language })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const visit = (changes: VisitChanges) => aVisit(business, { crewId, ...changes })
  return { business, crewId, customerId, visitId, visit }
}

const writes = ({ id }: TestBusiness, body: string) =>
  receiveText(id, { from: phone, body, provider: 'test', providerId: newId() })

/** An invoice that is asked for, and what the ledger says that they owe in all. */
const owes = (
  business: TestBusiness,
  customerId: string,
  cents: number,
  { pendingCents = 0, owedCents = cents }: { pendingCents?: number; owedCents?: number } = {},
) =>
  business.db(async (db) => {
    await db
      .insertInto('invoices')
      .values({
        businessId: business.id,
        id: newId(),
        number: 7001,
        customerId,
        status: 'issued',
        totalCents: cents,
        pendingCents,
        issueOn: start,
        dueOn: addDays(start, 14),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute()
    await db
      .insertInto('customerBalances')
      .values({ businessId: business.id, customerId, balanceCents: owedCents })
      .execute()
  })

const answersOf = (business: TestBusiness, id: string) => business.api.ok(answersApi.get, { params: { id } })

it('says nothing while nothing waits, and answers what was asked first; an answer of a person ends it', async () => {
  const { business, customerId } = await aSeason()
  await owes(business, customerId, 12_345)
  expect((await answersOf(business, customerId)).suggestions).toEqual([])
  await writes(business, 'How much do I owe?')
  expect((await answersOf(business, customerId)).suggestions).toEqual([
    { kind: 'balance', text: 'Your open balance is $123.45. You can see and pay it here: {pay link}' },
    {
      kind: 'visit',
      text: `Your next visit is ${dayWords(addDays(start, 2), 'en', true)}, between 8 AM and 12 PM.`,
    },
  ])
  await writes(business, 'And when do you come?')
  expect((await answersOf(business, customerId)).suggestions[0]?.kind).toBe('visit')
  const params = { id: customerId }
  const seen = await business.api.ok(conversationsApi.get, { params })
  const { version } = await business.api.ok(conversationsApi.close, { params, body: { version: seen.version } })
  expect((await answersOf(business, customerId)).suggestions).toEqual([])
  await business.api.ok(conversationsApi.reopen, { params, body: { version } })
  expect((await answersOf(business, customerId)).suggestions[0]?.kind).toBe('visit')
  await business.api.ok(messagesApi.sendText, { params: { id: customerId }, body: { text: 'On Friday.' } })
  expect((await answersOf(business, customerId)).suggestions).toEqual([])
})

it('what a mailing sent answers nobody, whoever began it', async () => {
  const { business, customerId } = await aSeason()
  await writes(business, 'When do you come?')
  await business.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address: phone,
      dedupeKey: `mailing:${newId()}:${phone}`,
      text: 'We are closed on Monday.',
      customerId,
      userId: business.owner.userId,
    }),
  )
  expect((await answersOf(business, customerId)).suggestions[0]?.kind).toBe('visit')
})

const moveTo = (business: TestBusiness, customerId: string, { visitIds }: { visitIds: string[] }) =>
  business.db((db) =>
    db
      .updateTable('visits')
      .set({ customerId })
      .where('businessId', '=', business.id)
      .where('id', 'in', visitIds)
      .execute(),
  )

it('"today" and "now" are not said where a text waits for the morning, nor after the working day', async () => {
  const { business, customerId, visit } = await aSeason()
  const { visitId } = await visit({ day: start, position: 1, startMinute: 600 })
  await moveTo(business, customerId, { visitIds: [visitId] })
  await writes(business, 'When do you come?')
  // hours later the session would have to be renewed
  const actor = { ...business.owner, role: 'Owner', timeZone: zone, permissions: [] } as never
  const later = () => business.db((db) => getAnswers(db, actor, customerId))
  const kinds = async () => (await later()).suggestions.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['visit'])
  // the crew's day ends at 4 PM
  at(961)
  expect(await kinds()).toEqual([])
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ status: 'in_progress', startedAt: clock.iso() })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  expect((await later()).suggestions[0]?.text).toBe('Our crew is at your property right now.')
  expect((await later()).missing['next visit time']).toBe('The next visit of Rebecca Odom is under way.')
  at(1290)
  expect(await kinds()).toEqual([])
})

it('of several visits of a day the one where somebody is comes first, and each says which property', async () => {
  const { business, customerId, visit } = await aSeason()
  const waits = await visit({ day: start, position: 1, startMinute: 540, customer: 'One' })
  const begun = await visit({ day: start, position: 2, startMinute: 600, status: 'in_progress', customer: 'Two' })
  await moveTo(business, customerId, { visitIds: [waits.visitId, begun.visitId] })
  await writes(business, 'When do you come?')
  const first = async () => (await answersOf(business, customerId)).suggestions[0]?.text
  expect(await first()).toBe('Our crew is at your property right now.')
  const second = await business.db(async (db) => {
    await db
      .updateTable('properties')
      .set({ customerId })
      .where('businessId', '=', business.id)
      .where('id', '=', begun.propertyId)
      .execute()
    return db
      .selectFrom('properties')
      .select('street')
      .where('businessId', '=', business.id)
      .where('id', '=', begun.propertyId)
      .executeTakeFirstOrThrow()
  })
  expect(await first()).toBe(`Our crew is at ${second.street} right now.`)
  expect((await answersOf(business, customerId)).places['next visit day']).toBe(
    `The next visit is at ${second.street}.`,
  )
  const paused = (visitIds: string[]) =>
    business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'paused' })
        .where('businessId', '=', business.id)
        .where('id', 'in', visitIds)
        .execute(),
    )
  await paused([begun.visitId])
  expect(await first()).toMatch(/^We come to .* today/)
  await paused([waits.visitId])
  expect(await first()).toBeUndefined()
})

it('money that is on its way or owed otherwise is no sum to tell, and "no open invoices" is only said where there is none', async () => {
  const onItsWay = await aSeason()
  await owes(onItsWay.business, onItsWay.customerId, 5000, { pendingCents: 5000 })
  await writes(onItsWay.business, 'How much do I owe?')
  const waits = await answersOf(onItsWay.business, onItsWay.customerId)
  expect(waits.suggestions.map(({ kind }) => kind)).toEqual(['visit'])
  expect([waits.values.balance, waits.missing.balance]).toEqual([
    null,
    'Rebecca Odom owes $50.00, and no invoice asks for it now: it may be on its way, disputed or held back.',
  ])
  const inAdvance = await aSeason()
  await owes(inAdvance.business, inAdvance.customerId, 5000, { owedCents: 2000 })
  await writes(inAdvance.business, 'How much do I owe?')
  const less = await answersOf(inAdvance.business, inAdvance.customerId)
  expect(less.suggestions.map(({ kind }) => kind)).toEqual(['visit'])
  const settled = await aSeason()
  await owes(settled.business, settled.customerId, 5000, { pendingCents: 5000, owedCents: 0 })
  await writes(settled.business, 'How much do I owe?')
  const open = await answersOf(settled.business, settled.customerId)
  expect(open.suggestions.map(({ kind }) => kind)).toEqual(['visit'])
  const free = await aSeason()
  await writes(free.business, 'How much do I owe?')
  expect((await answersOf(free.business, free.customerId)).suggestions[0]?.text).toBe(
    'You have no open invoices. Thank you!',
  )
})

it.each([
  ['en', 'You have no visit on our schedule right now. Would you like one?'],
  ['es', 'Ahora no tiene ninguna visita en nuestra agenda. ¿Quiere una?'],
] as const)(
  'says to who asks for their next visit that there is none (%s), and to nobody else',
  async (spoken, words) => {
    const { business, customerId } = await aSeason(spoken)
    await business.db((db) =>
      db.updateTable('visits').set({ status: 'canceled' }).where('businessId', '=', business.id).execute(),
    )
    await writes(business, 'When is my next visit please?')
    expect((await answersOf(business, customerId)).suggestions.map(({ text }) => text)).toContain(words)
    await writes(business, 'How much do I owe?')
    expect((await answersOf(business, customerId)).suggestions.map(({ text }) => text)).not.toContain(words)
  },
)

it('speaks the language of the customer, whatever they wrote in', async () => {
  const { business, customerId } = await aSeason('es')
  await owes(business, customerId, 5000)
  await writes(business, 'when are you coming')
  const { language, suggestions } = await answersOf(business, customerId)
  expect([language, ...suggestions.map(({ text }) => text)]).toEqual([
    'es',
    `Su próxima visita es el ${dayWords(addDays(start, 2), 'es', true)}, entre las 8 AM y las 12 PM.`,
    'Su saldo pendiente es $50.00. Puede verlo y pagarlo aquí: {pay link}',
  ])
})

it('says that the crew is late only where it is, and what was done last', async () => {
  const { business, crewId, customerId, visit } = await aSeason()
  await writes(business, 'Where are you?')
  expect((await answersOf(business, customerId)).suggestions.map(({ kind }) => kind)).toEqual(['visit'])
  const { customerId: other } = await visit({
    day: start,
    position: 1,
    startMinute: 475,
    status: 'in_progress',
    customer: 'Carl',
  })
  const { visitId } = await visit({ day: start, position: 2, startMinute: 600, customer: 'Rebecca again' })
  const { visitId: done } = await visit({ day: addDays(start, -7), status: 'completed', customer: 'Rebecca before' })
  at(470)
  await publishDay(business, crewId)
  at(500)
  await business.db(async (db) => {
    await db
      .updateTable('visits')
      .set({ customerId })
      .where('businessId', '=', business.id)
      .where('id', 'in', [visitId, done])
      .execute()
    // the crew began 22 minutes after what its route says
    await db
      .updateTable('visits')
      .set({ startedAt: instantAt(start, 497, zone) })
      .where('businessId', '=', business.id)
      .where('customerId', '=', other)
      .execute()
  })
  const { suggestions } = await answersOf(business, customerId)
  expect(suggestions.map(({ kind }) => kind)).toEqual(['late', 'visit', 'last'])
  expect(suggestions[0]?.text).toMatch(/^We are running about 25 minutes late today\. We expect to be there between /)
  expect(suggestions[1]?.text).toMatch(/^We come today, between /)
  expect(suggestions[2]?.text).toContain(`We were last there on ${dayWords(addDays(start, -7), 'en', true)}`)
})

it('says in Spanish what was done only by Spanish names of the services', async () => {
  const { business, customerId, visit } = await aSeason('es')
  const { visitId } = await visit({ day: addDays(start, -7), status: 'completed' })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ customerId })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  await writes(business, '¿Ya vinieron la última vez?')
  const last = async () =>
    (await answersOf(business, customerId)).suggestions.find(({ kind }) => kind === 'last')?.text ?? ''
  const on = dayWords(addDays(start, -7), 'es', true)
  expect(await last()).toBe(`Estuvimos ahí por última vez el ${on}.`)
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ nameEs: 'Cortar y soplar' })
      .where('businessId', '=', business.id)
      .where('code', '=', 'FIELD-MOW')
      .execute(),
  )
  expect(await last()).toBe(`Estuvimos ahí por última vez el ${on}: Cortar y soplar.`)
})

it('knows the values of a template, and says why one has none', async () => {
  const { business, customerId, visitId } = await aSeason()
  const { values, missing } = await answersOf(business, customerId)
  expect(values).toMatchObject({
    'customer first name': 'Rebecca',
    'business name': 'Palmetto',
    'next visit day': dayWords(addDays(start, 2), 'en', true),
    'next visit time': '8 AM to 12 PM',
    balance: '$0.00',
    'pay link': null,
    'last visit day': null,
  })
  expect(missing).toMatchObject({
    'pay link': 'Rebecca Odom has nothing open to pay.',
    'last visit day': 'No visit to Rebecca Odom was finished yet.',
  })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ status: 'canceled' })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  expect((await answersOf(business, customerId)).missing['next visit day']).toBe(
    'No visit is planned for Rebecca Odom.',
  )
})

it('money is only for who may see it, and the link to pay leads to the page', async () => {
  const { business, customerId } = await aSeason()
  await owes(business, customerId, 5000)
  await writes(business, 'how much do I owe?')
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
  const seen = await clerk.api.ok(answersApi.get, { params: { id: customerId } })
  expect([seen.values.balance, seen.values['pay link'], seen.missing.balance]).toEqual([
    null,
    null,
    'You do not see what customers owe.',
  ])
  expect(seen.suggestions.map(({ kind }) => kind)).toEqual(['visit'])
  expect((await clerk.api.call(answersApi.payLink, { params: { id: customerId } })).status).toBe(403)
  const [one, two] = [
    await business.api.ok(answersApi.payLink, { params: { id: customerId } }),
    await business.api.ok(answersApi.payLink, { params: { id: customerId } }),
  ]
  expect(one.url).toContain('/s/')
  expect(two).toEqual(one)
  expect(
    `${(await answersOf(business, customerId)).suggestions[0]?.text}`.replace('{pay link}', one.url).length,
  ).toBeLessThan(161)
})

it("another business's customer is not there", async () => {
  const [own, other] = [await aBusiness(), await aSeason()]
  expect((await own.api.call(answersApi.get, { params: { id: other.customerId } })).status).toBe(404)
  expect((await own.api.call(answersApi.payLink, { params: { id: other.customerId } })).status).toBe(404)
})

it('a text from a number that two share goes to whom was written to last, and who answers is told of the other', async () => {
  const { business, customerId } = await aSeason()
  const other = await aVisit(business, { day: addDays(start, 3), customer: 'Theo Hastings' })
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ phone })
      .where('businessId', '=', business.id)
      .where('id', '=', other.customerId)
      .execute(),
  )
  const wroteLast = async () => {
    await writes(business, 'When do you come?')
    const { items } = await business.api.ok(conversationsApi.thread, {
      params: { id: other.customerId },
      query: {},
    })
    return items.length
  }
  const before = await wroteLast()
  expect(before, 'nobody was written to: the older one').toBe(0)
  await business.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address: phone,
      dedupeKey: newId(),
      text: 'We come on Thursday.',
      customerId: other.customerId,
    }),
  )
  expect(await wroteLast()).toBe(2)
  const answers = await business.api.ok(answersApi.get, { params: { id: other.customerId } })
  expect(answers.sharedWith).toEqual([{ customerId, name: 'Rebecca Odom' }])
})
