import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Automation } from '../contract.ts'
import { OnSwitch } from './OneAutomation.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const automation = { id: 'a1', name: 'After a visit', enabled: false, waitingCount: 0, version: 3 } as Automation

const shown = (unsaved: boolean) => {
  const sent: unknown[] = []
  answerWith(async (request) => {
    sent.push(await request.json())
    return { body: { ...automation, enabled: true } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <OnSwitch automation={automation} unsaved={unsaved} />
      </MemoryRouter>
    </SessionContext>,
  )
  return { user, sent, press: () => user.click(screen.getByRole('switch', { name: 'Off' })) }
}

it('goes on at once where nothing else was typed', async () => {
  const { press, sent } = shown(false)
  await press()
  await waitFor(() => expect(sent).toEqual([{ on: true, version: 3 }]))
})

it('asks first where words were typed that would not be sent', async () => {
  const { user, press, sent } = shown(true)
  await press()
  await screen.findByText(/Messages would leave with the words and times from before/)
  await user.click(screen.getByRole('button', { name: 'Save first' }))
  await waitFor(() => expect(screen.queryByText(/words and times from before/)).toBeNull())
  expect(sent).toEqual([])
  await press()
  await user.click(await screen.findByRole('button', { name: 'Switch on as saved' }))
  await waitFor(() => expect(sent).toEqual([{ on: true, version: 3 }]))
})
