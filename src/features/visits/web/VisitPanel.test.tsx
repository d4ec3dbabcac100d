import { act, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { usualSkips } from '../../businesses/skips/rules.ts'
import type { Visit } from '../contract.ts'
import { visitActions } from '../rules.ts'
import { VisitPanel } from './VisitPanel.tsx'

const id = '01a202c7-f2af-717a-8cad-ef17944daad1'
const may = (...actions: readonly string[]) =>
  Object.fromEntries(visitActions.map((action) => [action, actions.includes(action)])) as Visit['can']

const labor = {
  people: [{ userId: id, name: 'Luis Ortega', seconds: 2520, costCents: 1568 }],
  seconds: 2520,
  costCents: 1568,
}

const planned: Visit = {
  id,
  jobId: '01a202c7-f2af-717a-8cad-ef17944daad2',
  jobNumber: 1042,
  customerId: '01a202c7-f2af-717a-8cad-ef17944daad3',
  customerName: 'Rebecca Odom',
  propertyId: '01a202c7-f2af-717a-8cad-ef17944daad4',
  street: '12 Oak St',
  city: 'Savannah',
  title: 'Weekly mowing',
  serviceNames: ['Mow'],
  day: '2026-06-10',
  occurrenceOn: '2026-06-10',
  crewId: null,
  crewName: null,
  status: 'scheduled',
  windowStartMinute: null,
  windowEndMinute: null,
  budgetMinutes: 30,
  startedAt: null,
  finishedAt: null,
  workedSeconds: 0,
  people: null,
  skipReason: null,
  photoCount: 0,
  invoiceId: null,
  billable: true,
  rebookedAs: null,
  priceCents: 5500,
  version: 3,
  can: may('move', 'unschedule', 'cancel', 'finish', 'skip'),
  origin: 'rule',
  movedFrom: null,
  note: '',
  customerNote: '',
  sawNote: '',
  didNote: '',
  expectNote: '',
  nextNote: '',
  skipNote: '',
  skipChargeCents: null,
  checklist: [],
  untickedReason: '',
  officeNote: '',
  skips: usualSkips.map(({ code, needsNote }) => ({ code, needsNote, charged: false, chargeCents: null })),
  enRouteAt: null,
  finishedByName: null,
  checked: [],
  lines: [
    {
      id: '01a202c7-f2af-717a-8cad-ef17944daad5',
      serviceId: '01a202c7-f2af-717a-8cad-ef17944daad6',
      name: 'Mow',
      description: '',
      quantity: 1,
      budgetMinutes: 30,
      totalCents: 5500,
    },
  ],
  place: {
    unit: '',
    state: 'GA',
    zip: '31401',
    dog: '',
    parking: '',
    noGo: '',
    notes: '',
    hasGateCode: false,
    hasPin: true,
  },
  job: { status: 'active', instructions: '', recurring: true, nextDay: '2026-06-17' },
  needs: { skills: [], minGapDays: 0, previousDay: null, nextDay: null, sameWork: [] },
  crew: null,
  sent: 'no',
  plannedStartMinute: 540,
  plannedMinutes: 30,
  rebookedDay: null,
  rebookedFrom: null,
  phone: null,
  email: null,
  invoice: null,
  messages: null,
  history: [],
  photos: [],
  conflicts: [],
}
const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const shown = () =>
  show(
    <MemoryRouter>
      <SessionContext value={session}>
        <VisitPanel id={id} onClose={() => undefined} onOpen={() => undefined} />
        <ToastHost />
      </SessionContext>
    </MemoryRouter>,
  )

type Sent = { path: string; body: Record<string, unknown> }
const opened = (
  visit: Visit,
  answers: (sent: Sent) => { status?: number; body: unknown } = () => ({ body: visit }),
) => {
  const sent: Sent[] = []
  answerWith(async (request) => {
    const path = new URL(request.url).pathname
    if (path.endsWith('/labor')) return { body: labor }
    if (request.method === 'GET') return path.endsWith('/calendar') ? { body: calendar } : { body: visit }
    const one = { path: path.split('/').at(-1) ?? '', body: (await request.json()) as Record<string, unknown> }
    sent.push(one)
    return answers(one)
  })
  return { ...shown(), sent }
}
const calendar = { today: '2026-06-10', workDays: [1, 2, 3, 4, 5], holidays: ['2026-06-11'], crews: [] }
const button = (name: string | RegExp) => screen.findByRole('button', { name })

it('an empty visit says so in every part and offers what may be done', async () => {
  opened(planned)
  expect(await screen.findByText('None yet. What the crew takes on its phone stands here.')).toBeTruthy()
  expect(screen.getByText('Nothing was done to it since it was booked.')).toBeTruthy()
  for (const name of ['Finish', 'Move', 'Skip']) expect(screen.getByRole('button', { name })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Reopen|Bring back|Book another day/ })).toBeNull()
})

