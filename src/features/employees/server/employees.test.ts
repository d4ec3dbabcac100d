import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { addDays, dayOf } from '../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { employeesApi } from '../contract.ts'
import { wagesApi } from '../wages/contract.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness()
})

const addPerson = (name: string, more = {}) => business.api.ok(employeesApi.create, { body: { name, ...more } })

describe('people', () => {
  it('adds, lists and changes a person; wages keep their history', async () => {
    const ana = await addPerson('Ana Ruiz', { wageCentsPerHour: 1900, language: 'es', phone: '(912) 555-0123' })
    expect(ana).toMatchObject({ role: 'Employee', phone: '+19125550123', wageCentsPerHour: 1900, status: 'invited' })
    const changed = await business.api.ok(employeesApi.update, {
      params: { id: ana.id },
      body: { version: ana.version, wageCentsPerHour: 2100 },
    })
    expect(changed.wageCentsPerHour).toBe(2100)
    const stale = await business.api.call(employeesApi.update, {
      params: { id: ana.id },
      body: { version: ana.version, name: 'X' },
    })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const { items } = await business.api.ok(employeesApi.list, { query: { search: 'ana' } })
    expect(items.map((p) => p.name)).toEqual(['Ana Ruiz'])
  })

  it('refuses a bad phone, a taken e-mail and a doubled click makes one person', async () => {
    const bad = await business.api.call(employeesApi.create, { body: { name: 'P', phone: '12' } })
    expect([bad.status, bad.error.errors?.[0]?.path]).toEqual([422, 'phone'])
    await addPerson('First', { email: 'taken@test.swath.test' })
    const taken = await business.api.call(employeesApi.create, {
      body: { name: 'Second', email: 'Taken@test.swath.test' },
    })
    expect([taken.status, taken.error.errors?.[0]?.path]).toEqual([422, 'email'])
    const key = { 'idempotency-key': 'double-click-1' }
    const [one, two] = await Promise.all([
      business.api.call(employeesApi.create, { body: { name: 'Twice' } }, key),
      business.api.call(employeesApi.create, { body: { name: 'Twice' } }, key),
    ])
    expect([one.status, two.status].filter((s) => s !== 409)).toContain(200)
    const again = await business.api.ok(employeesApi.create, { body: { name: 'Twice' } }, key)
    const { items } = await business.api.ok(employeesApi.list, { query: { search: 'Twice' } })
    expect(items.map((p) => p.id)).toEqual([again.id])
    expect((await business.api.call(employeesApi.create, { body: { name: 'Other' } }, key)).error.code).toBe(
      'idempotency_mismatch',
    )
  })

  it('deactivates: the session ends at once, the crew loses the person', async () => {
    const person = await business.employee()
    const crew = await business.api.ok(employeesApi.createCrew, {
      body: { name: 'Soon smaller', memberUserIds: [person.userId] },
    })
    expect(crew.members).toHaveLength(1)
    await business.api.ok(employeesApi.deactivate, { params: { id: person.userId } })
    expect((await person.api.call(employeesApi.list, {})).status).toBe(401)
    const { items } = await business.api.ok(employeesApi.crews, {})
    expect(items.find((c) => c.id === crew.id)?.members).toEqual([])
    expect((await business.api.call(employeesApi.deactivate, { params: { id: business.owner.userId } })).status).toBe(
      409,
    )
  })

  it('pays a new person since their first day, where that was before they were typed in', async () => {
    const own = await aBusiness()
    const today = dayOf(clock.now(), 'America/New_York')
    const first = addDays(today, -12)
    const wages = async (wageFrom?: string) => {
      const { id } = await own.api.ok(employeesApi.create, {
        body: { name: `New ${wageFrom ?? 'today'}`, wageCentsPerHour: 1900, ...(wageFrom ? { wageFrom } : {}) },
      })
      return (await own.api.ok(wagesApi.list, { params: { id } })).items.map(({ from }) => from)
    }
    expect(await wages(first)).toEqual([first])
    expect(await wages()).toEqual([today])
    expect(
      (await own.api.call(employeesApi.create, { body: { name: 'Bad', wageCentsPerHour: 1900, wageFrom: 'soon' } }))
        .status,
    ).toBe(422)
  })

  it('hides wages from who may not see payroll, and gives nobody more than the giver has', async () => {
    const admin = await business.admin()
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: ['team', 'schedule'] })
        .where('businessId', '=', business.id)
        .where('id', '=', admin.userId)
        .execute(),
    )
    const { items } = await admin.api.ok(employeesApi.list, {})
    expect(items.every((p) => p.wageCentsPerHour === null)).toBe(true)
    expect(
      (await admin.api.call(employeesApi.create, { body: { name: 'Boss', role: 'Admin', preset: 'admin' } })).status,
    ).toBe(403)
    expect((await admin.api.call(employeesApi.create, { body: { name: 'Paid', wageCentsPerHour: 1 } })).status).toBe(
      403,
    )
  })

  it('is 404 to another business and 403 to an employee', async () => {
    const ana = await addPerson('Hidden')
    const other = await aBusiness()
    expect((await other.api.call(employeesApi.update, { params: { id: ana.id }, body: { version: 1 } })).status).toBe(
      404,
    )
    expect((await (await business.employee()).api.call(employeesApi.list, {})).status).toBe(403)
  })
})

