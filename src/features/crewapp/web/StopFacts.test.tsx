import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { showGateCode } from './gate/shown.ts'
import { MainDock } from './MainDock.tsx'
import { StopDangers } from './StopFacts.tsx'
import { sideOf } from './StopList.tsx'
import { textsOf } from './texts.ts'
import type { DayActions } from './useDay.ts'

const now = Date.parse('2026-11-28T21:00:00Z')
const crewOf = (language: 'en' | 'es') =>
  ({ t: textsOf(language), language, now, timeZone: 'America/Los_Angeles', today: '2026-11-28' }) as Crew
const treated = (keepOffUntil: string | null) =>
  ({
    id: 'a',
    status: 'scheduled',
    notes: { dog: 'Rex' },
    treatment: { treats: false, squareFeet: null, records: 1, needed: false, keepOffUntil },
  }) as CrewStop

it('a lawn that was treated is the first thing in red, with the day in the language of the phone', () => {
  const { container } = show(<StopDangers crew={crewOf('es')} stop={treated('2026-11-30T00:29:00Z')} />)
  const [first] = container.querySelectorAll('.f-alert--danger .c-alert-lines > *')
  expect(first?.textContent).toBe('Tratado: que nadie pise este césped hasta 4:29 PM, dom, 29 de nov.')
})

it('starting there asks first, and where the lawn is free again it does not', async () => {
  const start = vi.fn()
  const dock = (stop: CrewStop) => (
    <MainDock
      crew={{ ...crewOf('en'), clock: { state: 'working' } } as Crew}
      day={{ stop, start } as unknown as DayActions}
    />
  )
  const { user, rerender } = show(dock(treated('2026-11-30T00:29:00Z')))
  await user.click(screen.getByRole('button', { name: 'Start' }))
  expect(start).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Start all the same', hidden: true }))
  expect(start).toHaveBeenCalledTimes(1)
  rerender(dock(treated('2026-11-28T20:00:00Z')))
  await user.click(screen.getByRole('button', { name: 'Start' }))
  expect(start).toHaveBeenCalledTimes(2)
})

it.each([
  ['completed', '2026-11-28T20:05:00Z', '12:05'],
  ['skipped', '2026-11-28T20:05:00Z', '12:05'],
  ['skipped', null, ''],
  ['canceled', null, ''],
  ['missed', null, ''],
  ['scheduled', null, '5:37'],
] as const)('beside a stop that is %s stands when that was, never a time to come: "%s"', (status, finishedAt, side) => {
  expect(
    sideOf({ timeZone: 'America/Los_Angeles' }, { status, finishedAt, plannedStartMinute: 1057 } as CrewStop),
  ).toBe(side)
})

it('a gate code leaves the screen of a phone that lies open over midnight', () => {
  const stop = { id: 'gated', status: 'scheduled', hasGateCode: true, notes: {} } as CrewStop
  const on = (today: string) => ({ ...crewOf('en'), today, outbox: { userId: 'luis' } }) as Crew
  showGateCode('luis', 'gated', '2026-11-28', { code: '4711' })
  const { rerender } = show(<StopDangers crew={on('2026-11-28')} stop={stop} />)
  expect(screen.getByText(/4711/)).toBeTruthy()
  rerender(<StopDangers crew={on('2026-11-29')} stop={stop} />)
  expect(screen.queryByText(/4711/)).toBeNull()
  expect(screen.getByRole('button', { name: textsOf('en').gateTap })).toBeTruthy()
})
