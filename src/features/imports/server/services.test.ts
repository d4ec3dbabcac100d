import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson } from '../../../test/factories.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { flatPriceRule } from '../../services/defaults/rules.ts'
import { importsApi } from '../contract.ts'

/** The dry run says what jobs, prices and balances it read, and what it does not find in the catalog of services. */

const file = `name,street,zip,service,frequency,price,open balance
Ann,1 Oak St,31401,Mowing,Every week on Tuesday,$45.00,$60.00
Bea,2 Oak St,31401,mowing,Every week on Monday,,
Cal,3 Oak St,31401,Hedges,Every week on Friday,$80.00,$10.50`

const checked = async (api: Api, text = file) => {
  const { id } = await api.ok(importsApi.create, { body: { fileName: 'jobs.csv', text } })
  return api.ok(importsApi.check, { params: { id } })
}
const ready = async (api: Api, id: string) =>
  (await api.ok(importsApi.rows, { params: { id }, query: { status: 'ok' } })).items

const aMowing = (api: Api) =>
  api.ok(servicesApi.create, {
    body: {
      name: 'Mow, edge, trim and blow',
      category: 'mow',
      unit: 'visit',
      priceRule: flatPriceRule(5000),
      timeRule: {
        fixedMinutes: 30,
        minutesPerKsqft: 0,
        minutesPerUnit: 0,
        difficultyPercent: [100, 100, 100, 100, 100],
      },
      taxCategory: 'lawn',
    } as never,
  })

describe('the dry run', () => {
  it('shows of each ready row the job, its rhythm, its price and the balance', async () => {
    const { api } = await aBusiness()
    const { id } = await checked(api)
    const rows = await ready(api, id)
    const [ann] = rows
    expect(ann?.job?.lines).toEqual([{ service: 'Mowing', rhythm: 'Every week on Tuesday', priceCents: 4500 }])
    expect(rows.map((row) => [row.name, row.balanceCents])).toContainEqual(['Ann', 6000])
  })

  it('keeps prices and balances from people who may not see money', async () => {
    const own = await aBusiness()
    const { id } = await checked(own.api)
    const { api } = await aPerson(own.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const [ann] = await ready(api, id)
    expect([ann?.balanceCents, ann?.job?.lines[0]?.priceCents]).toEqual([null, null])
    expect(ann?.job?.lines[0]?.rhythm).toBe('Every week on Tuesday')
    const csv = await api.call(importsApi.rowsCsv, { params: { id }, query: { status: 'ok' } })
    const { columns } = await api.ok(importsApi.get, { params: { id } })
    expect(csv.text).toContain('Ann')
    expect(`${csv.text} ${JSON.stringify(columns)}`).not.toMatch(/\b(45|60)(\.00)?\b/)
    // a column that nobody reads is still called what it is called
    const mapping = (await own.api.ok(importsApi.get, { params: { id } })).mapping.map((field) =>
      field === 'jobPrice' || field === 'openBalance' ? null : field,
    )
    await api.call(importsApi.setMapping, { params: { id }, body: { mapping } })
    const unread = await api.ok(importsApi.get, { params: { id } })
    expect(JSON.stringify(unread.columns)).not.toMatch(/\b(45|60)(\.00)?\b/)
  })

  it('names the services that are not there, and books with the one of ours that was chosen', async () => {
    const { api } = await aBusiness()
    const ours = await aMowing(api)
    const before = await checked(api)
    expect(before.newServices).toEqual([
      { name: 'Mowing', jobs: 2, serviceId: null },
      { name: 'Hedges', jobs: 1, serviceId: null },
    ])
    const chosen = { services: [{ name: 'Mowing', serviceId: ours.id }] }
    const params = { id: before.id }
    const after = await api.ok(importsApi.setServices, { params, body: chosen })
    expect(after.newServices).toEqual([
      { name: 'Mowing', jobs: 2, serviceId: ours.id },
      { name: 'Hedges', jobs: 1, serviceId: null },
    ])
    // Bea's row has no price of its own: that of our service holds
    expect([before.jobCount, after.jobCount]).toEqual([2, 3])
    const rows = await ready(api, before.id)
    expect(rows.map((row) => row.job?.lines.map((line) => [line.service, line.priceCents]))).toEqual([
      [['Mow, edge, trim and blow', 4500]],
      [['Mow, edge, trim and blow', 5000]],
      [['Hedges', 8000]],
    ])

    await api.ok(importsApi.confirm, { params, body: {} })
    await runTasks()
    const done = await api.ok(importsApi.get, { params })
    expect(done.addedServices).toEqual(['Hedges'])
    const jobs = (await api.ok(jobsApi.list, { query: {} })).items
    expect(jobs.map((job) => job.title).sort()).toEqual([
      'Hedges',
      'Mow, edge, trim and blow',
      'Mow, edge, trim and blow',
    ])
    const names = (await api.ok(servicesApi.catalog, { query: {} })).items.map((service) => service.name)
    expect(names).not.toContain('Mowing')

    // the next file of the same columns is read the same way, and its jobs are known
    const again = await checked(api)
    expect(again.newServices).toEqual([])
    expect([again.okCount, again.duplicateCount]).toEqual([0, 3])
  })

  it('refuses a service that is not there, and changes nothing', async () => {
    const { api } = await aBusiness()
    const { id } = await checked(api)
    const body = { services: [{ name: 'Mowing', serviceId: newId() }] }
    const answer = await api.call(importsApi.setServices, { params: { id }, body })
    expect([answer.status, answer.error.errors?.[0]?.message]).toEqual([
      422,
      'This service is not there any more. Choose again.',
    ])
    expect((await api.ok(importsApi.get, { params: { id } })).newServices[0]?.serviceId).toBeNull()
  })
})
