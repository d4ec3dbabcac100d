import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { linkToken } from '../../../../platform/links.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { stranger } from '../../../../test/api.ts'
import { ago, aProduct, aRecord } from '../../../../test/chemicals.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, type VisitChanges } from '../../../../test/field.ts'
import { recordsApi } from '../../../chemicals/records/contract.ts'
import { dayWords } from '../../rules.ts'

const zone = 'America/New_York'
const start = dayOf(Date.now(), zone)
const at = (minute: number, ahead = 0) => setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
beforeEach(() => at(500))
afterEach(resetClock)

const aDay = async () => {
  const business = await aBusiness({ name: 'Palmetto <b>& Pine', workDays: everyDay })
  const crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  const visit = (changes: VisitChanges) => aVisit(business, { day: start, crewId, ...changes })
  return { business, crewId, visit }
}

const read = async (business: TestBusiness, visitId: string) => {
  const token = await business.db((db) => linkToken(db, 'visit', visitId))
  const answer = await stranger.raw({ method: 'GET', url: `/visit/${token}` })
  const text = answer.text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
  return { ...answer, token, words: text }
}

const set = (business: TestBusiness, visitId: string, fields: object) =>
  business.db((db) => db.updateTable('visits').set(fields).where('id', '=', visitId).execute())

it('says whom to expect when and how many stops are before it, and nothing of anybody else', async () => {
  const { business, crewId, visit } = await aDay()
  await visit({ position: 1, startMinute: 480, customer: 'Carl Secret', street: '1 Hidden Way', status: 'completed' })
  await visit({ position: 2, startMinute: 540, customer: 'Dora Secret', street: '2 Hidden Way', gateCode: '4711#' })
  const { visitId } = await visit({ position: 3, startMinute: 600, customer: 'Rebecca Odom', priceCents: 471_100 })
  await visit({ position: 4, startMinute: 660, customer: 'Emma Secret', street: '3 Hidden Way' })
  await publishDay(business, crewId)
  const { status, headers, words, text } = await read(business, visitId)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(words).toContain('Palmetto &lt;b&gt;&amp; Pine')
  expect(words).toContain('1 stop before you')
  expect(words).toMatch(/We expect to arrive 8:?\d* AM to 12 PM/)
  expect(words).toContain('Crew North')
  expect(text).not.toMatch(/Secret|Hidden|4711|\$/)
})

it('follows the visit: moved, on the way, here, done with photos, skipped with the reason, canceled', async () => {
  const { business, visit } = await aDay()
  const { visitId } = await visit({ position: 1, startMinute: 600 })
  const words = async () => (await read(business, visitId)).words
  const [ten, noon] = [instantAt(start, 600, zone), instantAt(start, 720, zone)]
  await set(business, visitId, { movedFrom: addDays(start, -1) })
  expect(await words()).toContain(`Now on ${dayWords(start, 'en')}, not ${dayWords(addDays(start, -1), 'en')}`)
  await set(business, visitId, { status: 'en_route', enRouteAt: ten })
  expect(await words()).toContain('On the way since 10:00 AM')
  // A window beside it would say another time than now.
  expect(await words()).not.toContain('We expect to arrive')
  expect(await words()).not.toContain('The time is set')
  await set(business, visitId, { status: 'in_progress', startedAt: ten })
  expect(await words()).toContain('Here since 10:00 AM')
  await set(business, visitId, { status: 'completed', finishedAt: noon, note: 'Left the blower, charge more' })
  const fileId = newId()
  await business.db(async (db) => {
    await db
      .insertInto('files')
      .values({
        businessId: business.id,
        id: fileId,
        kind: 'photo',
        mime: 'image/jpeg',
        byteCount: 1,
        sha256: 'x',
        storageKey: 'x',
      })
      .execute()
    await db
      .insertInto('visitPhotos')
      .values({ businessId: business.id, id: newId(), visitId, fileId, kind: 'after' })
      .execute()
  })
  const done = await read(business, visitId)
  expect(done.words).toContain('Done at 12:00 PM')
  expect(done.words).not.toContain('charge more')
  expect(done.text).toContain(`/api/f/${business.id}/${fileId}/`)
  await business.db((db) =>
    db.updateTable('businesses').set({ sharePhotos: false }).where('businessId', '=', business.id).execute(),
  )
  expect((await read(business, visitId)).text).not.toContain('/api/f/')
  await set(business, visitId, { status: 'skipped', skipReason: 'locked_gate', skipNote: 'Angry neighbor' })
  expect(await words()).toMatch(/Not done this time The gate was locked\./)
  expect(await words()).not.toContain('neighbor')
  const again = await visit({ day: addDays(start, 2) })
  await set(business, again.visitId, { rebookedFrom: visitId })
  expect(await words()).toContain(`We come again on ${dayWords(addDays(start, 2), 'en', true)}.`)
  await set(business, visitId, { status: 'canceled' })
  expect(await words()).toContain('Canceled')
  await set(business, visitId, { status: 'unscheduled', day: null })
  expect(await words()).toContain('The new day is not set yet.')
})

