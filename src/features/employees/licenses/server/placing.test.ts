import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { jobEditsApi } from '../../../jobs/bulk/contract.ts'
import { fillApi } from '../../../routes/fill/contract.ts'
import { savedRoutesApi } from '../../../routes/saved/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { licensesApi } from '../contract.ts'

/** Wherever work is placed a missing license is said, or refused, before anything is done. */

let business: TestBusiness
let licensed: string
let plain: string
const day = addDays(today(), 3)

beforeEach(async () => {
  business = await aBusiness({ workDays: everyDay })
  const ana = await business.employee()
  licensed = await aCrew(business, { name: 'Treatments', members: [ana], workDays: everyDay })
  plain = await aCrew(business, { name: 'North', workDays: everyDay })
  await business.api.ok(licensesApi.create, {
    params: { id: ana.userId },
    body: { skill: 'applicator', number: 'GA-1', state: 'GA', expiresOn: addDays(day, 30) },
  })
})

const needLicense = () =>
  business.db((db) =>
    db
      .updateTable('services')
      .set({ skills: ['Applicator'] })
      .where('businessId', '=', business.id)
      .execute(),
  )

it('a saved route leaves what its crew has no license for where it is, and says so first', async () => {
  const { visitId } = await aVisit(business, { day, crewId: plain, position: 1 })
  const saved = await business.api.ok(savedRoutesApi.create, { body: { name: 'North', day, crewId: plain } })
  await business.api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: licensed } })
  await needLicense()
  const at = { params: { id: saved.id } }
  const seen = await business.api.ok(savedRoutesApi.differences, { ...at, query: { day } })
  expect(seen.brought).toEqual([])
  expect(seen.held).toEqual([
    expect.objectContaining({
      visitId,
      why: expect.stringMatching(/^North has nobody .* license for “applicator”\.$/),
    }),
  ])
  expect((await business.api.ok(savedRoutesApi.apply, { ...at, body: { day } })).changed).toBe(false)
  expect((await business.api.ok(visitsApi.get, { params: { visitId } })).crewId).toBe(licensed)
})

it('a change of many says how many visits it gives to a crew without the license, and no others', async () => {
  const { jobId } = await aVisit(business, { day, crewId: licensed })
  await business.db((db) => db.updateTable('jobs').set({ crewId: licensed }).where('id', '=', jobId).execute())
  await needLicense()
  const preview = (crewId: string | null) =>
    business.api.ok(jobEditsApi.preview, {
      body: { choice: { ids: [jobId] }, change: { kind: 'crew', crewId, fromOn: null } },
    })
  const { unlicensed } = await preview(plain)
  expect(unlicensed?.visits).toBeGreaterThan(0)
  expect(unlicensed?.example).toMatch(/^North has nobody at work on .* license for “applicator”\.$/)
  expect((await preview(null)).unlicensed).toBeNull()
})

it('a filled day gives such work to the crew with the license only; a visit says what it needs', async () => {
  const { visitId } = await aVisit(business, { day })
  await needLicense()
  const { places } = await business.api.ok(fillApi.preview, { query: { day } })
  expect(places.map((one) => [one.visitId, one.crewId])).toEqual([[visitId, licensed]])
  const refused = await business.api.call(fillApi.fill, {
    body: { day, places: [{ visitId, version: 1, crewId: plain }] },
  })
  expect(refused.status).toBe(409)
  expect((await business.api.ok(visitsApi.get, { params: { visitId } })).needs).toMatchObject({
    skills: ['Applicator'],
    minGapDays: 0,
  })
})