it('labor minutes and the minutes of a crew are told apart; one person has only one number', async () => {
  const crew = { id, name: 'North', color: '#1f6b45' }
  const visit = { ...planned, budgetMinutes: 66, plannedMinutes: 33 }
  const { unmount } = opened({ ...visit, crew: { ...crew, people: 2 } })
  expect(await screen.findByText('1 h 06 min of labor: 33 min on site for 2 people.')).toBeTruthy()
  expect(screen.getByText('33 min planned for 2 people')).toBeTruthy()
  unmount()
  opened({ ...visit, plannedMinutes: 66, crew: { ...crew, people: 1 } })
  expect(await screen.findByText('1 h 06 min planned')).toBeTruthy()
  expect(screen.queryByText(/of labor/)).toBeNull()
})

it('a full one shows times against the plan, photos that open large, messages, history and the invoice', async () => {
  const { user } = opened({
    ...planned,
    status: 'completed',
    can: may(),
    startedAt: '2026-06-10T13:00:00Z',
    finishedAt: '2026-06-10T13:42:00Z',
    finishedByName: 'Luis Ortega',
    workedSeconds: 42 * 60,
    invoiceId: id,
    invoice: { id, number: 1043, status: 'issued' },
    messages: [
      {
        id,
        channel: 'sms',
        direction: 'inbound',
        text: 'Mind the roses',
        status: 'received',
        reason: null,
        runAfter: null,
        at: '2026-06-10T12:00:00Z',
      },
    ],
    history: [{ id, at: '2026-06-10T12:00:00Z', by: 'Ana Owner', fromPhone: false, text: 'Moved from Tue to Wed' }],
    photos: [
      {
        id,
        kind: 'before',
        url: '/a.jpg',
        width: 800,
        height: 600,
        takenAt: '2026-06-10T13:00:00Z',
        byName: 'Luis',
        fromCustomer: false,
        strokes: [],
      },
      {
        id: planned.jobId,
        kind: 'other',
        url: '/b.jpg',
        width: 800,
        height: 600,
        takenAt: null,
        byName: 'Ana Owner',
        fromCustomer: true,
        strokes: [],
      },
    ],
  })
  expect(await screen.findByText(/30 min planned, 12 min longer/)).toBeTruthy()
  for (const text of ['Mind the roses', 'Moved from Tue to Wed', 'It is billed.'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(await screen.findByText('$15.68')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Reopen' })).toBeNull()
  await user.click(await button(/Open: Before/))
  const large = await screen.findByRole('dialog', { name: /Before/ })
  expect(within(large).getByText('1 of 2')).toBeTruthy()
  await user.click(within(large).getByRole('button', { name: 'Next' }))
  expect(await within(large).findByText('2 of 2')).toBeTruthy()
  expect(await screen.findByRole('dialog', { name: 'From the customer · added by Ana Owner' })).toBeTruthy()
})

it('a message that was recalled does not read as if it had left', async () => {
  const notice = { id, channel: 'sms', direction: 'outbound', at: '2026-06-09T20:00:00Z', runAfter: null } as const
  opened({
    ...planned,
    messages: [
      { ...notice, text: 'Our prices change', status: 'suppressed', reason: 'The price change was taken back' },
      { ...notice, id: planned.jobId, text: 'We come tomorrow', status: 'delivered', reason: null },
    ],
  })
  expect(await screen.findByText('from you, text · Not sent · The price change was taken back')).toBeTruthy()
  expect(screen.getByText('from you, text · Delivered')).toBeTruthy()
})

it('a skip whose charge stands in a draft stays a skip, and says what is in the way of bringing it back', async () => {
  const { unmount } = opened({
    ...planned,
    status: 'skipped',
    can: may('rebook'),
    invoiceId: id,
    invoice: { id, number: 1642, status: 'draft' },
  })
  expect(await screen.findByText('Skipped, charge in a draft')).toBeTruthy()
  expect(screen.getByText('The charge for this skip stands in a draft.')).toBeTruthy()
  expect(screen.getByText(/To bring it back, void/)).toBeTruthy()
  unmount()
  opened({
    ...planned,
    status: 'completed',
    can: may(),
    invoiceId: id,
    invoice: { id, number: 1642, status: 'draft' },
  })
  expect(await screen.findByText('In a draft')).toBeTruthy()
})

it('a skip asks why, sends the version that was seen, and Undo takes back exactly that', async () => {
  const skipped: Visit = { ...planned, status: 'skipped', skipReason: 'dog', version: 4, can: may('reopen', 'rebook') }
  const { user, sent } = opened(planned, ({ path }) => ({
    body: path === 'undo' ? { ...planned, version: 5 } : skipped,
  }))
  await user.click(await button('Skip'))
  await user.click(await button('Skip this visit'))
  expect(await screen.findByText('Pick a reason.')).toBeTruthy()
  expect(sent).toEqual([])
  await user.click(screen.getByLabelText('Dog in the yard'))
  await user.click(await button('Skip this visit'))
  expect(await button('Bring back')).toBeTruthy()
  await user.click(await button('Undo'))
  expect(await button('Finish')).toBeTruthy()
  expect(sent).toEqual([
    { path: 'skip', body: { reason: 'dog', note: '', version: 3 } },
    { path: 'undo', body: { version: 4 } },
  ])
})

it('what the phone did meanwhile is told, and nothing is written over it', async () => {
  const conflict = { code: 'version_conflict', message: 'Somebody else changed this visit.', requestId: 'r' }
  let now: Visit = planned
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: request.url.endsWith('/labor') ? labor : now }
    now = { ...planned, status: 'completed', version: 4, can: may('reopen') }
    return { status: 409, body: conflict }
  })
  const { user } = shown()
  await user.click(await button('Finish'))
  await user.click(await button('Finish the visit'))
  expect(await screen.findByText(/it is finished now\. Nothing was overwritten/)).toBeTruthy()
})