it('moves its time with a crew that is late', async () => {
  const { business, crewId, visit } = await aDay()
  const first = await visit({ position: 1, startMinute: 480 })
  const { visitId } = await visit({ position: 2, startMinute: 600 })
  await publishDay(business, crewId)
  await business.db((db) =>
    db.updateTable('businesses').set({ arrivalErrorMinutes: 25 }).where('businessId', '=', business.id).execute(),
  )
  expect((await read(business, visitId)).words).toContain('9:30 AM to 10:30 AM')
  await set(business, first.visitId, { status: 'in_progress', startedAt: instantAt(start, 550, zone) })
  at(560)
  expect((await read(business, visitId)).words).toContain('10:30 AM to 12 PM')
  // The times of a route that is sent now begin where the crew is: what it was late is in them.
  await business.db((db) =>
    db
      .updateTable('routes')
      .set({ publishedAt: instantAt(start, 558, zone) })
      .where('businessId', '=', business.id)
      .execute(),
  )
  expect((await read(business, visitId)).words).toContain('9:30 AM to 10:30 AM')
})

it('says what was put on the lawn, where the label is, and until when to keep off', async () => {
  resetClock()
  const business = await aBusiness({ workDays: everyDay })
  const { visitId, customerId } = await aVisit(business, { status: 'completed' })
  expect((await read(business, visitId)).words).not.toContain('Keep people')
  const { id } = await aProduct(business.api)
  const [startedAt, endedAt] = [ago(30), ago(10)]
  const body = aRecord(id, business.owner.userId, { startedAt, endedAt })
  await business.api.ok(recordsApi.add, { params: { visitId }, body })
  const { words, text } = await read(business, visitId)
  expect(words).toMatch(/Keep people and pets off until \d+:\d\d [AP]M, \w+/)
  expect(words).toContain('Applied to your lawn Trimec Classic Label')
  expect(text).toContain('href="https://labels.example/trimec.pdf"')
  await business.db((db) => db.updateTable('customers').set({ language: 'es' }).where('id', '=', customerId).execute())
  expect((await read(business, visitId)).words).toContain('Personas y mascotas fuera hasta')
})

it('shows both visits of a day to their customer, in the language of the customer', async () => {
  const { business, visit } = await aDay()
  const [one, two] = [await visit({ position: 1, startMinute: 600 }), await visit({ position: 2, startMinute: 700 })]
  await set(business, two.visitId, { customerId: one.customerId, status: 'canceled' })
  expect((await read(business, one.visitId)).words).not.toContain('Also that day')
  await set(business, two.visitId, { status: 'in_progress', startedAt: instantAt(start, 490, zone) })
  expect((await read(business, one.visitId)).words).toMatch(/Planned for today.*Also that day.*Here since 8:10 AM/)
  await business.db((db) =>
    db.updateTable('customers').set({ language: 'es' }).where('id', '=', one.customerId).execute(),
  )
  const spanish = await read(business, one.visitId)
  expect(spanish.words).toMatch(/Planeada para hoy.*También ese día/)
  expect(spanish.text).toContain('<html lang="es">')
})

it('is the same 404 for a forged link, the link of something else, and one whose visit was some days ago', async () => {
  const { business, visit } = await aDay()
  const { visitId } = await visit({})
  const { token } = await read(business, visitId)
  const invoice = await business.db((db) => linkToken(db, 'invoice', visitId))
  const ask = async (path: string) => {
    const { status, text, headers } = await stranger.raw({ method: 'GET', url: `/visit/${path}` })
    return [status, text, headers['cache-control']]
  }
  const forged = await ask(`${token.slice(0, -1)}_`)
  expect(forged[0]).toBe(404)
  expect(forged[1]).toContain('This link shows no visit')
  expect([await ask(invoice), await ask('x'), await ask('hidden')]).toEqual([forged, forged, forged])
  at(500, 5)
  expect((await ask(token))[0]).toBe(200)
  at(500, 6)
  expect(await ask(token)).toEqual(forged)
  at(500)
  await business.db((db) => db.deleteFrom('visits').where('id', '=', visitId).execute())
  expect(await ask(token)).toEqual(forged)
})

it('needs nothing of another origin, and only one script of our own', async () => {
  const { business, visit } = await aDay()
  const { text } = await read(business, (await visit({})).visitId)
  expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/visit.js" defer="">'])
  expect(readFileSync('web/public/visit.js', 'utf8')).not.toMatch(/innerHTML|https?:/)
  expect(text).not.toMatch(/(src|href)="https?:/)
})
