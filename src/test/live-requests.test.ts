import type { AddressInfo } from 'node:net'
import { QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeReader, createRefresher } from '../app/live.ts'
import { navCountsQuery } from '../app/navCounts.ts'
import { buildServer } from '../app-server.ts'
import { type CrewBundle, crewappApi } from '../features/crewapp/contract.ts'
import type { CommandType } from '../features/crewapp/rules.ts'
import { crewLive } from '../features/crewapp/web/concern.ts'
import { dashboardQuery } from '../features/dashboard/web/data.ts'
import { invoicesQuery } from '../features/invoices/web/data.ts'
import { notificationsQuery } from '../features/notifications/web/data.ts'
import { dayQuery } from '../features/routes/web/data.ts'
import { sheetsQuery } from '../features/timeclock/sheets/web/data.ts'
import { clock } from '../platform/clock.ts'
import { publishChange } from '../platform/events/changes.ts'
import { runAsTab } from '../platform/events/origin.ts'
import { newId } from '../platform/ids.ts'
import { addDays, startOfWeek } from '../shared/dates.ts'
import type { Change } from '../shared/topics.ts'
import { runTasks } from './api.ts'
import { aBusiness, type Person, type TestBusiness } from './factories.ts'
import { aCrew, aVisit, publishDay, today } from './field.ts'

// What one tap of a crew asks of the server when ten offices and twenty phones are open. `npm run bench -- live` prints its table.

let business: TestBusiness
let server: Awaited<ReturnType<typeof buildServer>>
const crews: { id: string; people: Person[]; visits: string[]; bundle: CrewBundle }[] = []

beforeAll(async () => {
  business = await aBusiness()
  server = await buildServer()
  await server.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < 10; n++) {
    const people = [await business.employee({ name: `Lead ${n}` }), await business.employee({ name: `Help ${n}` })]
    const id = await aCrew(business, { name: `Crew ${n}`, members: people })
    const visits =
      n === 0
        ? [(await aVisit(business, { crewId: id })).visitId, (await aVisit(business, { crewId: id })).visitId]
        : []
    if (visits.length > 0) await publishDay(business, id)
    const [lead] = people
    crews.push({ id, people, visits, bundle: await lead!.api.ok(crewappApi.day, {}) })
  }
}, 120_000)
afterAll(() => server.close())

const tabOf = (crew: number, person: number): string => `phone-${crew}-${person}`

