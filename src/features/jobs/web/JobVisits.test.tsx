import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { JobRecord } from '../contract.ts'
import { JobVisits } from './JobVisits.tsx'

const visit = (id: string, day: string, occurrenceOn: string) => ({
  id,
  day,
  occurrenceOn,
  status: 'scheduled',
  crew: null,
  priceCents: null,
  services: [],
  handMoved: day !== occurrenceOn,
  invoiced: false,
})
const job = {
  lines: [{ recurrence: { tolerance: { before: 1, after: 2 }, minGapDays: 5 } }],
  openVisits: 3,
  nextVisits: [
    visit('a', '2026-04-07', '2026-04-07'),
    visit('b', '2026-04-18', '2026-04-14'),
    { ...visit('c', '2026-04-21', '2026-04-21'), handMoved: true },
  ],
  pastVisits: [],
  changesOn: null,
  totals: { doneVisits: 0, doneCents: null, uninvoicedCents: null, openCents: null },
} as unknown as JobRecord

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it('says which visits are farther from their day or nearer to each other than the rule allows', () => {
  show(
    <MemoryRouter>
      <SessionContext value={session}>
        <JobVisits job={job} today="2026-04-06" visitId={null} />
      </SessionContext>
    </MemoryRouter>,
  )
  expect(screen.getByText('4 days late, 2 days are allowed')).toBeTruthy()
  expect(screen.getByText('3 days from the visit beside it, at least 5 are asked for')).toBeTruthy()
  expect(screen.getAllByText(/allowed|asked for/)).toHaveLength(2)
  // What has a price of its own but stands on its own day was not moved.
  expect(['Scheduled', 'Moved', 'Changed'].map((word) => screen.getAllByText(word).length)).toEqual([1, 1, 1])
})

it('shows six of many next visits and the others when asked, at once where a link led to one of them', async () => {
  const many = Array.from({ length: 9 }, (_, i) => visit(`v${i}`, `2026-05-0${i + 1}`, `2026-05-0${i + 1}`))
  const full = { ...job, openVisits: 9, nextVisits: many } as unknown as JobRecord
  const opened = (visitId: string | null) =>
    show(
      <MemoryRouter>
        <SessionContext value={session}>
          <JobVisits job={full} today="2026-04-06" visitId={visitId} />
        </SessionContext>
      </MemoryRouter>,
    )
  const { user, unmount } = opened(null)
  expect(screen.getByText('6 of 9')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show all 9' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(9)
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(6)
  unmount()
  opened('v8')
  expect(screen.getAllByRole('listitem')).toHaveLength(9)
})

it('what a program has ahead is said, and a round that was given a day was not moved', () => {
  const round = (opensOn: string, state: string) => ({ undated: { kind: 'step', opensOn }, standing: { state } })
  const program = {
    ...job,
    status: 'active',
    lines: [round('2026-04-01', 'planned'), round('2027-03-01', 'upcoming'), round('2026-06-01', 'upcoming')],
    openVisits: 1,
    nextVisits: [{ ...visit('a', '2026-04-18', '2026-04-01'), handMoved: true }],
  } as unknown as JobRecord
  show(
    <MemoryRouter>
      <SessionContext value={session}>
        <JobVisits job={program} today="2026-04-06" visitId={null} />
      </SessionContext>
    </MemoryRouter>,
  )
  expect(screen.getByText('2 rounds wait for their windows, from Mon, Jun 1.')).toBeTruthy()
  expect(screen.queryByText('Moved')).toBeNull()
  expect(screen.getByText('Scheduled')).toBeTruthy()
})
