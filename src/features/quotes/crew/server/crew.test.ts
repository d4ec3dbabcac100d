import sharp from 'sharp'
import { expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aCrew, aLawn, aVisit, publishDay, today } from '../../../../test/field.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { quotesApi } from '../../contract.ts'
import { crewQuotesApi } from '../contract.ts'

const photoOf = () =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#7c9444' } })
    .jpeg()
    .toBuffer()

it('a crew notes services, areas and photos at its stop, sees nothing of money, and the office prices it', async () => {
  const business = await aBusiness()
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const luis = await business.employee({ name: 'Luis Ortega' })
  const ana = await business.employee({ name: 'Ana Reyes' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { propertyId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 })
  await publishDay(business, crewId)
  const mow = services.find(({ category }) => category === 'mow')
  const elsewhere = await aLawn(business)

  const before = await luis.api.ok(crewQuotesApi.list, {})
  expect(before.places).toMatchObject([{ propertyId, street: '7 Bay St' }])
  expect((await ana.api.ok(crewQuotesApi.list, {})).places).toEqual([])

  const { id: photoId } = await luis.api.ok(crewQuotesApi.addPhoto, { body: await photoOf() })
  const lines = [{ serviceId: mow?.id ?? '', squareFeet: 9000 }]
  const noted = await luis.api.ok(crewQuotesApi.create, {
    body: { propertyId, lines, note: 'The back gate sticks', photoIds: [photoId] },
  })
  expect(JSON.stringify([before, noted, await luis.api.ok(crewQuotesApi.list, {})])).not.toMatch(/cents|price|cost|\$/i)
  expect((await luis.api.call(quotesApi.get, { params: { id: noted.id } })).status).toBe(403)

  // by the names that who reads Spanish knows, also of what is kept on the phone
  expect(before.services.find(({ id }) => id === mow?.id)).toMatchObject({ name: mow?.name, nameEs: mow?.nameEs })
  expect(mow?.nameEs).not.toBe('')
  expect(noted).toMatchObject({ services: [mow?.name], servicesEs: [mow?.nameEs] })

  const quote = await business.api.ok(quotesApi.get, { params: { id: noted.id } })
  expect(quote).toMatchObject({ status: 'draft', isCrewDraft: true, note: 'The back gate sticks', source: 'Crew' })
  expect(quote.content.lines[0]?.inputs?.squareFeet).toBe(9000)
  expect(quote.photos).toHaveLength(1)
  const { notifications } = await business.api.ok(notificationsApi.list, {})
  expect(notifications.map(({ title }) => title)).toContain('Luis Ortega noted Q-1001 at 7 Bay St')

  // it stands apart in the office's list and under "Needs you" until it is sent
  const list = await business.api.ok(quotesApi.list, { query: { view: 'noted' } })
  expect([list.items.map(({ id }) => id), list.counts.noted]).toEqual([[noted.id], 1])
  const mine = (need: { id: string }) => need.id === `quote:noted:${noted.id}`
  const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter(mine)
  expect(await needs()).toMatchObject([{ badge: 'From the crew', action: { label: 'Price it' } }])
  expect((await needs())[0]?.title).toMatch(/^Luis noted Q-1001 for /)
  // once it was sent, working on it again is the office's own
  const set = (values: object) =>
    business.db((db) => db.updateTable('quotes').set(values).where('businessId', '=', business.id).execute())
  await set({ revision: 2 })
  expect(await needs()).toEqual([])
  expect((await business.api.ok(quotesApi.list, { query: { view: 'noted' } })).counts.noted).toBe(0)
  expect((await business.api.ok(quotesApi.get, { params: { id: noted.id } })).isCrewDraft).toBe(false)
  await set({ revision: 1 })
  await business.db((db) =>
    db.updateTable('quotes').set({ status: 'archived' }).where('businessId', '=', business.id).execute(),
  )
  expect(await needs()).toEqual([])
  expect((await business.api.ok(quotesApi.list, { query: { view: 'noted' } })).counts.noted).toBe(0)

  for (const body of [
    { propertyId: elsewhere.propertyId, lines },
    { propertyId, lines: [{ serviceId: elsewhere.propertyId }] },
  ])
    expect((await luis.api.call(crewQuotesApi.create, { body })).status).toBe(404)
  expect((await ana.api.call(crewQuotesApi.create, { body: { propertyId, lines } })).status).toBe(404)
  const other = await business.api.call(crewQuotesApi.create, { body: { propertyId, lines, photoIds: [photoId] } })
  expect(other.status).toBe(404)
})

it('what a phone noted without a signal is a quote under its own id once, its photos follow it, and nobody else’s do', async () => {
  const business = await aBusiness()
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const luis = await business.employee({ name: 'Luis Ortega' })
  const ana = await business.employee({ name: 'Ana Reyes' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { propertyId, visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 })
  await publishDay(business, crewId)
  const noted = {
    propertyId,
    lines: [{ serviceId: services[0]?.id ?? '', quantity: 1, squareFeet: 9000 }],
    note: 'Two beds by the drive',
  }
  const command = (id: string) => ({ id, type: 'note_quote' as const, at: clock.iso(), payload: { noted } })
  const send = async (who: typeof luis, id: string) =>
    (await who.api.ok(crewappApi.commands, { body: { commands: [command(id)], sentAt: clock.iso() } })).results[0]
  // the office has given the stop to nobody and moved it far away meanwhile: the customer said it to Luis all the same
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ crewId: null, day: addDays(today(), 60) })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  const id = newId()
  expect(await send(luis, id)).toMatchObject({ result: 'applied' })
  expect(await send(luis, id)).toMatchObject({ result: 'duplicate' })
  expect(await send(ana, newId())).toMatchObject({ result: 'refused', reason: 'not_yours' })
  const photoId = newId()
  const add = async (who: typeof luis, photo: string) =>
    who.api.call(crewQuotesApi.addNotedPhoto, { params: { id }, query: { id: photo }, body: await photoOf() })
  expect((await add(luis, photoId)).status).toBe(200)
  expect((await add(luis, photoId)).status).toBe(200)
  expect((await add(ana, newId())).status).toBe(404)
  const quote = await business.api.ok(quotesApi.get, { params: { id } })
  expect(quote).toMatchObject({ status: 'draft', isCrewDraft: true, note: 'Two beds by the drive', source: 'Crew' })
  expect(quote.photos.map((one) => one.id)).toEqual([photoId])
  expect((await business.api.ok(quotesApi.list, { query: { view: 'noted' } })).items).toHaveLength(1)
  // a photo that comes after the office has sent it is not put before the customer: the phone keeps it and says so
  await business.db((db) => db.updateTable('quotes').set({ status: 'sent' }).where('id', '=', id).execute())
  expect((await add(luis, newId())).status).toBe(409)
  await business.db((db) => db.updateTable('quotes').set({ status: 'draft' }).where('id', '=', id).execute())
  // an id that is something else's is said in words; what the office took off the quote stays off
  const { id: others } = await ana.api.ok(crewQuotesApi.addPhoto, { body: await photoOf() })
  const reused = await add(luis, others)
  expect([reused.status, reused.text]).toEqual([409, expect.stringContaining('belongs to something else')])
  const { id: early } = await luis.api.ok(crewQuotesApi.addPhoto, { body: await photoOf() })
  expect((await add(luis, early)).status).toBe(200)
  const photosOf = async (quoteId: string) =>
    (await business.api.ok(quotesApi.get, { params: { id: quoteId } })).photos.map((one) => one.id)
  expect(await photosOf(id)).toEqual([photoId])
  // an older version of the app sent photos before the quote: its own stay with it, nobody else's come
  const old = newId()
  const older = { ...command(old), payload: { noted: { ...noted, photoIds: [early, others] } } }
  const { results } = await luis.api.ok(crewappApi.commands, { body: { commands: [older], sentAt: clock.iso() } })
  expect([results[0]?.result, await photosOf(old)]).toEqual(['applied', [early]])
})
