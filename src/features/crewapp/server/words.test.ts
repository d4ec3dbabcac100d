import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, testServer } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { noticesApi } from '../../notices/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { stopsApi } from '../../stops/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let maria: Person
let visitId: string
let propertyId: string
let customerId: string
let jobId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  maria = await business.employee({ name: 'Maria Lopez' })
  const crewId = await aCrew(business, { name: 'North', members: [luis, maria] })
  ;({ visitId, propertyId, customerId, jobId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 }))
  await publishDay(business, crewId)
})

type Payload = {
  note?: string
  customerNote?: { was: string; text: string }
  sawNote?: { was: string; text: string }
  didNote?: { was: string; text: string }
  expectNote?: { was: string; text: string }
  nextNote?: { was: string; text: string }
}
const aNote = (payload: Payload, id: string = newId()) => ({
  id,
  type: 'note' as const,
  visitId,
  at: clock.iso(),
  payload,
})
const send = async (who: Person, ...commands: ReturnType<typeof aNote>[]) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results
const stopOf = async (who: Person) =>
  (await who.api.ok(crewappApi.day, { query: {} })).days[0]?.stops.find(({ id }) => id === visitId)
const office = () => business.api.ok(visitsApi.get, { params: { visitId } })

/** A finished visit of the same property, so many days ago. */
const before = (daysAgo: number, more: { nextNote?: string; note?: string; lines?: boolean } = {}) =>
  business.db(async (db) => {
    const id = newId()
    const day = addDays(today(), -daysAgo)
    await db
      .insertInto('visits')
      .values({
        businessId: business.id,
        id,
        jobId,
        customerId,
        propertyId,
        occurrenceOn: day,
        day,
        status: 'completed',
        budgetMinutes: 30,
        priceCents: 0,
        finishedBy: maria.userId,
        finishedAt: `${day}T15:00:00Z`,
        nextNote: more.nextNote ?? '',
        note: more.note ?? '',
      })
      .execute()
    if (more.lines)
      await db
        .insertInto('visitLines')
        .values((eb) => ({
          businessId: business.id,
          id: newId(),
          visitId: id,
          unitPriceCents: 5500,
          serviceId: eb.selectFrom('visitLines').select('serviceId').where('visitId', '=', visitId).limit(1),
        }))
        .execute()
    return id
  })

it('has three parts, each for who reads it; the office hears what is for it, once', async () => {
  const note = aNote({
    note: 'Sprinkler head broken',
    customerNote: { was: '', text: 'The lawn looks great.' },
    nextNote: { was: '', text: 'Gate sticks' },
  })
  const [first] = await send(luis, note)
  expect(first).toMatchObject({
    result: 'applied',
    visit: { note: 'Sprinkler head broken', customerNote: 'The lawn looks great.', nextNote: 'Gate sticks' },
  })
  expect((await send(luis, note))[0]?.result).toBe('duplicate')
  await runTasks()
  expect(await office()).toMatchObject({
    note: 'Sprinkler head broken',
    customerNote: 'The lawn looks great.',
    nextNote: 'Gate sticks',
  })
  const { notifications } = await business.api.ok(notificationsApi.list, { query: {} })
  expect(notifications.map(({ title, content }) => [title, content])).toEqual([
    ['Luis wrote about 7 Bay St', 'Sprinkler head broken'],
  ])
  // What is for the customer alone is no news for the office.
  await send(luis, aNote({ customerNote: { was: 'The lawn looks great.', text: 'It wants water.' } }))
  await runTasks()
  expect((await business.api.ok(notificationsApi.list, { query: {} })).notifications).toHaveLength(1)
  expect((await office()).customerNote).toBe('It wants water.')
})

it('keeps the words of both who wrote without a signal, and refuses a note that says nothing', async () => {
  await send(luis, aNote({ nextNote: { was: '', text: 'Gate sticks' } }))
  await send(maria, aNote({ nextNote: { was: '', text: 'Dog is out in the morning' } }))
  expect((await stopOf(luis))?.nextNote).toBe('Gate sticks\nDog is out in the morning')
  expect((await send(luis, aNote({})))[0]).toMatchObject({ result: 'refused', reason: 'invalid' })
  const tooLong = aNote({ nextNote: { was: '', text: 'x'.repeat(2001) } })
  expect((await luis.api.call(crewappApi.commands, { body: { commands: [tooLong] } })).status).toBe(422)
})

