import { fireEvent, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { ChangePreview, JobRecord } from '../contract.ts'
import { JobEditor } from './JobEditor.tsx'

/** The simulated page sets a space between the two letters that are seen and the rest; a browser reads one word. */
const weekday = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^${name.slice(0, 2)} ?${name.slice(2)}$`) })

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
    minCents: 4600,
    sizeAtMinSquareFeet: 20000,
    tiers: [{ centsPerKsqft: 100 }],
    frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
    difficultyPercent: [100, 100, 100, 100, 100],
    firstCutPercent: 100,
    roundToCents: 100,
  },
  timeRule: { fixedMinutes: 30, minutesPerKsqft: 0, minutesPerUnit: 0, difficultyPercent: [100, 100, 100, 100, 100] },
}
const job = {
  id: 'j1',
  version: 3,
  title: 'Mowing',
  instructions: '',
  poNumber: '',
  crew: null,
  billing: 'per_visit',
  startOn: '2026-05-01',
  endOn: null,
  property: { lawnSquareFeet: 8000, difficulty: 1 },
  nextVisits: [{ id: 'v1', day: '2026-06-16', occurrenceOn: '2026-06-16', status: 'scheduled', crew: null }],
  lines: [
    {
      id: 'l1',
      serviceId: 's1',
      description: '',
      quantity: 1,
      unitPriceCents: 7100,
      budgetMinutes: 30,
      onceOn: null,
      recurrence: {
        freq: 'week',
        interval: 1,
        weekdays: [2],
        phaseOn: '2026-05-05',
        holiday: 'next',
        exceptions: [],
      },
    },
  ],
} as unknown as JobRecord
const workCalendar = {
  today: '2026-06-12',
  workDays: [1, 2, 3, 4, 5],
  holidays: [],
  crews: [{ id: 'c1', name: 'North', workDays: [2], daysOff: [], licenses: [{ skill: 'applicator', spans: [] }] }],
}
const outcome: ChangePreview = { created: 0, changed: 12, moved: 0, removed: 0, kept: [], told: [] }

let preview: () => { status?: number; body: unknown }
let sent: unknown[]
beforeEach(() => {
  preview = () => ({ body: outcome })
  sent = []
})

const open = (shown: JobRecord = job) => {
  const closed = vi.fn()
  const asked = answerWith(async (request) => {
    if (request.url.endsWith('/preview-change')) return preview()
    if (request.method === 'PATCH') {
      sent.push(await request.json())
      return { body: job }
    }
    if (request.url.endsWith('/visits/calendar')) return { body: workCalendar }
    return { body: request.url.includes('/services') ? { items: [service] } : { items: [], nextCursor: null } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <JobEditor job={shown} calendar={calendar} onClose={closed} />
      </MemoryRouter>
    </SessionContext>,
  )
  return { user, asked, closed }
}
const retype = async (user: ReturnType<typeof show>['user'], text: string) => {
  const price = await screen.findByRole('textbox', { name: 'Price of a visit' })
  await user.clear(price)
  if (text) await user.type(price, text)
  return price
}

it('a save that comes before the count waits for it, shows the question and sends nothing', async () => {
  const { user, closed } = open()
  await retype(user, '60{Enter}{Enter}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('What the change does'))
  expect(sent).toEqual([])
  const save = await screen.findByRole('button', { name: 'Save and change 12 visits' })
  expect(closed).not.toHaveBeenCalled()
  await waitFor(() => expect(save.getAttribute('aria-busy')).toBe(null))
  await user.click(save)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(closed).toHaveBeenCalled()
})

it('a price that is to come stands beside its line, and can be let go or kept', async () => {
  const line = { ...job.lines[0], nextPrice: { cents: 7500, on: '2026-07-01' } }
  const { user } = open({ ...job, lines: [line] } as unknown as JobRecord)
  expect(await screen.findByText(/^\$75\.00 from .*Jul 1/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Leave the price as it is' }))
  expect(screen.getByText(/^No other price from .*Jul 1/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Keep the new price' }))
  await user.click(screen.getByRole('button', { name: 'Leave the price as it is' }))
  const save = await screen.findByRole('button', { name: 'Save and change 12 visits' })
  await waitFor(() => expect(save.getAttribute('aria-busy')).toBe(null))
  await user.click(save)
  await waitFor(() => expect(sent).toMatchObject([{ lines: [{ unitPriceCents: 7100, dropsNextPrice: true }] }]))
})

it('work that is paid by contract is said so, after its visits are counted', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('radio', { name: /^By contract/ }))
  const save = await screen.findByRole('button', { name: 'Save and change 12 visits' })
  await waitFor(() => expect(save.getAttribute('aria-busy')).toBe(null))
  await user.click(save)
  await waitFor(() => expect(sent).toMatchObject([{ billing: 'flat', scope: 'this_and_following' }]))
})

it('says that the crew has nobody with the license for the work, as new work is told', async () => {
  Object.assign(service, { skills: ['Applicator'] })
  open({ ...job, crew: { id: 'c1', name: 'North', color: 'blade' } } as unknown as JobRecord)
  expect(
    await screen.findByText(/^North has nobody at work on .*Jun 16 with a valid license for “applicator”/),
  ).toBeTruthy()
  Object.assign(service, { skills: [] })
})

it('a question below the fold is brought into sight first', async () => {
  const { user } = open()
  const price = await retype(user, '60')
  const line = await screen.findByText(/^12 visits changed on their days/)
  const output = line.closest('output') as HTMLElement
  output.getBoundingClientRect = () => ({ top: 1200, bottom: 1240 }) as DOMRect
  fireEvent.submit(price.closest('form') as HTMLFormElement)
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('What the change does'))
  expect(sent).toEqual([])
})

it('what cannot be is not sent: a schedule for one visit, a price below nothing, a week without a day', async () => {
  const { user } = open()
  const price = await retype(user, '-5{Enter}')
  expect(screen.getByText('A price takes no less than $0.')).toBeTruthy()
  await retype(user, '71')
  preview = () => ({
    status: 422,
    body: { code: 'validation_failed', message: 'A single visit has no schedule of its own.', requestId: 'r' },
  })
  await user.click(weekday('Friday'))
  const form = price.closest('form') as HTMLFormElement
  fireEvent.submit(form)
  expect((await screen.findByRole('alert')).textContent).toBe('A single visit has no schedule of its own.')
  fireEvent.submit(form)
  await user.click(weekday('Friday'))
  await user.click(weekday('Tuesday'))
  expect(screen.getByText('Choose at least one day.')).toBeTruthy()
  fireEvent.submit(form)
  expect(sent).toEqual([])
  await user.click(weekday('Friday'))
  expect(weekday('Tuesday').getAttribute('aria-pressed')).toBe('false')
})

it('an emptied price says whose price holds, and Escape asks before what was typed is dropped', async () => {
  const { user, closed } = open()
  const price = await retype(user, '')
  expect(screen.getByText('Left empty, the price rule holds: $46.00 from now on')).toBeTruthy()
  await user.type(price, '{Escape}')
  expect(closed).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Drop the changes' }))
  await waitFor(() => expect(closed).toHaveBeenCalled())
})
