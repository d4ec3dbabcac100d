import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf, instantAt } from '../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today, type VisitChanges } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { contactsApi } from '../../customers/contacts/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { suppress } from '../../messages/server/commands.ts'
import { visitsApi } from '../../visits/contract.ts'
import { noticesApi } from '../contract.ts'
import { dayWords } from '../rules.ts'
import { measureOnce, remindCustomers } from './commands.ts'
import { listDueReminders } from './queries.ts'

const zone = 'America/New_York'
const start = dayOf(Date.now(), zone)
/** A wall clock of the business; `ahead` days after the test began. */
const at = (minute: number, ahead = 0) => setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
beforeEach(() => at(600))
afterEach(resetClock)

/** The owner's API with a token of the test's own time. */
const office = (business: TestBusiness) => apiFor(business.owner)

const aTown = async () => {
  const business = await aBusiness({ workDays: everyDay })
  await business.db((db) =>
    db.updateTable('businesses').set({ reminders: 'all' }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  const reach = (
    customerId: string,
    changes: { phone?: string | null; email?: string | null; language?: string } = {},
  ) =>
    business.db((db) =>
      db
        .updateTable('customers')
        .set({
          phone: `+1912555${String(Math.floor(Math.random() * 9000) + 1000)}`,
          email: `${newId()}@test.swath.test`,
          updatedAt: clock.iso(),
          ...changes,
        })
        .where('id', '=', customerId)
        .execute(),
    )
  const visit = async (changes: VisitChanges & { reached?: Parameters<typeof reach>[1] } = {}) => {
    const made = await aVisit(business, { day: addDays(today(), 1), crewId, position: 1, startMinute: 600, ...changes })
    await reach(made.customerId, changes.reached)
    return made
  }
  const messages = () =>
    business.db((db) =>
      db
        .selectFrom('messages')
        .select(['channel', 'bodyText as text', 'bodyHtml as html', 'status', 'customerId', 'subject'])
        .where('businessId', '=', business.id)
        .where('direction', '=', 'outbound')
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
    )
  const remind = () => remindCustomers(systemActor(business.id))
  return { business, crewId, visit, reach, messages, remind }
}

/** Lets what is held for some minutes run: the queue's clock is the database's. */
const afterTheHold = async (business: TestBusiness) => {
  await runTasks()
  const now = clock.nowMs() + 6 * 60_000
  setClock(() => new Date(now))
  await ownerPool().query('update graphile_worker._private_jobs set run_at = now() where key like $1', [
    `notices.moved:${business.id}:%`,
  ])
  await runTasks()
}

const move = async (business: TestBusiness, visitId: string, day: string | null, crewId: string | null) =>
  (await office(business)).ok(visitsApi.move, { params: { visitId }, body: { day, crewId } as never })

describe('the day before', () => {
  it('is told once, from the hour that the business set, with the window of the plan and the page', async () => {
    const { visit, messages, remind } = await aTown()
    const { customerId } = await visit({ customer: 'Rebecca Odom' })
    at(1019)
    expect(await remind()).toBe(0)
    at(1020)
    expect([await remind(), await remind()]).toEqual([1, 0])
    const [sent, ...more] = await messages()
    expect(more).toEqual([])
    const day = dayWords(addDays(start, 1), 'en')
    expect(sent).toMatchObject({ channel: 'sms', customerId })
    expect(sent?.text).toMatch(
      new RegExp(
        `^Green Test Lawns: we come ${day}, 8 AM to 12 PM: Mow, edge, blow\\. Please leave the gate open\\. http\\S+/visit/[\\w-]{43} Reply STOP to opt out\\.$`,
      ),
    )
  })

  it('reaches a contact who gets notices of visits, too, and not one who gets invoices', async () => {
    const { business, visit, remind, messages } = await aTown()
    const { customerId } = await visit()
    const api = await office(business)
    const add = (body: object) =>
      api.ok(contactsApi.add, { params: { id: customerId }, body: { name: 'Beth Cole', ...body } })
    await add({ email: 'tenant@oak.test', visitsBy: 'email' })
    await add({ email: 'bills@oak.test', invoicesBy: 'email' })
    at(18 * 60)
    await remind()
    await remind()
    expect((await messages()).map((m) => m.channel).sort()).toEqual(['email', 'sms'])
  })

  it('is made up for after a standstill, but not in quiet hours', async () => {
    const { visit, remind } = await aTown()
    await visit()
    at(1260)
    expect(await remind()).toBe(0)
    at(1259)
    expect(await remind()).toBe(1)
  })

  it('two visits of one customer are one message; one that is put there later has its own', async () => {
    const { business, crewId, visit, messages, remind } = await aTown()
    const first = await visit({ startMinute: 540 })
    const second = await visit({ startMinute: 780 })
    await business.db((db) =>
      db.updateTable('visits').set({ customerId: first.customerId }).where('id', '=', second.visitId).execute(),
    )
    at(1020)
    expect(await remind()).toBe(1)
    expect((await messages())[0]?.text).toContain('7 AM to 3 PM')
    const third = await visit({ day: addDays(start, 9) })
    await move(business, third.visitId, addDays(start, 1), crewId)
    expect([await remind(), (await messages()).length]).toEqual([1, 2])
    // a place without a plan is told without a time
    expect((await messages())[1]?.text).not.toMatch(/AM|PM/)
  })

  it('nobody hears of a visit without a crew, of one whose crew is off, or who does not want to', async () => {
    const { business, visit, remind } = await aTown()
    const off = await aCrew(business, { name: 'South', workDays: everyDay })
    await visit({ crewId: null })
    await visit({ crewId: off })
    await visit({ status: 'canceled' })
    await visit({ reached: { phone: null, email: null } })
    const muted = await visit()
    await business.db((db) =>
      db
        .insertInto('crewDaysOff')
        .values({ businessId: business.id, id: newId(), crewId: off, day: addDays(start, 1), reason: 'rain' })
        .execute(),
    )
    const kept = await (await office(business)).ok(noticesApi.update, {
      params: { id: muted.customerId },
      body: { kind: 'reminder', wanted: false },
    })
    expect(kept.muted).toEqual(['reminder'])
    at(1020)
    expect(await remind()).toBe(0)
    await (await office(business)).ok(noticesApi.update, {
      params: { id: muted.customerId },
      body: { kind: 'reminder', wanted: true },
    })
    expect(await remind()).toBe(1)
  })

  it('whom nothing reaches is not tried every ten minutes, but at once when there is a number, and after an hour', async () => {
    const { business, visit, remind } = await aTown()
    const nothing = { phone: null, email: null }
    const { customerId } = await visit({ reached: nothing })
    await visit({ reached: nothing })
    const due = async () =>
      (await business.db((db) => listDueReminders(db, addDays(start, 1), 'all'))).map((one) => one.customerId)
    at(1020)
    expect([(await due()).length, await remind()]).toEqual([2, 0])
    at(1030)
    expect(await due()).toEqual([])
    const api = await office(business)
    const { version } = await api.ok(customersApi.get, { params: { id: customerId } })
    await api.ok(customersApi.update, { params: { id: customerId }, body: { version, phone: '(912) 555-0142' } })
    expect(await due()).toEqual([customerId])
    expect(await remind()).toBe(1)
    expect(await due()).toEqual([])
    at(1081)
    expect((await due()).length).toBe(1)
  })

  it('two people who switch different notices of one customer both get what they asked for', async () => {
    const { business, visit } = await aTown()
    const { customerId } = await visit()
    const put = async (kind: 'reminder' | 'moved', wanted: boolean) =>
      (await office(business)).ok(noticesApi.update, { params: { id: customerId }, body: { kind, wanted } })
    await Promise.all([put('reminder', false), put('moved', false)])
    expect((await put('moved', false)).muted.toSorted()).toEqual(['moved', 'reminder'])
    expect((await put('moved', true)).muted).toEqual(['reminder'])
  })

  it('mowing by a rule is left out unless all is wanted; everything is off when it is off', async () => {
    const { business, visit, remind } = await aTown()
    const { jobId } = await visit()
    const set = (reminders: 'off' | 'some' | 'all') =>
      business.db((db) =>
        db.updateTable('businesses').set({ reminders }).where('businessId', '=', business.id).execute(),
      )
    await business.db((db) =>
      db
        .updateTable('jobLines')
        .set({ onceOn: null, recurrence: JSON.stringify({ freq: 'week' }) })
        .where('jobId', '=', jobId)
        .execute(),
    )
    at(1020)
    await set('off')
    expect(await remind()).toBe(0)
    await set('some')
    expect(await remind()).toBe(0)
    await visit()
    expect(await remind()).toBe(1)
    await set('all')
    expect(await remind()).toBe(1)
  })

  it('goes by mail to who said STOP, and in Spanish to who reads Spanish', async () => {
    const { business, visit, messages, remind } = await aTown()
    const { customerId } = await visit({ reached: { phone: '+19125550177', language: 'es' } })
    await business.db((db) => suppress(db, 'sms', '+19125550177', 'all', 'Replied STOP'))
    expect(await (await office(business)).ok(noticesApi.get, { params: { id: customerId } })).toMatchObject({
      channel: 'email',
      why: 'Replied STOP',
    })
    at(1020)
    await remind()
    const [sent] = await messages()
    expect(sent).toMatchObject({
      channel: 'email',
      subject: `Green Test Lawns: su visita del ${dayWords(addDays(start, 1), 'es')}`,
    })
    expect(sent?.text).toMatch(/le visitamos .*8 AM a 12 PM/)
    expect(sent?.html).toContain('Ver su visita')
  })

  it('is said in the words of the business, which are checked', async () => {
    const { business, visit, messages, remind } = await aTown()
    const save = async (noticeTexts: Record<string, string>) => {
      const { version } = await (await office(business)).ok(businessesApi.get, {})
      return (await office(business)).call(businessesApi.update, { body: { version, noticeTexts } })
    }
    expect(await save({ 'reminder.en': '{business} {when} {gate}' })).toMatchObject({ status: 422 })
    expect(await save({ 'reminder.en': 'Hi {first_name}! {business} {when}' })).toMatchObject({ status: 200 })
    await visit({ customer: 'Ann $& {link}' })
    at(1020)
    await remind()
    expect((await messages())[0]?.text).toMatch(/^Hi Ann! Green Test Lawns \w{3}, /)
  })

  it('an hour in quiet hours is refused', async () => {
    const { business } = await aTown()
    const { version } = await (await office(business)).ok(businessesApi.get, {})
    const answer = await (await office(business)).call(businessesApi.update, {
      body: { version, reminderMinute: 1300 },
    })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, 'reminderMinute'])
  })

  it('comes in the night in which clocks change', async () => {
    const { visit, remind } = await aTown()
    setClock(() => new Date('2028-03-11T22:00:00Z'))
    await visit({ day: '2028-03-12' })
    expect(await remind()).toBe(1)
    setClock(() => new Date('2028-02-28T22:00:00Z'))
    await visit({ day: '2028-02-29' })
    expect(await remind()).toBe(1)
  })
})