describe('crews', () => {
  it('has members by date, a cost, and colors that differ', async () => {
    const own = await aBusiness()
    const a = await own.employee({ wageCents: 2000 })
    const b = await own.employee({ wageCents: 1800 })
    const crew = await own.api.ok(employeesApi.createCrew, {
      body: { name: 'North', memberUserIds: [a.userId, b.userId], depotLatitude: 32.05, depotLongitude: -81.1 },
    })
    expect(crew.costCentsPerHour).toBe(4256)
    const second = await own.api.ok(employeesApi.createCrew, { body: { name: 'Islands' } })
    expect(second.color).not.toBe(crew.color)
    const moved = await own.api.ok(employeesApi.updateCrew, {
      params: { id: second.id },
      body: { version: second.version, memberUserIds: [b.userId], membersFrom: '2100-01-01' },
    })
    expect(moved.members.map((m) => m.userId)).toEqual([b.userId])
    const today = (await own.api.ok(employeesApi.crews, {})).items.find((c) => c.id === crew.id)
    expect(today?.members).toHaveLength(2)
    const later = (await own.api.ok(employeesApi.crews, { query: { day: '2100-01-02' } })).items.find(
      (c) => c.id === crew.id,
    )
    expect(later?.members.map((m) => m.userId)).toEqual([a.userId])
  })

  it('who leaves one crew keeps the start on another, and an archived crew is left by all who were to come', async () => {
    const own = await aBusiness()
    const ana = await own.employee()
    const crewWith = (name: string, memberUserIds: string[]) =>
      own.api.ok(employeesApi.createCrew, { body: { name, memberUserIds } })
    const north = await crewWith('North', [ana.userId])
    const islands = await crewWith('Islands', [])
    const change = (crew: typeof north, memberUserIds: string[], membersFrom?: string) =>
      own.api.ok(employeesApi.updateCrew, {
        params: { id: crew.id },
        body: { version: crew.version, memberUserIds, ...(membersFrom ? { membersFrom } : {}) },
      })
    const membersOn = async (crewId: string, day: string) =>
      (await own.api.ok(employeesApi.crews, { query: { day } })).items
        .find((crew) => crew.id === crewId)
        ?.members.map((member) => member.userId)
    await change(islands, [ana.userId], '2100-01-01')
    await change(north, [])
    expect(await membersOn(islands.id, '2100-01-02')).toEqual([ana.userId])
    await own.api.ok(employeesApi.archiveCrew, { params: { id: islands.id } })
    const { left } = await own.db((db) =>
      db
        .selectFrom('crewMembers')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('businessId', '=', own.id)
        .where('crewId', '=', islands.id)
        .executeTakeFirstOrThrow(),
    )
    expect(left).toBe(0)
  })

  it('refuses a shift that ends before it starts and a stranger as member', async () => {
    const bad = await business.api.call(employeesApi.createCrew, {
      body: { name: 'X', shiftStartMinute: 600, shiftEndMinute: 500 },
    })
    expect([bad.status, bad.error.errors?.[0]?.path]).toEqual([422, 'shiftEndMinute'])
    const other = await aBusiness()
    expect(
      (await business.api.call(employeesApi.createCrew, { body: { name: 'X', memberUserIds: [other.owner.userId] } }))
        .status,
    ).toBe(404)
  })
})
