import { screen } from '@testing-library/react'
import { it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { OwnDetails } from './OwnDetails.tsx'
import { textsOf } from './texts.ts'

const me = { _id: '1', name: 'Bo Kim', phone: '+19125550142', email: null, language: 'en', version: 1 }
const session = { refreshUser: async () => undefined } as unknown as Session

it('what was said after saving follows the language that is chosen then', async () => {
  answerWith((request) => ({ body: request.method === 'GET' ? me : { user: {}, profile: { ...me, version: 2 } } }))
  const part = (language: 'en' | 'es') => (
    <SessionContext value={session}>
      <OwnDetails t={textsOf(language)} />
    </SessionContext>
  )
  const { user, rerender } = show(part('en'))
  await user.click(await screen.findByRole('button', { name: textsOf('en').own.edit }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(textsOf('en').own.saved)
  rerender(part('es'))
  screen.getByText(textsOf('es').own.saved)
})
