import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { FirstStep } from './FirstStep.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it.each([
  [0, 'Add a customer'],
  [3, "Open today's routes"],
])('with %d customers the step before the first invoice is “%s”', async (all, name) => {
  answerWith(() => ({ body: { all, active: all, lead: 0, past: 0, withoutJob: 0, withoutPin: 0 } }))
  show(
    <MemoryRouter>
      <SessionContext value={session}>
        <FirstStep />
      </SessionContext>
    </MemoryRouter>,
  )
  await screen.findByRole('link', { name })
})
