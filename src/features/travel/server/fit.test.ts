import { describe, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { travelApi } from '../contract.ts'

const degreesPerKm = 1 / 111.195

let business: TestBusiness

/** Days of one crew on roads of factor 270 and exponent 0.55: each stop further off than the one before, clocked by its taps. */
const clocked = async (days: number, changes: { percent?: number; byRoute?: boolean } = {}) => {
  business = await aBusiness()
  const crewId = await aCrew(business)
  await business.db((db) =>
    db
      .updateTable('crews')
      .set({ driveFactorPercent: changes.percent ?? 100 })
      .where('businessId', '=', business.id)
      .execute(),
  )
  for (let d = 1; d <= days; d++) {
    const day = addDays(today(), -d)
    let at = Date.parse(`${day}T13:00:00Z`)
    let latitude = 32
    for (let stop = 0; stop < 5; stop++) {
      const km = stop === 0 ? 0 : [0.4, 1.5, 4, 9][stop - 1]!
      latitude += km * degreesPerKm
      const drive = (270 * km ** 0.55 * (changes.percent ?? 100)) / 100
      // A lunch between two stops now and then; with "on my way" it does not count.
      const lunch = stop === 2 && (changes.byRoute || d % 5 === 0) ? 2700 : 0
      const started = at + (drive + lunch) * 1000
      const { visitId } = await aVisit(business, { day, crewId, latitude, longitude: -81, status: 'completed' })
      await business.db((db) =>
        db
          .updateTable('visits')
          .set({
            startedAt: new Date(started).toISOString(),
            finishedAt: new Date(started + 1800_000).toISOString(),
            enRouteAt: changes.byRoute ? new Date(started - drive * 1000).toISOString() : null,
          })
          .where('businessId', '=', business.id)
          .where('id', '=', visitId)
          .execute(),
      )
      at = started + 1800_000
    }
  }
}

const travelFit = () => business.api.ok(travelApi.fit, {})

describe('clocked drives', () => {
  it('suggest settings that fit them, which only the owner takes, and only as seen', async () => {
    await clocked(12)
    const found = await travelFit()
    expect(found.drives).toBe(12 * 4)
    const { suggestion } = found
    expect(Math.abs(suggestion!.factorSeconds - 270)).toBeLessThan(15)
    expect(Math.abs(suggestion!.exponent - 0.55)).toBeLessThan(0.04)
    expect(suggestion!.errorAfter).toBeLessThan(suggestion!.errorBefore)
    const before = await business.api.ok(businessesApi.get, {})
    expect(before.driveFactorSeconds).toBe(180)
    const body = { version: before.version, factorSeconds: suggestion!.factorSeconds, exponent: suggestion!.exponent }
    const admin = await business.admin()
    expect((await admin.api.call(travelApi.applyFit, { body })).status).toBe(403)
    const other = await business.api.call(travelApi.applyFit, { body: { ...body, factorSeconds: 999 } })
    expect(other.status).toBe(409)
    const stale = await business.api.call(travelApi.applyFit, { body: { ...body, version: body.version - 1 } })
    expect(stale.error.code).toBe('version_conflict')
    expect((await business.api.ok(businessesApi.get, {})).driveFactorSeconds).toBe(180)
    const after = await business.api.ok(travelApi.applyFit, { body })
    expect(after).toMatchObject({
      now: { factorSeconds: body.factorSeconds, exponent: body.exponent },
      suggestion: null,
    })
    const rows = await business.db((db) =>
      db.selectFrom('auditLog').select('action').where('businessId', '=', business.id).execute(),
    )
    expect(rows.map((row) => row.action)).toEqual(expect.arrayContaining(['business.change', 'travel.fit']))
  })

  it('do not count what the trailer of the crew adds, nor a lunch before "on my way"', async () => {
    await clocked(11, { percent: 130, byRoute: true })
    const { suggestion } = await travelFit()
    expect(Math.abs(suggestion!.factorSeconds - 270)).toBeLessThan(15)
  })

  it('are too few at first, and nobody else’s', async () => {
    await clocked(3)
    expect(await travelFit()).toMatchObject({ drives: 12, needed: 40, suggestion: null })
    const other = await aBusiness()
    expect(await other.api.ok(travelApi.fit, {})).toMatchObject({ drives: 0 })
    expect((await (await business.employee()).api.call(travelApi.fit, {})).status).toBe(403)
  })
})
