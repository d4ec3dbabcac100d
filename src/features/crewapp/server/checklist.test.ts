import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { linkToken } from '../../../platform/links.ts'
import { paths } from '../../../shared/paths.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay } from '../../../test/field.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string

const tap = async (person: Person, type: CommandType, visitId: string, payload: CommandPayload = {}) => {
  const body = { commands: [{ id: newId(), type, visitId, at: clock.iso(), payload }], sentAt: clock.iso() }
  const [reply] = (await person.api.ok(crewappApi.commands, { body })).results
  return [reply?.result, reply?.reason]
}
const setList = (checklist: object[]) =>
  business.db((db) =>
    db
      .updateTable('services')
      .set({ checklist: JSON.stringify(checklist) })
      .where('businessId', '=', business.id)
      .execute(),
  )
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const stopOf = async (visitId: string) => {
  const { days } = await luis.api.ok(crewappApi.day, { query: {} })
  return days.flatMap((day) => day.stops).find((stop) => stop.id === visitId)
}

beforeAll(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { members: [luis, ana] })
  // Its service comes with the first visit.
  await aVisit(business)
})

describe('a checklist', () => {
  it('is the one of its services until somebody ticks, and stays then', async () => {
    await setList([
      { text: 'Close the gate', required: true },
      { text: 'Blow the drive', required: false, photo: true },
    ])
    const [{ visitId }, { visitId: later }] = [await aVisit(business, { crewId }), await aVisit(business, { crewId })]
    expect((await visitOf(visitId)).checklist.map((item) => item.text)).toEqual(['Close the gate', 'Blow the drive'])
    await tap(luis, 'check', visitId, { item: 'Close the gate', done: true })
    await setList([{ text: 'Flag the lawn', required: true }])
    expect((await visitOf(visitId)).checklist).toEqual([
      { text: 'Close the gate', required: true },
      { text: 'Blow the drive', required: false, photo: true },
    ])
    expect((await visitOf(later)).checklist.map((item) => item.text)).toEqual(['Flag the lawn'])
    // without a tick it follows its services again
    await tap(luis, 'check', visitId, { item: 'Close the gate', done: false })
    expect((await visitOf(visitId)).checklist.map((item) => item.text)).toEqual(['Flag the lawn'])
    // a phone that was away ticks what it knew: that is kept
    await tap(luis, 'check', visitId, { item: 'Blow the drive', done: true })
    expect(await stopOf(visitId)).toMatchObject({
      checked: ['Blow the drive'],
      checklist: [
        { text: 'Flag the lawn', required: true },
        { text: 'Blow the drive', required: false },
      ],
    })
  })

  it('speaks Spanish on a visit that keeps its own, also where somebody wrote that later', async () => {
    await setList([{ text: 'Close the gate', required: true }])
    const { visitId } = await aVisit(business, { crewId })
    await tap(luis, 'check', visitId, { item: 'Close the gate', done: true })
    await setList([{ text: 'Close the gate', es: 'Cerrar el portón', required: false }])
    const own = [{ text: 'Close the gate', es: 'Cerrar el portón', required: true }]
    expect((await stopOf(visitId))?.checklist).toEqual(own)
    expect((await visitOf(visitId)).checklist).toEqual(own)
  })

  it('is finished without by the leader alone, with a reason that the office reads', async () => {
    await setList([{ text: 'Close the gate', required: true }])
    const { visitId } = await aVisit(business, { crewId })
    await business.db((db) =>
      db.updateTable('crews').set({ leaderUserId: luis.userId }).where('id', '=', crewId).execute(),
    )
    const leads = async (person: Person) =>
      (await person.api.ok(crewappApi.day, { query: {} })).days.map((day) => day.crew?.leads)[0]
    expect([await leads(luis), await leads(ana)]).toEqual([true, false])
    await tap(ana, 'start', visitId)
    expect(await tap(ana, 'finish', visitId, { without: 'Latch is broken' })).toEqual(['refused', 'not_leader'])
    expect(await tap(luis, 'finish', visitId, { without: 'Latch is broken' })).toEqual(['applied', null])
    expect(await visitOf(visitId)).toMatchObject({
      status: 'completed',
      untickedReason: 'Latch is broken',
      checklist: [{ text: 'Close the gate', required: true }],
      checked: [],
    })
  })

  it('stands on the page of the finished visit only when the business says so', async () => {
    await setList([{ text: 'Close the gate', required: false }])
    const { visitId } = await aVisit(business, { crewId })
    await tap(luis, 'check', visitId, { item: 'Close the gate', done: true })
    await tap(luis, 'finish', visitId)
    const url = paths.visit(await business.db((db) => linkToken(db, 'visit', visitId)))
    const page = async () => (await stranger.raw({ method: 'GET', url })).text
    expect(await page()).not.toContain('Close the gate')
    await business.db((db) =>
      db.updateTable('businesses').set({ shareChecklists: true }).where('businessId', '=', business.id).execute(),
    )
    expect(await page()).toContain('✓ Close the gate')
  })
})

describe('a note for one visit', () => {
  it('is on the phones of its crew, goes with the visit, and is taken back', async () => {
    const { visitId } = await aVisit(business, { crewId })
    await publishDay(business, crewId)
    const { version } = await visitOf(visitId)
    const write = (note: string, seen: number) =>
      business.api.call(visitsApi.note, { params: { visitId }, body: { note, version: seen } })
    const done = await write('Party on Friday: leave no clippings', version)
    expect(done.body.officeNote).toBe('Party on Friday: leave no clippings')
    expect((await write('Something else', version)).status).toBe(409)
    expect(await stopOf(visitId)).toMatchObject({ officeNote: 'Party on Friday: leave no clippings' })
    expect((await visitOf(visitId)).history[0]?.text).toBe('Note for the crew: Party on Friday: leave no clippings')
    const back = await business.api.ok(visitsApi.undo, { params: { visitId }, body: { version: done.body.version } })
    expect(back.officeNote).toBe('')
    await write('Once more', back.version)
    await tap(luis, 'skip', visitId, { reason: 'dog' })
    const late = await visitOf(visitId)
    expect((await write('Too late', late.version)).error.message).toMatch(/is skipped, so nobody would read it/)
  })

  it('goes along to the day that is booked in its place, and no other visit of the job has it', async () => {
    const { visitId } = await aVisit(business, { crewId })
    await business.api.ok(visitsApi.note, { params: { visitId }, body: { note: 'Mind the new sod' } })
    await tap(luis, 'skip', visitId, { reason: 'too_wet' })
    const { today } = await business.api.ok(visitsApi.calendar, {})
    const day = new Date(Date.parse(`${today}T12:00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 10)
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
    const to = weekday === 0 ? new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10) : day
    const other = await business.api.ok(visitsApi.rebook, { params: { visitId }, body: { day: to, crewId: null } })
    expect(other.officeNote).toBe('Mind the new sod')
  })
})