it('a move offers no closed day, and says why one that was typed is closed', async () => {
  const { user, sent } = opened(planned)
  await user.click(await button('Move'))
  expect(await button('Fri, Jun 12')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Thu, Jun 11' })).toBeNull()
  await user.type(screen.getByLabelText(/^Day/), '6/11')
  await user.tab()
  expect(await screen.findByText('Thu, Jun 11 is a holiday of yours.')).toBeTruthy()
  // a day that is refused is not promised by the button
  await user.click(within(screen.getByRole('dialog', { name: /^Move / })).getByRole('button', { name: 'Move' }))
  expect(sent).toEqual([])
  await user.click(await button('Fri, Jun 12'))
  await user.click(await button('Move to Fri, Jun 12'))
  await waitFor(() => expect(sent).toEqual([{ path: 'move', body: { day: '2026-06-12', crewId: null, version: 3 } }]))
})

it('a move of a visit that the crew was sent says so; another day for a skipped one is news to nobody yet', async () => {
  const words = /The crew was sent this day already/
  const { user, unmount } = opened({ ...planned, sent: 'yes' })
  await user.click(await button('Move'))
  expect(await screen.findByText(words)).toBeTruthy()
  unmount()
  const again = opened({ ...planned, status: 'skipped', sent: 'yes', can: may('reopen', 'rebook') })
  await again.user.click(await button('Book another day'))
  expect(await button('Fri, Jun 12')).toBeTruthy()
  expect(screen.queryByText(words)).toBeNull()
})

it('a move of a visit that its crew drives to says so, and a skip meanwhile does not turn it into another question', async () => {
  const crew = { id: '01a202c7-f2af-717a-8cad-ef17944daad9', name: 'North', color: '#14432f', members: [] }
  const { user, client } = opened({
    ...planned,
    status: 'en_route',
    crew: crew as unknown as Visit['crew'],
    sent: 'yes',
  })
  await user.click(await button('Move'))
  expect(await screen.findByText(/North is on the way there\. Their phones are told at once/)).toBeTruthy()
  act(() => {
    for (const [key, data] of client.getQueriesData({}))
      if ((data as Visit | undefined)?.jobNumber)
        client.setQueryData(key, { ...planned, status: 'skipped', can: may('reopen', 'rebook') })
  })
  expect(await screen.findByText(/it is skipped now\. Nothing was moved/)).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'Move 12 Oak St' })).toBeTruthy()
  await user.click(within(screen.getByRole('dialog', { name: 'Move 12 Oak St' })).getByText('Book another day'))
  expect(await screen.findByRole('dialog', { name: 'Book another day for 12 Oak St' })).toBeTruthy()
})

