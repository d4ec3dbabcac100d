import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { DayPlan, RouteStop } from '../src/features/routes/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import type { Day } from '../src/shared/dates.ts'
import type { Api } from '../src/test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { letIn } from './fixtures.ts'

/** A day's plan as the office sees it, the hands of the crew member who works it, and what it leaves in the books. */

export const crewOf = (plan: DayPlan, visitId: string): string | undefined =>
  plan.crews.find((crew) => crew.stops.some((stop) => stop.visitId === visitId))?.name

/** What to move where so that the stop at `street` ends on `wanted`; when it is there already, another one leaves for `other`. */
export const moveThatBrings = (
  plan: DayPlan,
  { street, wanted, other }: { street: string; wanted: string; other: string },
): { stop: RouteStop; from: string; to: string } => {
  const owner = plan.crews.find((crew) => crew.stops.some((stop) => stop.street === street))
  const stop =
    owner?.name === wanted
      ? owner.stops.findLast((one) => one.street !== street)
      : owner?.stops.find((one) => one.street === street)
  if (!owner || !stop) throw new Error(`There is no stop to move for ${street}.`)
  return { stop, from: owner.name, to: owner.name === wanted ? other : wanted }
}

/** The visit at a street on a day. */
export const visitOf = async (api: Api, day: Day, street: string) =>
  (await api.ok(visitsApi.list, { query: { from: day, to: day, q: street } })).items.find((v) => v.street === street)

/** A published day of a crew of two, whose people may sign in. */
export const aCrewDay = async ({
  streets,
  stopOf = () => ({}),
}: {
  streets: readonly string[]
  stopOf?: (index: number) => Omit<Parameters<typeof aVisit>[1], 'crewId'>
}) => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  await letIn(business)
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  const visits: string[] = []
  for (const [index, street] of streets.entries()) {
    const stop = { crewId, street, position: index + 1, startMinute: 430 + index * 40, ...stopOf(index) }
    visits.push((await aVisit(business, stop)).visitId)
  }
  await publishDay(business, crewId)
  return { business, crewId, visits, luis, ana }
}

/** The office cancels a visit while nobody of its crew hears of it. */
export const cancelVisit = (business: TestBusiness, visitId: string | undefined) =>
  business.db((db) =>
    db
      .updateTable('visits')
      .set((eb) => ({ status: 'canceled', version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', business.id)
      .where('id', '=', visitId ?? '')
      .execute(),
  )

/** What a phone's camera hands over. */
export const aPhoto = async () => ({
  name: 'lawn.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer(),
})

export const crewHands = (page: Page) => {
  const rowsToDo = () => page.getByRole('button', { name: /^\d+, to do: / })
  return {
    rowsToDo,
    /** Goes to a stop before its turn, if it is not at hand already. */
    goTo: async (street: string): Promise<void> => {
      const here = page.getByRole('heading', { name: street, exact: true, level: 2 })
      const row = rowsToDo().filter({ hasText: street })
      await here.or(row).first().waitFor()
      if (await here.isVisible()) return
      await row.click()
      await page.getByRole('button', { name: 'Do this one next' }).click()
      await here.waitFor()
    },
    start: async (): Promise<void> => {
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByText(/^On site 0 of \d+ min$/).waitFor()
    },
    finish: async (street: string): Promise<void> => {
      await page.getByRole('button', { name: 'Finish', exact: true }).click()
      await page.getByText(`Finished ${street}`).waitFor()
    },
    takePhoto: async (button: string): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: button }).click(),
      ])
      await chooser.setFiles(await aPhoto())
    },
    allSent: () => page.getByText('All sent').waitFor({ timeout: 60_000 }),
    /** The phone has everything that it needs to open without a signal. */
    isKept: () => page.evaluate(async () => void (await navigator.serviceWorker.ready)),
  }
}

/** What the phones sent about a visit, each command once. */
export const commandsAt = async ({ id, db }: TestBusiness, visitId: string): Promise<string[]> =>
  db(async (tables) => {
    const all = tables.selectFrom('crewCommands').select('type').where('businessId', '=', id)
    return (await all.where('visitId', '=', visitId).orderBy('type').execute()).map(({ type }) => type)
  })

export const ledgerOf = async (
  { id, db }: TestBusiness,
  customerId: string,
): Promise<{ kind: string; amountCents: number }[]> =>
  db((tables) =>
    tables
      .selectFrom('ledgerEntries')
      .select(['kind', 'amountCents'])
      .where('businessId', '=', id)
      .where('customerId', '=', customerId)
      .orderBy('kind')
      .execute(),
  )