it('is put right by the office, also when the visit is over, and can be undone', async () => {
  await send(luis, aNote({ customerNote: { was: '', text: 'Lawn is dri' } }))
  await business.db((db) =>
    db.updateTable('visits').set({ status: 'completed' }).where('businessId', '=', business.id).execute(),
  )
  const { version } = await office()
  const after = await business.api.ok(visitsApi.note, {
    params: { visitId },
    body: { customerNote: 'The lawn is dry.', version },
  })
  expect(after).toMatchObject({ customerNote: 'The lawn is dry.' })
  expect(after.history[0]?.text).toBe('Changed the note for the customer')
  const stale = await business.api.call(visitsApi.note, { params: { visitId }, body: { nextNote: 'x', version } })
  expect(stale.status).toBe(409)
  const back = await business.api.ok(visitsApi.undo, { params: { visitId }, body: { version: after.version } })
  expect(back.customerNote).toBe('Lawn is dri')
})

it('shows the next crew the last time: the same work first, who it was, its words and two small photos', async () => {
  expect((await stopOf(luis))?.last).toBeNull()
  const same = await before(14, { nextNote: 'Gate sticks', note: 'Told the office', lines: true })
  const other = await before(3, { note: 'Sprayed' })
  expect((await stopOf(luis))?.last).toEqual({
    visitId: same,
    day: addDays(today(), -14),
    by: 'Maria',
    text: 'Gate sticks',
    photoIds: [],
  })
  await business.db((db) =>
    db.deleteFrom('visits').where('businessId', '=', business.id).where('id', '=', same).execute(),
  )
  expect((await stopOf(luis))?.last).toMatchObject({ visitId: other, text: 'Sprayed' })
})

it('hands out small photos of the last times to the crew of those stops, and to nobody else', async () => {
  const crewId = await aCrew(business, { members: [maria] })
  const last = await aVisit(business, { crewId, status: 'completed' })
  await publishDay(business, crewId)
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#3b7d3b' } })
    .jpeg()
    .toBuffer()
  const ids = [newId(), newId(), newId()]
  for (const id of ids)
    await maria.api.ok(crewappApi.addPhoto, {
      params: { visitId: last.visitId },
      query: { id, kind: id === ids[0] ? 'after' : 'before' },
      body: photo,
    })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ propertyId, day: addDays(today(), -7) })
      .where('businessId', '=', business.id)
      .where('id', '=', last.visitId)
      .execute(),
  )
  const shown = (await stopOf(luis))?.last?.photoIds ?? []
  expect(shown).toHaveLength(2)
  expect(shown[0]).toBe(ids[0])
  const { photos } = await luis.api.ok(crewappApi.lastPhotos, {})
  expect(photos.map(({ id }) => id).sort()).toEqual([...shown].sort())
  const got = await (await testServer()).inject(photos[0]?.url ?? '')
  const { width } = await sharp(got.rawPayload).metadata()
  expect(width).toBe(400)
  expect(got.rawPayload.byteLength).toBeLessThan(20_000)
  const stranger = await business.employee({ name: 'Pat Stranger' })
  expect((await stranger.api.ok(crewappApi.lastPhotos, {})).photos).toEqual([])
})

it('has phrases of the business, with those that most begin with', async () => {
  const { phrases } = await luis.api.ok(crewappApi.day, { query: {} })
  expect(phrases?.length).toBeGreaterThan(5)
  const { version } = await business.api.ok(stopsApi.settings, {})
  const own = [{ id: 'mine', part: 'saw' as const, en: 'See you next week.', es: 'Hasta la próxima semana.' }]
  await business.api.ok(stopsApi.saveSettings, { body: { phrases: own, version } })
  expect((await luis.api.ok(crewappApi.day, { query: {} })).phrases).toEqual(own)
  const stale = await business.api.call(stopsApi.saveSettings, { body: { phrases: [], version } })
  expect(stale.status).toBe(409)
  const twice = await business.api.call(stopsApi.saveSettings, {
    body: { phrases: [own[0]!, own[0]!], version: version + 1 },
  })
  expect(twice.status).toBe(422)
})