it('one that is still to come is not offered to be finished: nobody can say yet when it ended', async () => {
  opened({ ...planned, day: '2099-06-10' })
  expect(await button('Move')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull()
})

it('a finish asks for times, and for what was done', async () => {
  const { user, sent } = opened(planned)
  await user.click(await button('Finish'))
  expect((await screen.findByLabelText<HTMLInputElement>(/Began/)).value).toBe('9:00 AM')
  await user.click(screen.getByLabelText('Mow'))
  await user.click(await button('Finish the visit'))
  expect(await screen.findByText('Nothing was done? Then skip the visit instead.')).toBeTruthy()
  expect(sent).toEqual([])
  await user.click(screen.getByLabelText('Mow'))
  await user.click(await button('Finish the visit'))
  await waitFor(() =>
    expect(sent).toMatchObject([{ path: 'finish', body: { startMinute: 540, endMinute: 570, people: 1, version: 3 } }]),
  )
})

it('a cancellation says what becomes of the job, and one that fails keeps the words', async () => {
  const refused = { code: 'state_conflict', message: 'This visit is finished. Nothing was changed.', requestId: 'r' }
  const { user } = opened(planned, () => ({ status: 409, body: refused }))
  await user.click(await button('More for this visit'))
  await user.click(await screen.findByText('Cancel this visit'))
  expect(await screen.findByText(/Its job goes on: the next one is on Wed, Jun 17/)).toBeTruthy()
  await user.type(screen.getByLabelText(/Why/), 'Away')
  await user.click(await button('Cancel this visit'))
  expect(await screen.findByText('This visit is finished. Nothing was changed.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/Why/).value).toBe('Away')
})

it('a step that is pressed twice is done and told once, and taken back once', async () => {
  const canceled: Visit = { ...planned, status: 'canceled', can: may('reopen') }
  const { user, sent } = opened(canceled, ({ path }) => ({
    body: path === 'undo' ? { ...canceled, version: 5 } : { ...planned, version: 4 },
  }))
  await user.dblClick(await button('Bring back'))
  expect(await button('Finish')).toBeTruthy()
  await user.dblClick(await button('Undo'))
  expect(await button('Bring back')).toBeTruthy()
  expect(sent.map(({ path }) => path)).toEqual(['reopen', 'undo'])
})

it('what changed below an open dialog is told first, and written over only by who knows it', async () => {
  let now: Visit = planned
  const sent: unknown[] = []
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: request.url.endsWith('/calendar') ? calendar : now }
    const body = (await request.json()) as { version: number }
    sent.push(body.version)
    if (body.version === now.version) return { body: { ...now, status: 'canceled', version: 9, can: may('reopen') } }
    return { status: 409, body: { code: 'version_conflict', message: 'Somebody else', requestId: 'r' } }
  })
  const { user, client } = shown()
  await user.click(await button('More for this visit'))
  await user.click(await screen.findByText('Cancel this visit'))
  await screen.findByLabelText(/Why/)
  now = { ...planned, day: '2026-06-12', version: 4 }
  await client.invalidateQueries()
  await user.click(await button('Cancel this visit'))
  expect(await screen.findByText(/Somebody changed this visit meanwhile/)).toBeTruthy()
  await user.click(await button('Cancel this visit'))
  expect(await button('Bring back')).toBeTruthy()
  expect(sent).toEqual([3, 4])
})

it('one that cannot be loaded says so and is asked for again', async () => {
  let fails = true
  answerWith(() =>
    fails ? { status: 500, body: { code: 'internal', message: 'Down', requestId: 'r' } } : { body: planned },
  )
  const { user } = shown()
  expect(await screen.findByText('We could not load this visit')).toBeTruthy()
  fails = false
  await user.click(await button(/again/i))
  expect(await screen.findByRole('heading', { name: '12 Oak St' })).toBeTruthy()
})