describe('a move', () => {
  it('is told five minutes later, once however often the visit moves, and not when it is taken back', async () => {
    const { business, crewId, visit, messages, remind } = await aTown()
    const [kept, moved, untold] = [await visit(), await visit(), await visit({ day: addDays(start, 3) })]
    at(1020)
    await remind()
    const told = (await messages()).length
    for (const ahead of [4, 5, 6]) await move(business, moved.visitId, addDays(start, ahead), crewId)
    const { version } = await move(business, kept.visitId, addDays(start, 4), crewId)
    await move(business, untold.visitId, addDays(start, 4), crewId)
    await runTasks()
    expect((await messages()).length).toBe(told)
    await (await office(business)).ok(visitsApi.undo, { params: { visitId: kept.visitId }, body: { version } })
    await afterTheHold(business)
    const [notice, ...more] = (await messages()).slice(told)
    expect(more).toEqual([])
    expect(notice).toMatchObject({ customerId: moved.customerId })
    expect(notice?.text).toContain(
      `Green Test Lawns: your visit of ${dayWords(addDays(start, 1), 'en')} is now on ${dayWords(addDays(start, 6), 'en')}.`,
    )
    // the next one of that day waits for the morning, and says where the visit is then
    await move(business, moved.visitId, addDays(start, 7), crewId)
    await afterTheHold(business)
    await move(business, moved.visitId, addDays(start, 8), crewId)
    await afterTheHold(business)
    expect((await messages()).length).toBe(told + 1)
    at(490, 1)
    await afterTheHold(business)
    const late = (await messages()).slice(told + 1)
    expect(late.length).toBe(1)
    expect(late[0]?.text).toContain(`is now on ${dayWords(addDays(start, 8), 'en')}`)
  })

  it('one that is canceled or left without a day is told so, and its new day when it has one', async () => {
    const { business, crewId, visit, messages, remind } = await aTown()
    const [canceled, waiting] = [await visit(), await visit()]
    at(1020)
    await remind()
    await (await office(business)).ok(visitsApi.cancel, {
      params: { visitId: canceled.visitId },
      body: { reason: 'Paving' } as never,
    })
    await move(business, waiting.visitId, null, null)
    await afterTheHold(business)
    const said = (await messages()).slice(2).map((one) => one.text)
    expect(said.length).toBe(2)
    expect(said.join()).toMatch(/is canceled.*we cannot come on|we cannot come on.*is canceled/s)
    expect(said.join()).not.toContain('Paving')
    at(590, 1)
    await move(business, waiting.visitId, addDays(start, 6), crewId)
    await afterTheHold(business)
    expect((await messages()).at(-1)?.text).toContain(`your visit is now on ${dayWords(addDays(start, 6), 'en')}`)
  })

  it('waits for the morning in quiet hours, and is not told at all when it is off or muted', async () => {
    const { business, crewId, visit, messages, remind } = await aTown()
    const { visitId, customerId } = await visit()
    at(1020)
    await remind()
    at(1290)
    await move(business, visitId, addDays(start, 5), crewId)
    await afterTheHold(business)
    expect((await messages()).length).toBe(1)
    await (await office(business)).ok(noticesApi.update, {
      params: { id: customerId },
      body: { kind: 'moved', wanted: false },
    })
    at(485, 1)
    await afterTheHold(business)
    expect((await messages()).length).toBe(1)
    await (await office(business)).ok(noticesApi.update, {
      params: { id: customerId },
      body: { kind: 'moved', wanted: true },
    })
    await move(business, visitId, addDays(start, 6), crewId)
    await afterTheHold(business)
    expect((await messages()).length).toBe(2)
  })
})

