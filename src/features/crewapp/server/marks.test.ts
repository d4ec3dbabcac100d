import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { linkToken } from '../../../platform/links.ts'
import { addDays } from '../../../shared/dates.ts'
import type { Stroke } from '../../../shared/strokes.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { conflictsApi } from '../conflicts/contract.ts'
import { crewappApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let visitId: string
let photoId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  ;({ visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 }))
  await publishDay(business, crewId)
  photoId = newId()
})

const line = (id: string, color: Stroke['color'] = 'red'): Stroke => ({ id, color, points: [0.1, 0.2, 0.5, 0.25] })
const mark = (add: Stroke[], gone: string[] = [], more: object = {}) => ({
  id: newId(),
  type: 'mark' as const,
  visitId,
  at: clock.iso(),
  payload: { mark: { photoId, add, gone } },
  ...more,
})
const send = async (who: Person, ...commands: ReturnType<typeof mark>[]) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results
const addPhoto = async (who = luis, of = visitId) => {
  const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
  return who.api.call(
    crewappApi.addPhoto,
    { params: { visitId: of }, query: { id: photoId, kind: 'after' }, body: bytes as never },
    { 'content-type': 'image/jpeg' },
  )
}
const stopOf = async (who: Person) =>
  (await who.api.ok(crewappApi.day, {})).days[0]?.stops.find(({ id }) => id === visitId)
const panel = async () => (await business.api.ok(visitsApi.get, { params: { visitId } })).photos

it('a drawing that comes before its photo waits for it, and both phones see what both drew', async () => {
  const first = mark([line('a')])
  expect((await send(luis, first, first)).map(({ result }) => result)).toEqual(['applied', 'duplicate'])
  expect((await stopOf(ana))?.marks).toEqual({ [photoId]: [line('a')] })
  expect((await addPhoto()).status).toBe(200)
  await send(ana, mark([line('b', 'yellow')]))
  await send(luis, mark([line('c')], ['a']))
  expect((await stopOf(luis))?.pictures).toEqual([{ id: photoId, kind: 'after' }])
  expect(await panel()).toMatchObject([{ id: photoId, strokes: [line('b', 'yellow'), line('c')] }])
  const { photos } = await ana.api.ok(crewappApi.stopPhotos, { params: { visitId } })
  expect(photos).toEqual([{ id: photoId, url: expect.stringContaining('small=1') }])
})

it('the customer sees it over the shared photo, and the next crew over the photo of the last time; the picture stays', async () => {
  await addPhoto()
  await send(luis, mark([line('a')]))
  await business.db((db) =>
    db.updateTable('visits').set({ status: 'completed', finishedAt: clock.iso() }).where('id', '=', visitId).execute(),
  )
  const token = await business.db((db) => linkToken(db, 'visit', visitId))
  const page = async () => (await stranger.raw({ method: 'GET', url: `/visit/${token}` })).text
  expect(await page()).toMatch(/<svg viewBox="0 0 800 600"[^>]*><path class="edge" d="M80 120L400 150"/)
  await business.db((db) =>
    db.updateTable('businesses').set({ sharePhotos: false }).where('businessId', '=', business.id).execute(),
  )
  expect(await page()).not.toContain('<svg')
  const next = await business.db((db) =>
    db.selectFrom('visits').selectAll().where('id', '=', visitId).executeTakeFirstOrThrow(),
  )
  const [nextId, day] = [newId(), addDays(today(), 1)]
  await business.db((db) =>
    db
      .insertInto('visits')
      .values({
        businessId: business.id,
        id: nextId,
        jobId: next.jobId,
        customerId: next.customerId,
        propertyId: next.propertyId,
        crewId: next.crewId,
        occurrenceOn: day,
        day,
        budgetMinutes: 30,
        priceCents: 5500,
      })
      .execute(),
  )
  const tomorrow = (await luis.api.ok(crewappApi.day, {})).days[1]?.stops.find(({ id }) => id === nextId)
  expect(tomorrow?.last).toMatchObject({ photoIds: [photoId], marks: { [photoId]: [line('a')] } })
})

describe('on a photo of a stop that went to another crew', () => {
  let tom: Person
  beforeEach(async () => {
    tom = await business.employee({ name: 'Tom' })
    const south = await aCrew(business, { name: 'South', members: [tom] })
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ crewId: south, publishedCrewId: south })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
  })
  const needs = async () =>
    (await business.api.ok(dashboardApi.get, {})).needs.filter((need) => need.visitId === visitId)
  const decide = async (decision: 'counts' | 'stands') => {
    const [need] = await needs()
    if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
    return business.api.call(conflictsApi.decide, {
      params: { id: need.action.commandId },
      body: { decision, note: 'Seen' },
    })
  }

  it('waits with the photo for the office, once, and goes over with it when the work counts', async () => {
    const drawn = mark([line('a')])
    expect(await send(luis, drawn)).toMatchObject([{ result: 'conflict', reason: 'not_yours' }])
    expect((await addPhoto()).status).toBe(200)
    expect(await needs()).toHaveLength(1)
    expect(await panel()).toEqual([])
    expect((await decide('counts')).status).toBe(200)
    expect(await panel()).toMatchObject([{ id: photoId, strokes: [line('a')] }])
    expect((await stopOf(tom))?.marks).toEqual({ [photoId]: [line('a')] })
    const { answers } = await luis.api.ok(crewappApi.day, {})
    expect(answers).toMatchObject([{ commandId: drawn.id, decision: 'counts', note: 'Seen' }])
    // what is drawn later goes where the photo is
    expect(await send(luis, mark([line('b', 'yellow')]))).toMatchObject([{ result: 'applied' }])
    expect((await panel())[0]?.strokes).toEqual([line('a'), line('b', 'yellow')])
  })

  it('does not count with work that does not, and is no second question', async () => {
    expect((await addPhoto()).status).toBe(200)
    const drawn = mark([line('a')])
    expect(await send(luis, drawn)).toMatchObject([{ result: 'conflict' }])
    expect(await needs()).toHaveLength(1)
    expect((await decide('stands')).status).toBe(200)
    expect(await panel()).toEqual([])
    expect((await luis.api.ok(crewappApi.day, {})).answers).toContainEqual(
      expect.objectContaining({ commandId: drawn.id, decision: 'stands' }),
    )
    expect(await send(luis, mark([line('b')]))).toMatchObject([{ result: 'refused', reason: 'decided' }])
    expect(await needs()).toEqual([])
  })
})

it('is refused on a stop of another crew and on a photo of another visit, and what is no line is bad input', async () => {
  await addPhoto()
  const tom = await business.employee({ name: 'Tom' })
  const south = await aCrew(business, { name: 'South', members: [tom] })
  const other = await aVisit(business, { crewId: south, street: '9 Bay St' })
  expect((await send(tom, mark([line('a')])))[0]).toMatchObject({ result: 'refused', reason: 'not_yours' })
  expect((await send(tom, mark([line('a')], [], { visitId: other.visitId })))[0]).toMatchObject({
    result: 'refused',
    reason: 'not_found',
  })
  expect((await tom.api.call(crewappApi.stopPhotos, { params: { visitId } })).status).toBe(404)
  const wild = mark([{ ...line('a'), points: [0.5, 7] }])
  expect((await luis.api.call(crewappApi.commands, { body: { commands: [wild] } })).status).toBe(422)
  expect((await panel())[0]?.strokes).toEqual([])
})
