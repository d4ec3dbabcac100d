import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { ServiceRecord } from '../../services/contract.ts'
import { OneCustomer } from './OneCustomer.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const calendar = { today: '2026-06-12', workDays: [], holidays: [], holidayRule: 'next' as const, season: [] }
const service = {
  id: 's1',
  name: 'Mow',
  unit: 'visit',
  category: 'mow',
  priceRule: {
    minCents: 4500,
    sizeAtMinSquareFeet: 20000,
    tiers: [{ centsPerKsqft: 100 }],
    frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
    difficultyPercent: [100, 100, 100, 100, 100],
    firstCutPercent: 100,
    roundToCents: 100,
  },
  timeRule: { fixedMinutes: 30, minutesPerKsqft: 0, minutesPerUnit: 0, difficultyPercent: [100, 100, 100, 100, 100] },
} as unknown as ServiceRecord
const place = {
  propertyId: 'p1',
  customerId: 'c1',
  customerName: 'Ann Lee',
  street: '22 Oak Ave',
  city: 'Chattanooga',
  lawnSquareFeet: 8000,
  difficulty: 1,
  serviceIds: [],
}

it('a price that cannot be read books nothing, and stands in no sum', async () => {
  const asked = answerWith(({ url }) => ({
    body: url.includes('/places') ? { items: [place], nextCursor: null } : { items: [], totals: { doneVisits: 0 } },
  }))
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={['/jobs?tab=create&propertyId=p1']}>
        <OneCustomer services={[service]} calendar={calendar} />
      </MemoryRouter>
    </SessionContext>,
  )
  const create = await screen.findByRole('button', { name: 'Create job for Ann Lee' })
  const price = screen.getByRole('textbox', { name: 'Price of a visit' })
  await waitFor(() => expect(price).toHaveProperty('value', '45.00'))
  await user.clear(price)
  await user.type(price, '12,5')
  await user.tab()
  expect(screen.getByLabelText('This job').textContent).toContain('A visit–')
  await user.click(create)
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
  expect(document.activeElement).toBe(price)
  expect(screen.queryByText('By the price rule')).toBeNull()
  await user.clear(price)
  await user.type(price, '12.50')
  await user.click(create)
  await waitFor(() => expect(asked).toContain('POST /api/jobs'))
})

it.each(['0', '-3'])('a quantity of %s is refused in sight, and books nothing', async (typed) => {
  const asked = answerWith(({ url }) => ({
    body: url.includes('/places') ? { items: [place], nextCursor: null } : { items: [], totals: { doneVisits: 0 } },
  }))
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={['/jobs?tab=create&propertyId=p1']}>
        <OneCustomer services={[{ ...service, unit: 'hour' }]} calendar={calendar} />
      </MemoryRouter>
    </SessionContext>,
  )
  const create = await screen.findByRole('button', { name: 'Create job for Ann Lee' })
  const hours = screen.getByRole('textbox', { name: 'Labor hours' })
  await user.clear(hours)
  await user.type(hours, typed)
  await user.tab()
  expect(hours).toHaveProperty('value', typed)
  expect(screen.getByText('Type more than 0. To leave the service out, remove it.')).toBeTruthy()
  expect(screen.getByLabelText('This job').textContent).toContain('A visit–')
  await user.click(create)
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
  expect(document.activeElement).toBe(hours)
  await user.clear(hours)
  await user.type(hours, '2')
  await user.click(create)
  await waitFor(() => expect(asked).toContain('POST /api/jobs'))
})

it('proposes work that wants weeks between its visits once, and says so when it is to come every week', async () => {
  answerWith(({ url }) => ({
    body: url.includes('/places') ? { items: [place], nextCursor: null } : { items: [], totals: { doneVisits: 0 } },
  }))
  const fertilize = { ...service, name: 'Fertilize', minGapDays: 28 }
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={['/jobs?tab=create&propertyId=p1']}>
        <OneCustomer services={[fertilize]} calendar={calendar} />
      </MemoryRouter>
    </SessionContext>,
  )
  await screen.findByRole('button', { name: 'Create job for Ann Lee' })
  const note = /wants at least 28 days between two visits. Booked like this they are 7 days apart/
  expect(screen.queryByText(note)).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Every week' }))
  await screen.findByText(note)
})

it('work that comes back can keep its day from the start; work done once has no such choice', async () => {
  const bodies: unknown[] = []
  answerWith(async (request) => {
    if (request.method === 'POST') bodies.push(await request.json())
    return {
      body: request.url.includes('/places')
        ? { items: [place], nextCursor: null }
        : { items: [], totals: { doneVisits: 0 } },
    }
  })
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={['/jobs?tab=create&propertyId=p1']}>
        <OneCustomer services={[service]} calendar={calendar} />
      </MemoryRouter>
    </SessionContext>,
  )
  const create = await screen.findByRole('button', { name: 'Create job for Ann Lee' })
  await user.click(screen.getByRole('checkbox', { name: /Keep this day/ }))
  await user.click(create)
  await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ keepDay: true })]))
  await user.click(screen.getByRole('radio', { name: 'Once' }))
  expect(screen.queryByRole('checkbox', { name: /Keep this day/ })).toBeNull()
})
