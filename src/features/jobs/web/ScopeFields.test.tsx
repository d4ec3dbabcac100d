import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { ChangePreview, JobRecord } from '../contract.ts'
import { firstScope, Outcome, type Scope, ScopeFields, saveLabel, scopeToSend } from './ScopeFields.tsx'

const visit = (id: string, day: string, status = 'scheduled') =>
  ({ id, day, occurrenceOn: day, status, crew: null }) as JobRecord['nextVisits'][number]
const nextVisits = [visit('a', '2026-04-07', 'in_progress'), visit('b', '2026-04-14'), visit('c', '2026-04-21')]
const calendar = { today: '2026-04-07', workDays: [], holidays: [], holidayRule: 'next' as const, season: [] }
const nothing: ChangePreview = { created: 0, changed: 0, moved: 0, removed: 0, kept: [], told: [] }

let latest: Scope
const Part = ({ visitId }: { visitId: string | null }) => {
  const [scope, setScope] = useState(() => firstScope({ nextVisits }, visitId, calendar.today))
  latest = scope
  return (
    <ScopeFields
      scope={scope}
      onScope={setScope}
      visits={nextVisits}
      calendar={calendar}
      preview={{ data: nothing, error: null }}
    />
  )
}

it('asks which visits follow, from the one that a link led to on', async () => {
  const { user } = show(<Part visitId="c" />)
  expect(scopeToSend(latest)).toEqual({ scope: 'this_and_following', fromOn: '2026-04-21', includeMoved: false })
  await user.click(screen.getByRole('radio', { name: /^Only one visit/ }))
  expect(scopeToSend(latest)).toEqual({ scope: 'this', visitId: 'c' })
  expect(screen.queryByRole('checkbox')).toBeNull()
  await user.click(screen.getByRole('radio', { name: /^All open visits/ }))
  await user.click(screen.getByRole('checkbox', { name: /placed by hand/ }))
  expect(scopeToSend(latest)).toEqual({ scope: 'all_open', includeMoved: true })
})

it('says what moves, is added, goes and stays, and who was sent the old plan', () => {
  show(
    <Outcome
      preview={{
        created: 1,
        changed: 5,
        moved: 4,
        removed: 2,
        kept: [{ visitId: 'b', day: '2026-04-14', reason: 'moved' }],
        told: [{ visitId: 'c', day: '2026-04-21', to: null, crewName: 'North' }],
      }}
    />,
  )
  expect(screen.getByRole('status').textContent).toBe(
    '4 visits moved, 1 visit changed on its day, 1 added, 2 removed. Stay as they are: Tue, Apr 14 (placed by hand). ' +
      'Was sent the old plan: North, Tue, Apr 21 → off the calendar. Publish again.',
  )
})

it('the button says what it does', () => {
  expect(saveLabel(undefined)).toBe('Save job')
  expect(saveLabel({ ...nothing, removed: 6 })).toBe('Save and remove 6 visits')
  expect(saveLabel({ ...nothing, created: 1 })).toBe('Save and add 1 visit')
  expect(saveLabel({ ...nothing, changed: 8, created: 1 })).toBe('Save and change 9 visits')
})
