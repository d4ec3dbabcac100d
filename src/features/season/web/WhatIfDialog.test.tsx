import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { WhatIf } from '../contract.ts'
import { WhatIfDialog } from './WhatIfDialog.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const overview = {
  crews: [{ id: 'c1', name: 'North', lat: 32, lng: -81 }],
  neighborhoods: [{ name: 'Northtown 31401', jobs: 6, lat: 32.1, lng: -81.1 }],
}

const asked = () => {
  const wishes: WhatIf[] = []
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <WhatIfDialog
          overview={overview}
          pending={false}
          onStart={(wish) => wishes.push(wish)}
          onClose={() => undefined}
        />
      </MemoryRouter>
    </SessionContext>,
  )
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
  return { user, press, wishes }
}

it('goes through all kinds and back without a dead button', async () => {
  const { user, press, wishes } = asked()
  await user.selectOptions(await screen.findByLabelText('Starts in'), 'The same place')
  await press('Start elsewhere')
  await user.selectOptions(screen.getByLabelText('Which crew'), 'All crews')
  await press('Show what it brings')
  await press('One more crew')
  await press('Show what it brings')
  await press('New lawns')
  await press('Show what it brings')
  await press('Other work days')
  await press('Show what it brings')
  const place = { lat: 32.1, lng: -81.1 }
  expect(wishes).toEqual([
    { kind: 'depot', crewId: null, place },
    { kind: 'crew', likeCrewId: 'c1', place },
    { kind: 'lawns', count: 30, place, radiusMiles: 1, minutes: 40, everyWeeks: 1 },
    { kind: 'days', days: [1, 2, 3, 4] },
  ])
})

it('says what is missing, and asks for nothing', async () => {
  const { press, wishes } = asked()
  await press('Other work days')
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu']) await press(day)
  await press('Show what it brings')
  await screen.findByText('Choose at least one day.')
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) await press(day)
  await screen.findByText('All seven days are no change: leave one out.')
  expect(wishes).toEqual([])
  await press('Sun')
  expect(screen.queryByText('All seven days are no change: leave one out.')).toBeNull()
  await press('Show what it brings')
  expect(wishes).toHaveLength(1)
})

it('refuses numbers beyond what is counted at their fields, and asks for nothing', async () => {
  const { user, press, wishes } = asked()
  await press('New lawns')
  for (const [label, value, message] of [
    ['How many', '999', 'At most 300 lawns'],
    ['Labor minutes each', '700', 'At most 600 minutes'],
    ['Within miles', '25', 'At most 20 miles'],
  ] as const) {
    const field = await screen.findByLabelText(label)
    await user.clear(field)
    await user.type(field, value)
    await user.tab()
    await screen.findByText(message)
  }
  await press('Show what it brings')
  expect(wishes).toEqual([])
})
