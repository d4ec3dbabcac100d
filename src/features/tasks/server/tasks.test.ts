import { describe, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aLawn, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { tasksApi } from '../contract.ts'

const aCustomer = async () => {
  const business = await aBusiness()
  const { customerId } = await aLawn(business)
  return { business, customerId, api: business.api }
}

describe('a call', () => {
  it('is logged with its note, and its follow-up comes back as a task on its day, in “Needs you” too', async () => {
    const { business, customerId, api } = await aCustomer()
    const followUp = { title: 'Call Ann back', dueOn: today(), ownerId: business.owner.userId }
    const { call, task } = await api.ok(tasksApi.logCall, {
      params: { id: customerId },
      body: { outcome: 'voicemail', note: 'Asked about aeration.', followUp },
    })
    expect(call).toMatchObject({ direction: 'out', outcome: 'voicemail', note: 'Asked about aeration.' })
    expect(task).toMatchObject({
      title: 'Call Ann back',
      note: 'Asked about aeration.',
      dueOn: today(),
      customerId,
      callId: call.id,
      doneAt: null,
    })
    const need = (await api.ok(dashboardApi.get, {})).needs.find(({ kind }) => kind === 'task')
    expect(need).toMatchObject({ title: 'Call Ann back', action: { kind: 'finish', taskId: task?.id } })
    await api.ok(tasksApi.finish, { params: { id: task!.id } })
    expect((await api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'task')).toEqual([])
    expect((await api.ok(tasksApi.calls, { params: { id: customerId }, query: {} })).items).toHaveLength(1)
  })

  it('that is taken back takes its open follow-up along, not one that was done', async () => {
    const { customerId, api } = await aCustomer()
    const log = () =>
      api.ok(tasksApi.logCall, {
        params: { id: customerId },
        body: { followUp: { title: 'Call back', dueOn: today() } },
      })
    const [one, other] = [await log(), await log()]
    await api.ok(tasksApi.finish, { params: { id: other.task!.id } })
    for (const { call } of [one, other]) await api.ok(tasksApi.removeCall, { params: { id: call.id } })
    expect((await api.ok(tasksApi.list, { query: {} })).items).toEqual([])
    const done = (await api.ok(tasksApi.list, { query: { show: 'done' } })).items
    expect(done).toMatchObject([{ id: other.task!.id, callId: null }])
  })

  it('of tomorrow, of nobody and for nobody of the office is refused and leaves nothing', async () => {
    const { business, customerId, api } = await aCustomer()
    const crew = await business.employee()
    const log = (id: string, body: Record<string, unknown>) =>
      api.call(tasksApi.logCall, { params: { id }, body: body as never })
    const at = new Date(Date.now() + 86_400_000).toISOString()
    expect((await log(customerId, { at })).status).toBe(422)
    expect((await log(crew.userId, {})).status).toBe(404)
    const followUp = { title: 'Call back', dueOn: today(), ownerId: crew.userId }
    const refused = await log(customerId, { followUp })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('not in the office')
    expect((await api.ok(tasksApi.calls, { params: { id: customerId }, query: {} })).items).toEqual([])
  })
})

describe('tasks', () => {
  it('stand by day, page by page, one’s own and anybody’s apart from others’', async () => {
    const { business, api } = await aCustomer()
    const admin = await business.admin()
    const add = (title: string, days: number, ownerId: string | null) =>
      api.ok(tasksApi.create, { body: { title, dueOn: addDays(today(), days), ownerId } })
    await add('later', 3, business.owner.userId)
    await add('late', -2, null)
    await add('of the admin', 0, admin.userId)
    const all = await api.ok(tasksApi.list, { query: { limit: 2 } })
    expect(all.items.map(({ title }) => title)).toEqual(['late', 'of the admin'])
    const rest = await api.ok(tasksApi.list, { query: { limit: 2, cursor: all.nextCursor! } })
    expect(rest.items.map(({ title }) => title)).toEqual(['later'])
    const mine = await api.ok(tasksApi.list, { query: { mine: true } })
    expect(mine.items.map(({ title }) => title)).toEqual(['late', 'later'])
    const needs = (person: typeof api) =>
      person.ok(dashboardApi.get, {}).then((d) => d.needs.filter(({ kind }) => kind === 'task').map((n) => n.title))
    expect(await needs(api)).toEqual(['late'])
    expect(await needs(admin.api)).toEqual(['late', 'of the admin'])
  })

  it('are changed by the newest version only, done once, opened again, removed', async () => {
    const { api } = await aCustomer()
    const made = await api.ok(tasksApi.create, { body: { title: 'Order seed', dueOn: today() } })
    const params = { id: made.id }
    const moved = await api.ok(tasksApi.update, { params, body: { dueOn: addDays(today(), 1), version: made.version } })
    expect(moved).toMatchObject({ dueOn: addDays(today(), 1), title: 'Order seed' })
    const late = await api.call(tasksApi.update, { params, body: { title: 'Order soil', version: made.version } })
    expect(late.status).toBe(409)
    expect((await api.ok(tasksApi.finish, { params })).can).toMatchObject({
      finish: false,
      reopen: true,
      update: false,
    })
    expect((await api.call(tasksApi.finish, { params })).status).toBe(409)
    expect(await api.ok(tasksApi.reopen, { params })).toMatchObject({ doneAt: null, doneByName: null })
    await api.ok(tasksApi.remove, { params })
    expect((await api.call(tasksApi.finish, { params })).status).toBe(404)
  })

  it('of another business are not there', async () => {
    const { api } = await aCustomer()
    const made = await api.ok(tasksApi.create, { body: { title: 'Order seed', dueOn: today() } })
    const other = await aBusiness()
    expect((await other.api.call(tasksApi.finish, { params: { id: made.id } })).status).toBe(404)
    expect((await api.call(tasksApi.create, { body: { title: ' ', dueOn: '2026-02-31' } })).status).toBe(422)
  })
})
