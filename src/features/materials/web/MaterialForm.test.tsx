import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { MaterialForm } from './MaterialForm.tsx'

const state = {
  phase: 'signedIn',
  user: {
    _id: '01a202c7-f2af-717a-8cad-ef17944daa01',
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it('a price below nothing is marked in words and nothing is sent', async () => {
  const asked = answerWith(() => ({ body: {} }))
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <MaterialForm material={null} onDone={() => undefined} />
      </MemoryRouter>
    </SessionContext>,
  )
  await user.type(screen.getByLabelText('Name'), 'Lime')
  await user.type(screen.getByLabelText(/^Price per bag/), '-5.00')
  await user.click(screen.getByRole('button', { name: 'Add it' }))
  await screen.findByText('A price is $0.00 or more.')
  expect(asked).toEqual([])
})
