import type { Page } from 'playwright-core'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { employeesApi } from '../src/features/employees/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../src/test/factories.ts'
import { expectAccessible } from './browser.ts'

/** What a new business brings to its first day: people, crews, a list of customers. */

export const password = 'correct horse 1'

/** A zone in which the crews have just begun, whenever the tests run. */
export const zoneOfMorning = (hour = 9): string => {
  const ahead = hour - clock.now().getUTCHours()
  const hours = ahead < -11 ? ahead + 24 : ahead
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** Everybody of the business may sign in with the one password. */
export const letIn = async (business: TestBusiness): Promise<void> => {
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
}

export type NewBusiness = {
  business: TestBusiness
  timeZone: string
  owner: { email: string; password: string }
  people: Person[]
}

/** A business on its first morning: an owner and six people, nothing else. It works every day, so that today is a work day. */
export const aNewBusiness = async ({ cards = true } = {}): Promise<NewBusiness> => {
  const timeZone = zoneOfMorning()
  const business = await aBusiness({ name: 'Marsh Side Lawns', timeZone, workDays: [0, 1, 2, 3, 4, 5, 6], cards })
  const names = ['Luis Ortega', 'Ana Reyes', 'Ben Carter', 'Kim Walsh', 'Omar Diaz', 'Tess Nolan']
  const people: Person[] = []
  for (const name of names) people.push(await aPerson(business.id, 'Employee', { name, wageCents: 1900 }))
  await letIn(business)
  return { business, timeZone, owner: { email: business.owner.email, password }, people }
}

export const depots = {
  North: { depotStreet: '1 Rail Yard Rd', depotLatitude: 32.1, depotLongitude: -81.15 },
  Coast: { depotStreet: '7 Causeway Dr', depotLatitude: 32.02, depotLongitude: -81.02 },
  South: { depotStreet: '22 Depot Rd', depotLatitude: 31.98, depotLongitude: -81.16 },
}

/** Three crews of two with depot and shift. */
export const threeCrews = async ({ business, people }: NewBusiness): Promise<Record<keyof typeof depots, string>> => {
  const ids: Record<string, string> = {}
  for (const [index, [name, depot]] of Object.entries(depots).entries()) {
    const crew = await business.api.ok(employeesApi.createCrew, {
      body: {
        name,
        ...depot,
        memberUserIds: people.slice(2 * index, 2 * index + 2).map((person) => person.userId),
        shiftStartMinute: 420,
        shiftEndMinute: 1020,
        workDays: [0, 1, 2, 3, 4, 5, 6],
      },
    })
    ids[name] = crew.id
  }
  return ids as Record<keyof typeof depots, string>
}

const firsts = ['Rebecca', 'Marcus', 'Dana', 'Theo', 'Ines', 'Walter', 'Grace', 'Hank', 'Lena', 'Oscar']
const lasts = ['Odom', 'Pruitt', 'Sayle', 'Tanner', 'Varga', 'Whitlow', 'Yates', 'Zeller']
const streets = [
  'Laurel Green Ct',
  'Cathy St',
  'Wassaw Rd',
  'Bay Oak Ln',
  'Tibet Ave',
  'Egret Point Dr',
  'Marsh Hen Way',
]

export type ListedCustomer = { name: string; street: string; city: string; email: string; squareFeet: number | null }

/** Forty invented customers around Savannah: thirty in town, ten in Pooler; the last one in town has no lawn size. */
export const customers: readonly ListedCustomer[] = Array.from({ length: 40 }, (_, i) => {
  const first = firsts[i % firsts.length] ?? ''
  const last = lasts[(i * 3 + Math.floor(i / 10)) % lasts.length] ?? ''
  return {
    name: `${first} ${last}`,
    street: `${101 + i * 7} ${streets[i % streets.length]}`,
    city: i < 30 ? 'Savannah' : 'Pooler',
    email: `${first}.${last}.${i}@customer.example`.toLowerCase(),
    squareFeet: i === 29 ? null : 4000 + ((i * 1700) % 12_000),
  }
})
export const inTown = customers.filter((customer) => customer.city === 'Savannah')
export const withoutSize = inTown.find((customer) => customer.squareFeet === null) as ListedCustomer
export const customerAt = (street: string): ListedCustomer => {
  const found = customers.find((customer) => customer.street === street)
  if (!found) throw new Error(`Nobody lives at ${street}.`)
  return found
}

const header = 'Mobile #,LNG,How big,Town,ST,Lat.,Where we mow,E-Mail Addr,Client Name,Post Code,Gate combo,Truck color'

const lineOf = (customer: ListedCustomer, i: number): string =>
  [
    `(912) 555-01${String(i).padStart(2, '0')}`,
    (-81.14 + ((i * 37) % 100) / 1000).toFixed(5),
    customer.squareFeet === null ? '' : `"${customer.squareFeet.toLocaleString('en-US')}"`,
    customer.city,
    'GA',
    (32 + ((i * 53) % 90) / 1000).toFixed(5),
    customer.street,
    customer.email,
    customer.name,
    customer.city === 'Pooler' ? '31322' : '31406',
    i === 3 ? '4711#' : '',
    'green',
  ].join(',')

/** Lines that cannot come in, with the words that say why. */
export const badLines = [
  { cells: '(912) 555-0180,-81.1,5000,Savannah,GA,32.05,9 Nameless Way,,,31406,,green', reason: 'No name.' },
  {
    cells: '(912) 555-0181,-81.1,5000,Savannah,ON,32.05,11 Far Away Ct,,Norbert Pole,31406,,green',
    reason: 'State "ON" is not a state of the United States.',
  },
  { cells: '(912) 555-0182,-81.1,5000,Savannah,GA,32.05,,,Placida Home,31406,,green', reason: 'The street is empty.' },
] as const

/** The list as another program wrote it: columns in an order and with names of its own, three bad lines between the good ones. */
export const customerFile = (): { name: string; text: string; badAt: number[] } => {
  const lines = customers.map(lineOf)
  const badAt = [5, 17, 29]
  for (const [index, at] of badAt.entries()) lines.splice(at - 2, 0, badLines[index]?.cells ?? '')
  return { name: 'customers-2024 (final).csv', text: `${header}\r\n${lines.join('\r\n')}\r\n`, badAt }
}

/** Lets a file fall on a place of the page, as from a folder beside the browser. */
export const dropFile = async (page: Page, label: string, file: { name: string; text: string }): Promise<void> => {
  const data = await page.evaluateHandle(({ name, text }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], name, { type: 'text/csv' }))
    return transfer
  }, file)
  const place = page.getByText(label)
  await place.dispatchEvent('dragover', { dataTransfer: data })
  await place.dispatchEvent('drop', { dataTransfer: data })
}

const desk = { width: 1440, height: 1000 }
const phone = { width: 390, height: 844 }

/** The screen as it stands at a desk and on a phone: nothing for axe, nothing that scrolls sideways. */
export const expectAccessibleAtBothWidths = async (page: Page): Promise<void> => {
  for (const size of [phone, desk]) {
    await page.setViewportSize(size)
    // what is on its way is drawn paler for a moment
    await page.locator('[aria-busy="true"]:visible').first().waitFor({ state: 'detached' })
    // colors are the same at every width
    await expectAccessible(page, { dark: size === desk })
  }
}

/** A part of a long way; a failure in it says where on the way it was. */
export const step = async (name: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`
    throw error
  }
}