/** Everything that open screens hear because of this work. */
const heardOf = async (work: () => Promise<unknown>): Promise<Change[]> => {
  const response = await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/events/stream`, {
    headers: { authorization: `Bearer ${business.api.token}`, 'x-client-app': 'admin' },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const heard: Change[] = []
  const read = changeReader((change) => heard.push(change))
  await work()
  await runTasks()
  // no screen here is about imports: its notice says that all before it have come
  await business.db((db) => publishChange(db, 'imports'))
  while (!heard.some((change) => change.topic === 'imports')) {
    const { done, value } = await reader.read()
    if (done) throw new Error('The stream ended.')
    read(value)
  }
  await reader.cancel()
  return heard.filter((change) => change.topic !== 'imports')
}

const tap = (types: CommandType[], visit: number) =>
  heardOf(async () => {
    const [first] = crews
    const commands = types.map((type) => ({
      id: newId(),
      type,
      visitId: first!.visits[visit],
      at: clock.iso(),
      payload: {},
    }))
    await new Promise<void>((done, failed) =>
      runAsTab(tabOf(0, 0), () => {
        const sent = first!.people[0]!.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })
        sent.then(() => done(), failed)
      }),
    )
  })

type Options = Pick<QueryObserverOptions, 'queryKey' | 'meta'>

/** Feeds changes to every open screen and counts what each asks of the server. */
const requestsOf = async (
  changes: readonly Change[],
): Promise<Record<string, { screens: number; requests: number }>> => {
  vi.useFakeTimers()
  const counts: Record<string, { screens: number; requests: number }> = {}
  const stops: (() => void)[] = []
  let counting = false
  const open = (tab: string, shown: { what: string; options: Options; data?: unknown }[]) => {
    const client = new QueryClient()
    for (const { what, options, data = {} } of shown) {
      counts[what] ??= { screens: 0, requests: 0 }
      const count = counts[what]
      count.screens += 1
      const { queryKey, meta } = options
      const observer = new QueryObserver(client, {
        queryKey: queryKey as readonly unknown[],
        ...(meta ? { meta } : {}),
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: () => {
          if (counting) count.requests += 1
          return data
        },
      })
      stops.push(observer.subscribe(() => undefined))
    }
    const refresher = createRefresher(client, tab, () => 0)
    stops.push(refresher.stop, () => client.clear())
    return refresher
  }
  const frame = [
    { what: 'sidebar', options: navCountsQuery as Options },
    { what: 'bell', options: notificationsQuery as Options },
  ]
  const plan = (day: string) => ({ options: dayQuery(day) as unknown as Options, data: { day } })
  const offices = [
    ...Array.from({ length: 5 }, () => ({ what: 'dashboard', options: dashboardQuery as unknown as Options })),
    { what: 'routes today', ...plan(today()) },
    { what: 'routes today', ...plan(today()) },
    { what: 'routes tomorrow', ...plan(addDays(today(), 1)) },
    {
      what: 'invoices',
      options: invoicesQuery({ view: 'all', sort: 'number', order: 'desc' }) as unknown as Options,
    },
    { what: 'timesheets', options: sheetsQuery(startOfWeek(today())) as unknown as Options },
  ]
  const screens = [
    ...offices.map((screen, n) => open(`office-${n}`, [...frame, screen])),
    ...crews.flatMap(({ bundle }, crew) =>
      [0, 1].map((person) =>
        open(tabOf(crew, person), [
          {
            what: crew > 0 ? 'phones of other crews' : person === 0 ? 'phone that tapped' : 'phone of the same crew',
            options: { queryKey: ['visits', 'crew-day', `${crew}-${person}`], meta: { live: crewLive(() => bundle) } },
          },
        ]),
      ),
    ),
  ]
  await vi.advanceTimersByTimeAsync(1_000)
  counting = true
  for (const { take } of screens) take(changes)
  await vi.advanceTimersByTimeAsync(30_000)
  for (const stop of stops) stop()
  vi.useRealTimers()
  return counts
}

const perScreen = (counts: Record<string, { screens: number; requests: number }>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).map(([what, { screens, requests }]) => [what, requests / screens]))

const print = (
  title: string,
  changes: readonly Change[],
  counts: Record<string, { screens: number; requests: number }>,
) => {
  if (process.env.SWATH_BENCH !== '1') return
  const sum = Object.values(counts).reduce((all, one) => all + one.requests, 0)
  console.log(`\n${title}: ${changes.length} notices, ${sum} requests of 10 offices and 20 phones`)
  for (const [what, { screens, requests }] of Object.entries(counts))
    console.log(`  ${what.padEnd(24)} ${String(screens).padStart(3)} open  ${(requests / screens).toFixed(2)} each`)
}

test('one tap is asked for once by who shows it, and by nobody else', async () => {
  const changes = await tap(['start'], 0)
  const counts = await requestsOf(changes)
  print('One tap (start)', changes, counts)
  expect(perScreen(counts)).toEqual({
    sidebar: 0,
    bell: 0,
    dashboard: 1,
    'routes today': 1,
    'routes tomorrow': 0,
    invoices: 0,
    timesheets: 0,
    'phone that tapped': 0,
    'phone of the same crew': 1,
    'phones of other crews': 0,
  })
})

test('a finish and the next start in one batch cost no more', async () => {
  const changes = await tap(['finish'], 0)
  const both = [...changes, ...(await tap(['en_route', 'start'], 1))]
  const counts = await requestsOf(both)
  print('Three taps (finish, drive, start)', both, counts)
  const each = perScreen(counts)
  expect(each).toMatchObject({ dashboard: 1, 'routes today': 1, 'routes tomorrow': 0, 'phone that tapped': 0 })
  expect(each['phones of other crews']).toBe(0)
})
