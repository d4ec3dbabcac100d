import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { checksApi, type TruckCheck } from '../../equipment/checks/contract.ts'
import { usualItems } from '../../equipment/checks/rules.ts'
import { equipmentApi } from '../../equipment/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { crewappApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string
let truckId: string
let mowerId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  const add = (body: object) => business.api.ok(equipmentApi.create, { body: { crewId, ...body } as never })
  truckId = (await add({ kind: 'truck', name: 'Isuzu NPR', meter: 'miles', tenths: 482_100 })).id
  mowerId = (await add({ kind: 'mower', name: 'Mower 3', meter: 'hours', tenths: 12_000 })).id
})

const send = async (by: Person, truckCheck: TruckCheck, more: { id?: string; at?: string } = {}) => {
  const command = {
    id: newId(),
    type: 'truck_check' as const,
    at: new Date().toISOString(),
    payload: { truckCheck },
    ...more,
  }
  const { results } = await by.api.ok(crewappApi.commands, {
    body: { commands: [command], sentAt: new Date().toISOString() },
  })
  return results[0]
}
const ok = (equipmentId: string | null, item: string) => ({ equipmentId, item, ok: true })
const wrong = (equipmentId: string | null, item: string, more: object = {}) => ({
  equipmentId,
  item,
  ok: false,
  defect: { id: newId(), note: 'Flat on the left', stops: false, photoIds: [], ...more },
})
const checkOf = async (by: Person) => (await by.api.ok(crewappApi.day, { query: {} })).days[0]?.check
const defects = async (query: object = {}) =>
  (await business.api.ok(checksApi.defects, { query: query as never })).items
const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.map(({ badge, title }) => [badge, title])

it('stands on the phones of a crew with equipment until one of them has done it, and carries no price', async () => {
  const check = await checkOf(ana)
  expect(check).toMatchObject({ asks: 'anytime', done: null, items: usualItems })
  expect(check?.equipment.map(({ name, tenths }) => [name, tenths])).toEqual([
    ['Isuzu NPR', 482_100],
    ['Mower 3', 12_000],
  ])
  const truckCheck = {
    readings: [{ equipmentId: truckId, tenths: 482_500 }],
    answers: [ok(truckId, 'Lights and signals')],
  }
  expect(await send(luis, truckCheck)).toMatchObject({ result: 'applied', reason: null })
  expect((await checkOf(ana))?.done?.by).toBe('Luis')
  const { crews } = await business.api.ok(checksApi.day, { query: {} })
  expect(crews).toMatchObject([{ crew: { name: 'North' }, check: { by: 'Luis', looked: 1, wrong: 0 } }])
  expect((await business.api.ok(equipmentApi.get, { params: { id: truckId } })).reading?.tenths).toBe(482_500)
  await business.api.ok(equipmentApi.assign, {
    params: { id: truckId },
    body: { crewId: null, from: today(), version: 1 },
  })
  await business.api.ok(equipmentApi.assign, {
    params: { id: mowerId },
    body: { crewId: null, from: today(), version: 1 },
  })
  expect(await checkOf(ana)).toBeNull()
})

it('sent twice is one check; two phones without a signal are one check of the crew, and nothing that either found is lost', async () => {
  const id = newId()
  const first = { readings: [], answers: [wrong(truckId, 'Tires and lug nuts')] }
  await send(luis, first, { id })
  expect(await send(luis, first, { id })).toMatchObject({ result: 'duplicate' })
  expect(await defects()).toHaveLength(1)
  await send(ana, { readings: [], answers: [wrong(truckId, 'Tires and lug nuts'), wrong(mowerId, 'Blades and deck')] })
  expect((await checkOf(ana))?.done?.by).toBe('Luis')
  expect((await defects()).map(({ equipment, item, by }) => [equipment?.name, item, by]).sort()).toEqual([
    ['Isuzu NPR', 'Tires and lug nuts', 'Ana Reyes'],
    ['Isuzu NPR', 'Tires and lug nuts', 'Luis Ortega'],
    ['Mower 3', 'Blades and deck', 'Ana Reyes'],
  ])
  expect((await needs()).filter(([badge]) => badge === 'Defect')).toHaveLength(2)
})

