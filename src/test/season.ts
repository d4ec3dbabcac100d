import { jobsApi } from '../features/jobs/contract.ts'
import type { Recurrence } from '../features/jobs/rules.ts'
import { type SeasonRun, seasonApi, type WhatIf } from '../features/season/contract.ts'
import { servicesApi } from '../features/services/contract.ts'
import { newId } from '../platform/ids.ts'
import type { Api } from './api.ts'
import { aBusiness } from './factories.ts'
import { aCrew } from './field.ts'

/** A season to plan, and what is done with a plan through HTTP. */

// A Monday in season.
export const today = '2026-04-06'
export const fromOn = '2026-04-20'
const work = [1, 2, 3, 4, 5]

type Made = { id: string; customerId: string; group: number }

/** Two towns to the north and south of the depot; every other lawn of each is on the wrong day. */
export const aSeason = async (changes: { lawns?: number; minutes?: number; interval?: number } = {}) => {
  const business = await aBusiness({ workDays: work })
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ seasonStart: '03-01', seasonEnd: '11-30', latitude: 32.05, longitude: -81.1 })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  const mow = items.find((service) => service.code === 'mow')?.id ?? ''
  const crew = await aCrew(business, { name: 'North', workDays: [2, 4] })
  const book = async (n: number, more: object = {}, rule: Partial<Recurrence> = {}): Promise<Made> => {
    const [customerId, propertyId] = [newId(), newId()]
    const group = n % 2
    await business.db(async (db) => {
      const language = n === 3 ? 'es' : 'en'
      const contact = n < 8 ? { email: `c${n}-${customerId}@test.swath.test` } : {}
      await db
        .insertInto('customers')
        .values({ businessId: business.id, id: customerId, name: `Customer ${n}`, language, ...contact })
        .execute()
      await db
        .insertInto('properties')
        .values({
          ...{ businessId: business.id, id: propertyId, customerId, street: `${n} Oak St`, lawnSquareFeet: 9000 },
          ...{ city: group ? 'Northtown' : 'Southtown', zip: group ? '31401' : '31402', state: 'GA' },
          latitude: 32.05 + (group ? 0.15 : -0.15) + 0.002 * n,
          longitude: -81.1 + 0.001 * ((n * 5) % 7),
        })
        .execute()
    })
    const recurrence: Recurrence = {
      ...{ freq: 'week', interval: changes.interval ?? 1, weekdays: [n % 4 < 2 ? 2 : 4], phaseOn: today },
      ...{ holiday: 'next', exceptions: [] },
      ...rule,
    }
    const job = await business.api.ok(jobsApi.create, {
      body: {
        ...{ propertyId, startOn: today, crewId: crew },
        lines: [{ serviceId: mow, recurrence, unitPriceCents: 5000, budgetMinutes: changes.minutes ?? 30 }],
        ...more,
      } as never,
    })
    return { id: job.id, customerId, group }
  }
  const jobs: Made[] = []
  for (let n = 0; n < (changes.lawns ?? 12); n++) jobs.push(await book(n))
  return { business, crew, jobs, mow, book }
}

const over = async (api: Api, id: string): Promise<SeasonRun> => {
  for (;;) {
    const run = await api.ok(seasonApi.run, { params: { id } })
    if (run.status !== 'running') return run
    await new Promise((next) => setTimeout(next, 25))
  }
}

export const planned = async (api: Api, whatIf: WhatIf | null = null): Promise<SeasonRun> => {
  const { run } = await api.ok(seasonApi.start, { body: { whatIf } as never })
  const ended = await over(api, run.id)
  if (!ended.result) throw new Error(`The search ${ended.status}: ${ended.error}`)
  return ended
}

export const openIds = (run: SeasonRun): string[] =>
  run.result?.moves.flatMap((move) => (move.state === 'open' ? [move.jobId] : [])) ?? []

export const accept = (api: Api, run: SeasonRun, jobIds: string[], from = fromOn) =>
  api.call(seasonApi.accept, { params: { id: run.id }, body: { jobIds, fromOn: from } })
