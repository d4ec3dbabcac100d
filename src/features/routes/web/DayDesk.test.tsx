import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { type DayPlan, RouteTotals } from '../contract.ts'
import { RouteDay } from './RouteDay.tsx'

const day = '2026-06-15'
const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const totals: RouteTotals = RouteTotals.parse({
  ...{ stops: 1, driveSeconds: 0, driveMeters: 0, workSeconds: 0, shiftPercent: 0, endMinute: null },
  ...{ laborCents: null, mileageCents: null },
})
const ids = {
  visit: '01a202c7-f2af-717a-8cad-ef17944daa01',
  crew: '01a202c7-f2af-717a-8cad-ef17944daa02',
  earlier: '01a202c7-f2af-717a-8cad-ef17944daa03',
  pin: '01a202c7-f2af-717a-8cad-ef17944daa04',
}
const stop: DayPlan['crews'][number]['stops'][number] = {
  ...{ visitId: ids.visit, jobNumber: 1, street: '12 Oak St', city: '', customerName: 'R. Odom', title: 'Mowing' },
  ...{ latitude: null, longitude: null, approximate: false, minutes: 30, startMinute: 430, pinned: false },
  ...{ driveSecondsBefore: 0, driveMetersBefore: 0, windowStartMinute: null, windowEndMinute: null, begun: false },
  ...{ status: 'scheduled', can: { move: true, pin: true }, lateMinutes: 0, overShift: false },
}
const step = (id: string, label: string) => ({ id, label, at: '2026-06-15T12:00:00.000Z', days: [day], until: null })
const planWith = (pinned: boolean, undo: DayPlan['undo']): DayPlan => ({
  ...{ day, today: day, can: { change: true }, estimated: 'all', unplaced: [], totals, booked: totals },
  ...{ overCapacity: 0, plannedMs: null, undo, redo: null, proposalId: null },
  crews: [
    {
      ...{ crewId: ids.crew, name: 'North', color: '#14432f', members: [], away: [], depot: null, off: null },
      ...{ shiftStartMinute: 420, shiftEndMinute: 960, works: true, skills: [], status: null, dirty: false },
      ...{ publishedAt: null, ordered: true, homeDriveSeconds: 0, backAtMinute: null, totals, booked: totals },
      ...{ stops: [{ ...stop, pinned }], violations: [] },
    },
  ],
})

it('waits with Undo for the answer of a change, and then means that change', async () => {
  const answered = Promise.withResolvers<void>()
  let now = planWith(false, step(ids.earlier, 'Move 9 Elm St'))
  const undone: unknown[] = []
  answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/routes/pin') {
      await answered.promise
      now = planWith(true, step(ids.pin, 'Pin 12 Oak St'))
      return { body: { plan: now } }
    }
    if (pathname === '/api/routes/undo') {
      undone.push(await request.json())
      return { body: { plan: now, undone: 'Pin 12 Oak St', kept: 0, recalled: 0, told: [] } }
    }
    if (pathname === '/api/routes') return { body: now }
    if (pathname === '/api/routes/week') return { body: { items: [] } }
    if (pathname === '/api/routes/runs') return { body: { run: null } }
    return { body: { items: [], days: [] } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <RouteDay />
        <ToastHost />
      </MemoryRouter>
    </SessionContext>,
  )
  expect(await screen.findByTitle('Undo: Move 9 Elm St')).toHaveProperty('disabled', false)
  await user.click(screen.getByRole('button', { name: /^Keep 12 Oak St pinned/ }))
  await waitFor(() => expect(screen.getByTitle('Undo: Move 9 Elm St')).toHaveProperty('disabled', true))
  answered.resolve()
  const undo = await screen.findByTitle('Undo: Pin 12 Oak St')
  await waitFor(() => expect(undo).toHaveProperty('disabled', false))
  await user.click(undo)
  await waitFor(() => expect(undone).toEqual([{ day, changeId: ids.pin }]))
})