it('reaches the customer on the page of the finished visit, and nothing of the other parts does', async () => {
  await send(
    luis,
    aNote({
      note: 'Only the office',
      customerNote: { was: '', text: 'The lawn <b>is</b> dry.' },
      nextNote: { was: '', text: 'Only the crew' },
    }),
  )
  const { url } = await business.api.ok(noticesApi.link, { params: { visitId } })
  const page = async () => (await (await testServer()).inject(new URL(url).pathname)).body
  expect(await page()).not.toContain('is&lt;/b&gt; dry.')
  await business.db((db) =>
    db.updateTable('visits').set({ status: 'completed', finishedAt: clock.iso() }).where('id', '=', visitId).execute(),
  )
  await business.api.ok(invoicesApi.createBatch, { body: { send: true, grouping: 'visit' } })
  const { invoice } = await office()
  const { publicPath } = await business.api.ok(invoicesApi.get, { params: { id: invoice?.id ?? '' } })
  const token = publicPath?.split('/').at(-1) ?? ''
  const paper = await business.api.ok(paymentsApi.publicInvoice, { params: { token } })
  expect(paper.words).toEqual([{ day: today(), place: '7 Bay St', text: 'The lawn <b>is</b> dry.' }])
  const shown = await page()
  expect(shown).toContain('The lawn &lt;b&gt;is&lt;/b&gt; dry.')
  expect(shown).not.toContain('Only the')
})

it('says to the customer what was seen, what was done and what to expect, below words of the customer’s language', async () => {
  const parts = {
    sawNote: { was: '', text: 'Maleza junto a la entrada.' },
    didNote: { was: '', text: 'Cortamos más alto.' },
    expectNote: { was: '', text: 'Menos maleza en dos semanas.' },
  }
  expect((await send(luis, aNote(parts)))[0]).toMatchObject({
    result: 'applied',
    visit: { sawNote: parts.sawNote.text, didNote: parts.didNote.text, expectNote: parts.expectNote.text },
  })
  // Two phones without a signal: the words of both stand in the part that both wrote.
  await send(maria, aNote({ didNote: { was: '', text: 'Recortamos el seto.' } }))
  await business.db((db) =>
    db.updateTable('visits').set({ status: 'completed', finishedAt: clock.iso() }).where('id', '=', visitId).execute(),
  )
  await business.db((db) => db.updateTable('customers').set({ language: 'es' }).where('id', '=', customerId).execute())
  const putRight = async (expectNote: string) =>
    business.api.ok(visitsApi.note, { params: { visitId }, body: { expectNote, version: (await office()).version } })
  const after = await putRight('Nada.')
  expect(after.history[0]?.text).toBe('Changed the note for the customer')
  const back = await business.api.ok(visitsApi.undo, { params: { visitId }, body: { version: after.version } })
  expect(back.expectNote).toBe(parts.expectNote.text)
  await putRight('Casi sin maleza en dos semanas.')
  const { url } = await business.api.ok(noticesApi.link, { params: { visitId } })
  const page = (await (await testServer()).inject(new URL(url).pathname)).body
  const said =
    'Lo que vimos: Maleza junto a la entrada.\nLo que hicimos: Cortamos más alto.\nRecortamos el seto.\nQué esperar: Casi sin maleza en dos semanas.'
  expect(page).toContain(said)
  await business.api.ok(invoicesApi.createBatch, { body: { send: true, grouping: 'visit' } })
  const { invoice } = await office()
  const { publicPath } = await business.api.ok(invoicesApi.get, { params: { id: invoice?.id ?? '' } })
  const paper = await business.api.ok(paymentsApi.publicInvoice, {
    params: { token: publicPath?.split('/').at(-1) ?? '' },
  })
  expect(paper.words[0]?.text).toBe(said)
})