it('a defect is what needs the office, with its photo, until it is dealt with', async () => {
  const photoId = newId()
  const answer = wrong(truckId, 'Lights and signals', { photoIds: [photoId] })
  await send(luis, { readings: [], answers: [answer] })
  const [defect] = await defects()
  expect(defect).toMatchObject({ note: 'Flat on the left', by: 'Luis Ortega', photos: [{ id: photoId, url: null }] })
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
  const picture = (by: Person, id: string) =>
    by.api.call(
      checksApi.addPhoto,
      { params: { defectId: defect?.id ?? '' }, query: { id }, body: bytes },
      { 'content-type': 'image/jpeg' },
    )
  expect((await picture(ana, photoId)).status).toBe(404)
  expect((await picture(luis, newId())).status).toBe(404)
  expect([(await picture(luis, photoId)).status, (await picture(luis, photoId)).status]).toEqual([200, 200])
  expect((await defects())[0]?.photos[0]?.url).toMatch(/^\/api\/f\//)
  expect(await needs()).toContainEqual(['Defect', 'Isuzu NPR: Lights and signals'])
  const params = { defectId: defect?.id ?? '' }
  const settled = await business.api.ok(checksApi.settle, { params, body: { note: 'New bulb' } })
  expect(settled.settled?.note).toBe('New bulb')
  expect([await defects(), (await defects({ settled: true })).length]).toEqual([[], 1])
  expect((await needs()).filter(([badge]) => badge === 'Defect')).toEqual([])
})

it('what cannot be used like this is out of service at once, said on the bell, and back when it is dealt with', async () => {
  await send(luis, {
    readings: [],
    answers: [wrong(mowerId, 'Blades and deck', { stops: true, note: 'Blade is cracked' })],
  })
  const out = await business.api.ok(equipmentApi.get, { params: { id: mowerId } })
  expect(out.out?.reason).toBe('Blades and deck. Blade is cracked')
  expect((await checkOf(ana))?.equipment[1]?.out).toBe('Blades and deck. Blade is cracked')
  const bell = () => business.api.ok(notificationsApi.list, { query: {} })
  expect((await bell()).notifications[0]).toMatchObject({
    title: 'Mower 3: Blades and deck: the crew cannot use it',
    read: false,
  })
  const [defect] = await defects({ equipmentId: mowerId })
  await business.api.ok(checksApi.settle, { params: { defectId: defect?.id ?? '' }, body: { back: true } })
  expect((await business.api.ok(equipmentApi.get, { params: { id: mowerId } })).out).toBeNull()
  expect((await bell()).unreadCount).toBe(0)
})

it('a reading that cannot be right is kept and waits for the office; one that comes late finds its place', async () => {
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  await send(luis, { readings: [{ equipmentId: mowerId, tenths: 1200 }], answers: [] })
  const doubted = await business.api.ok(equipmentApi.get, { params: { id: mowerId } })
  expect([doubted.reading?.tenths, doubted.doubtedCount, doubted.readings[0]?.state]).toEqual([12_000, 1, 'doubted'])
  expect(await needs()).toContainEqual(['Meter', 'Mower 3: a reading does not fit the others'])
  const readingId = doubted.readings[0]?.id ?? ''
  const judge = (body: object) =>
    business.api.call(equipmentApi.judge, { params: { id: mowerId }, body: { readingId, ...body } as never })
  expect((await judge({ counts: true })).error.errors?.[0]?.path).toBe('reason')
  expect((await judge({ counts: true, reason: 'New meter' })).body.reading?.tenths).toBe(1200)
  expect((await judge({ counts: false })).status).toBe(404)
  await send(ana, { readings: [{ equipmentId: truckId, tenths: 481_900 }], answers: [] }, { at: at(30) })
  const truck = await business.api.ok(equipmentApi.get, { params: { id: truckId } })
  expect([truck.reading?.tenths, truck.doubtedCount]).toEqual([482_100, 0])
})

it('what is dealt with brings nothing back that another defect, or the office, keeps out', async () => {
  await send(luis, {
    readings: [],
    answers: [
      wrong(mowerId, 'Blades and deck', { stops: true, note: 'Cracked' }),
      wrong(mowerId, 'Oil and fuel', { stops: true, note: 'Leaks' }),
    ],
  })
  const piece = () => business.api.ok(equipmentApi.get, { params: { id: mowerId } })
  const found = await defects({ equipmentId: mowerId })
  const blades = found.find(({ item }) => item === 'Blades and deck')
  const oil = found.find(({ item }) => item === 'Oil and fuel')
  expect(blades?.equipment).toMatchObject({ out: true, keptOut: 'Oil and fuel' })
  const settle = (id: string | undefined, back: boolean) =>
    business.api.call(checksApi.settle, { params: { defectId: id ?? '' }, body: { back } })
  const refused = await settle(blades?.id, true)
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Oil and fuel')])
  expect(await defects({ equipmentId: mowerId })).toHaveLength(2)
  expect((await settle(blades?.id, false)).status).toBe(200)
  const still = await piece()
  expect([still.out?.reason, still.can.bringBack]).toEqual(['Oil and fuel. Leaks', false])
  const early = await business.api.call(equipmentApi.bringBack, {
    params: { id: mowerId },
    body: { version: still.version },
  })
  expect([early.status, early.error.message]).toEqual([409, expect.stringContaining('Oil and fuel')])
  expect((await settle(oil?.id, true)).status).toBe(200)
  expect((await piece()).out).toBeNull()

  const back = await piece()
  await business.api.ok(equipmentApi.takeOut, {
    params: { id: mowerId },
    body: { reason: 'Sold next week', version: back.version },
  })
  // a repeat of what is dealt with changes nothing
  expect((await settle(oil?.id, true)).status).toBe(200)
  expect((await piece()).out?.reason).toBe('Sold next week')
  await send(ana, { readings: [], answers: [wrong(mowerId, 'Blades and deck')] })
  const [again] = await defects({ equipmentId: mowerId })
  expect((await settle(again?.id, true)).error.message).toContain('Sold next week')
  expect((await piece()).out?.reason).toBe('Sold next week')
})

it('a check that was waiting for a signal takes nothing out that was brought back since', async () => {
  const early = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const first = wrong(mowerId, 'Blades and deck', { stops: true })
  await send(luis, { readings: [], answers: [first] }, { at: early })
  await business.api.ok(checksApi.settle, { params: { defectId: first.defect.id }, body: { back: true } })
  await send(ana, { readings: [], answers: [wrong(mowerId, 'Blades and deck', { stops: true })] }, { at: early })
  const piece = await business.api.ok(equipmentApi.get, { params: { id: mowerId } })
  expect([piece.out, piece.defectCount]).toEqual([null, 1])
  const { notifications } = await business.api.ok(notificationsApi.list, { query: {} })
  expect(notifications[0]?.title).toBe('Mower 3: Blades and deck: found before it was back in service')
})

it('a meter that crews read before the office knows of it counts from where the office says so', async () => {
  await send(luis, { readings: [{ equipmentId: mowerId, tenths: 20 }], answers: [] })
  await send(ana, { readings: [{ equipmentId: mowerId, tenths: 45 }], answers: [] })
  const read = async () => business.api.ok(equipmentApi.get, { params: { id: mowerId } })
  const doubted = await read()
  expect([doubted.reading?.tenths, doubted.doubtedCount]).toEqual([12_000, 2])
  const firstId = doubted.readings.find(({ tenths }) => tenths === 20)?.id ?? ''
  await business.api.ok(equipmentApi.judge, {
    params: { id: mowerId },
    body: { readingId: firstId, counts: true, reason: 'New meter', newMeterFrom: 0 },
  })
  const counted = await read()
  expect([counted.reading?.tenths, counted.doubtedCount]).toEqual([45, 0])
})

it('two who save the truck check at once: one of them is told', async () => {
  const { items } = await business.api.ok(checksApi.settings, {})
  const save = (asks: 'off' | 'first', version: number) =>
    business.api.call(checksApi.saveSettings, { body: { asks, items, version } })
  for (const version of [0, 1]) {
    const answers = await Promise.all([save('off', version), save('first', version)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

it('the office says what is looked at and when; who saw an older list is told', async () => {
  const { version, items } = await business.api.ok(checksApi.settings, {})
  expect([version, items.length]).toEqual([0, usualItems.length])
  const body = { asks: 'first' as const, items: items.slice(0, 2), version: 0 }
  expect((await business.api.ok(checksApi.saveSettings, { body })).version).toBe(1)
  expect(await checkOf(luis)).toMatchObject({ asks: 'first', items: items.slice(0, 2) })
  expect((await business.api.call(checksApi.saveSettings, { body })).error.code).toBe('version_conflict')
  const twice = await business.api.call(checksApi.saveSettings, {
    body: { ...body, items: [items[0], items[0]] as never, version: 1 },
  })
  expect(twice.error.errors?.[0]?.path).toBe('items')
})

it('what another business has is nobody’s here: the words are kept, the piece and its meter are not touched', async () => {
  const other = await aBusiness()
  const theirs = await other.api.ok(equipmentApi.create, {
    body: { kind: 'mower', name: 'Theirs', meter: 'hours', tenths: 100 },
  })
  await send(luis, {
    readings: [{ equipmentId: theirs.id, tenths: 200 }],
    answers: [wrong(theirs.id, 'Blades and deck', { stops: true })],
  })
  expect(await defects()).toMatchObject([{ equipment: null, item: 'Blades and deck' }])
  expect(await other.api.ok(equipmentApi.get, { params: { id: theirs.id } })).toMatchObject({
    out: null,
    reading: { tenths: 100 },
    defectCount: 0,
  })
})

it('a check of a day on which the person was on no crew is kept without one', async () => {
  const gone = await business.employee({ name: 'Bo' })
  const at = new Date(Date.parse(`${addDays(today(), -1)}T16:00:00Z`)).toISOString()
  expect(await send(gone, { readings: [], answers: [wrong(truckId, 'Lights and signals')] }, { at })).toMatchObject({
    result: 'applied',
  })
  expect(await defects()).toMatchObject([{ crew: null, equipment: { name: 'Isuzu NPR' } }])
})