describe('on the way', () => {
  const leave = async (visitId: string, person: Person, when = clock.iso()) =>
    (await apiFor(person)).ok(crewappApi.commands, {
      body: { commands: [{ id: newId(), type: 'en_route', visitId, at: when, payload: {} }], sentAt: clock.iso() },
    })
  const aDay = async () => {
    const town = await aTown()
    const person = await town.business.employee({ name: 'Ann Lee' })
    await town.business.db((db) =>
      db
        .insertInto('crewMembers')
        .values({
          businessId: town.business.id,
          id: newId(),
          crewId: town.crewId,
          userId: person.userId,
          validFrom: addDays(start, -9),
        })
        .execute(),
    )
    return { ...town, person }
  }

  it('is told the first time only, with the crew and the page', async () => {
    const { business, crewId, visit, messages, person } = await aDay()
    const { visitId } = await visit({ day: start })
    await publishDay(business, crewId)
    await leave(visitId, person)
    await runTasks()
    await leave(visitId, person)
    await runTasks()
    const sent = await messages()
    expect(sent.length).toBe(1)
    expect(sent[0]?.text).toMatch(/^Green Test Lawns: North is on the way to you\. Follow the visit: http\S+\/visit\//)
  })

  it('not when the phone says it half an hour late; by mail when it is too early for a text', async () => {
    const { business, crewId, visit, messages, person } = await aDay()
    const [old, early] = [await visit({ day: start }), await visit({ day: start, position: 2 })]
    await publishDay(business, crewId)
    await leave(old.visitId, person, new Date(clock.nowMs() - 30 * 60_000).toISOString())
    await runTasks()
    expect(await messages()).toEqual([])
    at(400)
    await leave(early.visitId, person)
    await runTasks()
    expect((await messages()).map((one) => one.channel)).toEqual(['email'])
  })
})

describe('how far visits are from their plan', () => {
  it('is what nine of ten were off by, and counts from twenty starts on', async () => {
    const { business, crewId, visit } = await aTown()
    const off = [5, 5, 5, 5, 5, 5, 5, 5, -20, 60]
    const start20 = [...off, ...off]
    for (const [n, minutes] of start20.entries()) {
      const day = addDays(start, -1 - Math.floor(n / 10))
      const { visitId } = await visit({ day, status: 'completed', position: n + 1, startMinute: 540 })
      await business.db((db) =>
        db
          .updateTable('visits')
          .set({
            publishedDay: day,
            publishedCrewId: crewId,
            publishedStartMinute: 540,
            startedAt: instantAt(day, 540 + minutes, zone),
            finishedAt: instantAt(day, 640, zone),
          })
          .where('id', '=', visitId)
          .execute(),
      )
      if (n === 18) {
        await measureOnce(systemActor(business.id))
        expect(await (await office(business)).ok(businessesApi.get, {})).toMatchObject({
          arrivalErrorMinutes: null,
          arrivalStarts: 19,
        })
      }
    }
    at(590, 1)
    await measureOnce(systemActor(business.id))
    expect(await (await office(business)).ok(businessesApi.get, {})).toMatchObject({
      arrivalErrorMinutes: 20,
      arrivalStarts: 20,
    })
  })
})

it('a customer of another business is nobody', async () => {
  const [own, other] = [await aTown(), await aTown()]
  const { customerId, visitId } = await other.visit()
  expect((await (await office(own.business)).call(noticesApi.get, { params: { id: customerId } })).status).toBe(404)
  expect(
    (
      await (
        await office(own.business)
      ).call(noticesApi.update, { params: { id: customerId }, body: { kind: 'moved', wanted: true } })
    ).status,
  ).toBe(404)
  expect((await (await office(own.business)).call(noticesApi.link, { params: { visitId } })).status).toBe(404)
})
