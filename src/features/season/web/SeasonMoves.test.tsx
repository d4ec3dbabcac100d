import { screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { SeasonRun } from '../contract.ts'
import { SeasonLoads, SeasonOver } from './SeasonLoads.tsx'
import { SeasonMoves } from './SeasonMoves.tsx'
import { lettersText } from './words.ts'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const slot = { crewId: 'c1', day: 2, week: 0 }
const load = (day: number, before: number, after: number, overWhy: string | null = null) => ({
  crewId: 'c1',
  day,
  roomSeconds: 30_600,
  before: { stops: 5, fullestSeconds: before * 3600, driveSeconds: 1800 },
  after: { stops: 5, fullestSeconds: after * 3600, driveSeconds: 1800 },
  overWhy,
})

const runOf = (moves: number) =>
  ({
    id: 'r1',
    kind: 'plan',
    // Without a check: what the ticked ones bring is asked from the server.
    staleCount: 1,
    stale: [],
    acceptances: [],
    can: { stop: false, accept: true },
    result: {
      crews: [{ id: 'c1', name: 'Islands', color: '#112233', lat: 32, lng: -81 }],
      loads: [
        load(3, 17.1, 8.4),
        load(1, 8.54, 8.51),
        load(5, 10.6, 10.2, '10 jobs that keep their day take 9 h of it'),
      ],
      lawns: Array.from({ length: moves }, (_, n) => ({
        jobId: `j${n}`,
        customerId: `k${n}`,
        customerName: `Thomas Hastings ${n}`,
        street: `${n} Oak St`,
        neighborhood: 'Tybee',
        everyWeeks: 1,
        from: slot,
        to: { ...slot, day: 4 },
      })),
      moves: Array.from({ length: moves }, (_, n) => ({
        jobId: `j${n}`,
        worthSecondsYear: 3600 * (moves - n),
        relievesSecondsYear: n === moves - 1 ? 7200 : 0,
        why: 'the way to it is shorter',
        warning: n === 0 ? 'Islands has not done this work in the last year: see that it can' : null,
        state: 'open',
      })),
    },
  }) as unknown as SeasonRun

const shown = (run: SeasonRun) =>
  show(
    <SessionContext value={session}>
      <MemoryRouter>
        <SeasonMoves run={run} earliestOn="2026-12-01" suggestedOn="2026-12-07" today="2026-11-30" />
      </MemoryRouter>
    </SessionContext>,
  )

it('begins with as many ticked as move in one step, those that make room first', async () => {
  const { user } = shown(runOf(158))
  const press = await screen.findByRole('button', { name: 'Move 150 jobs' })
  expect(press.getAttribute('aria-disabled') ?? String((press as HTMLButtonElement).disabled)).not.toBe('true')
  await screen.findByText('150 of 158 jobs ticked; 150 move in one step, the rest in the next')
  const list = screen.getByRole('list', { name: 'Jobs that would move' })
  expect(within(list).getAllByRole('checkbox')).toHaveLength(12)
  expect(within(list).getAllByRole('listitem')[0]?.textContent).toContain('157 Oak St, Thomas Hastings 157')
  await screen.findByText(/see that it can$/)
  await screen.findByText('12 of 158 jobs shown')
  await user.click(screen.getByRole('button', { name: 'Show all 158' }))
  expect(within(list).getAllByRole('checkbox', { checked: true })).toHaveLength(150)
  // One more than a step takes: what to do is said.
  await user.click(within(list).getByRole('checkbox', { name: /^156 Oak St/ }))
  await screen.findByText(/At most 150 move in one step: leave 1 out/)
  await user.click(screen.getByRole('button', { name: 'Tick none' }))
  await screen.findByRole('button', { name: 'Move jobs' })
  await user.click(screen.getByRole('button', { name: 'Tick the first 150' }))
  await screen.findByRole('button', { name: 'Move 150 jobs' })
})

it('names the crew on each of its days, and the days over its hours with why', async () => {
  const { result } = runOf(1)
  if (!result) throw new Error('no result')
  show(
    <MemoryRouter>
      <SeasonOver result={result} after="as planned" />
      <SeasonLoads result={result} />
    </MemoryRouter>,
  )
  expect((await screen.findAllByRole('rowheader')).map((cell) => cell.textContent)).toEqual([
    'Islands',
    'Islands',
    'Islands',
  ])
  await screen.findByText('2 days today, 1 as planned')
  const [list] = screen.getAllByRole('list')
  expect(
    within(list as HTMLElement)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'Islands, Wed 17.1 h today, 8.4 h as planned, in 8.5 h',
    'Islands, Fri 10.6 h today, 10.2 h as planned, in 8.5 h 10 jobs that keep their day take 9 h of it',
  ])
})

it('says of letters what is so', () => {
  const text = (waiting: number, left: number, stayed: number) => lettersText({ waiting, left, stayed })
  expect([text(0, 0, 0), text(8, 0, 0), text(1, 7, 0), text(0, 8, 1), text(0, 0, 8)]).toEqual([
    '',
    '8 letters wait to leave',
    '7 told, 1 letter waits to leave',
    '8 told',
    'no letter left, nobody was told',
  ])
})
