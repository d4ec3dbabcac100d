import { afterAll, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { servicesApi } from '../../../services/contract.ts'

// a Monday in season, so that twelve weeks lie ahead
const today = '2026-04-06'
beforeAll(() => setClock(() => new Date(`${today}T16:00:00Z`)))
afterAll(resetClock)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (url: string, fields: Record<string, string>, cookie = '') =>
  stranger.raw({ method: 'POST', url, headers: { ...form, cookie }, payload: new URLSearchParams(fields).toString() })
const get = (url: string, cookie: string) => stranger.raw({ method: 'GET', url, headers: { cookie } })

const signIn = async (own: TestBusiness, customerId: string) => {
  await own.db((db) =>
    db.updateTable('customers').set({ email: 'ann@test.swath.test' }).where('id', '=', customerId).execute(),
  )
  const { slug } = await own.db((db) =>
    db.selectFrom('businesses').select('slug').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  await post(`/portal/${slug}/link`, { address: 'ann@test.swath.test' })
  await runTasks()
  const { bodyText } = await own.db((db) =>
    db
      .selectFrom('messages')
      .select('bodyText')
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'portal')
      .executeTakeFirstOrThrow(),
  )
  const entered = await post(`${/\/portal\/[\w-]{43}/.exec(bodyText)?.[0]}/enter`, {})
  return { base: `/portal/${slug}`, cookie: String(entered.headers['set-cookie']).split(';')[0] ?? '' }
}

const weekly = async (own: TestBusiness, weekday: number) => {
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  const { customerId, propertyId } = await aLawn(own)
  const recurrence = {
    freq: 'week' as const,
    interval: 1,
    weekdays: [weekday],
    phaseOn: today,
    holiday: 'next' as const,
    exceptions: [],
  }
  const line = { serviceId: items.find(({ code }) => code === 'mow')?.id ?? '', unitPriceCents: 5500, recurrence }
  const job = await own.api.ok(jobsApi.create, {
    body: { propertyId, title: 'Weekly mowing', startOn: today, lines: [line] },
  })
  return { customerId, job }
}

it('is paused once until a day, its visits go and come back, and only a pause of their own is ended', async () => {
  const own = await aBusiness()
  const { customerId, job } = await weekly(own, 5)
  const read = () => own.api.ok(jobsApi.get, { params: { id: job.id } })
  const { base, cookie } = await signIn(own, customerId)
  const pause = (until: string, once = newId()) => post(`${base}/service/${job.id}/pause`, { until, once }, cookie)
  for (const until of ['2026-04-08', '2027-04-08', 'never']) expect((await pause(until)).status).toBe(409)
  const once = newId()
  for (let press = 0; press < 2; press++) expect((await pause('2026-05-01', once)).status).toBe(303)
  expect(await read()).toMatchObject({ status: 'paused', pausedUntil: '2026-05-01' })
  const told = await own.db((db) =>
    db
      .selectFrom('notifications')
      .select('title')
      .where('businessId', '=', own.id)
      .where('dedupeKey', 'like', 'portal-pause:%')
      .execute(),
  )
  expect(told).toHaveLength(1)
  for (let press = 0; press < 2; press++)
    expect((await post(`${base}/service/${job.id}/resume`, {}, cookie)).status).toBe(303)
  expect((await read()).status).toBe('active')
  await own.api.ok(jobsApi.act, { params: { id: job.id, verb: 'pause' }, body: { until: '2026-06-01' } })
  expect((await post(`${base}/service/${job.id}/resume`, {}, cookie)).status).toBe(409)
  expect((await read()).status).toBe('paused')
})

it('is not paused over a visit that is too near, where it is off, or by a foreign hand', async () => {
  const own = await aBusiness()
  const { customerId, job } = await weekly(own, 2)
  const { base, cookie } = await signIn(own, customerId)
  const pause = (id: string) => post(`${base}/service/${id}/pause`, { until: '2026-05-01', once: newId() }, cookie)
  const near = await pause(job.id)
  expect([near.status, near.text.includes('too near')]).toEqual([409, true])
  // there is a way all the same: a message that is begun for them
  const service = await get(`${base}/service`, cookie)
  expect(service.text).toContain(`/messages?pause=${job.id}`)
  expect(service.text).not.toContain('Pause what you have')
  expect((await get(`${base}/messages?pause=${job.id}`, cookie)).text).toContain(`I would like to pause ${job.title}: `)
  const { propertyId } = await aLawn(own, { customer: 'Carl Secret' })
  const { lines } = await own.api.ok(jobsApi.get, { params: { id: job.id } })
  const theirs = await own.api.ok(jobsApi.create, {
    body: {
      propertyId,
      title: 'Theirs',
      startOn: today,
      lines: lines.map(({ serviceId, recurrence }) => ({ serviceId, unitPriceCents: 5500, recurrence })),
    },
  })
  for (const id of [theirs.id, newId(), 'x']) {
    expect((await pause(id)).status).toBe(404)
    expect((await get(`${base}/messages?pause=${id}`, cookie)).text).not.toContain('I would like to pause')
  }
  expect((await own.api.ok(jobsApi.get, { params: { id: theirs.id } })).status).toBe('active')
})
