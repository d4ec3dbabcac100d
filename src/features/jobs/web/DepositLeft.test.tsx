import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { DepositLeft } from './DepositLeft.tsx'

const user = { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } }
const state = { phase: 'signedIn', user }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it('says what is left of the deposit for its work, and where it goes; of no other', async () => {
  const rest = { restCents: 8000, job: null, quote: null }
  answerWith(() => ({
    body: {
      items: [
        { ...rest, paymentId: 'a', quote: { id: 'q', number: 7, title: 'Beds' } },
        { ...rest, paymentId: 'b', restCents: 500, job: { id: 'j', number: 11, title: 'Mulch' } },
        { ...rest, paymentId: 'c', restCents: 900, quote: { id: 'other', number: 8, title: 'Else' } },
        { ...rest, paymentId: 'd', restCents: 700 },
      ],
    },
  }))
  const { container } = show(
    <SessionContext value={session}>
      <DepositLeft job={{ id: 'j', customerId: 'c', quoteId: 'q' }} />
    </SessionContext>,
  )
  await screen.findByText(
    /^\$80\.00 of the deposit for Q-7 is left\..* give it back or keep it as their credit on the quote\.$/,
  )
  expect(container.textContent).toContain('$5.00 of the deposit for this job is left.')
  expect(container.textContent).not.toMatch(/Q-8|\$7\.00/)
})
