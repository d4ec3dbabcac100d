import { fireEvent, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { DryRun } from '../contract.ts'
import { DryRunResult } from './DryRunResult.tsx'
import { OthersCard } from './OthersCard.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const customer = (n: number) => ({ id: `00000000-0000-4000-8000-00000000000${n}`, name: `Customer ${n}` })
const leavesAt = '2026-06-12T16:00:00.000Z'
const found: DryRun = {
  from: '2026-05-13T16:00:00.000Z',
  to: leavesAt,
  tooMany: false,
  assumes: null,
  texts: 29,
  mails: 12,
  segments: 34,
  sent: [
    { customer: customer(1), channel: 'sms', leavesAt, subject: null, text: 'How was it?' },
    { customer: customer(2), channel: 'email', leavesAt, subject: 'Your visit', text: 'How was it by mail?' },
  ],
  notSentCount: 3,
  notSent: [{ customer: customer(3), reason: 'No e-mail on file' }],
  reasons: [
    { reason: 'No e-mail on file', count: 2 },
    { reason: 'They replied STOP', count: 1 },
  ],
}
const shown = (part: React.ReactElement) =>
  show(
    <SessionContext value={session}>
      <MemoryRouter>{part}</MemoryRouter>
    </SessionContext>,
  )

it('says how many texts and how many e-mails, what the texts cost, and each by which way', () => {
  shown(<DryRunResult {...found} />)
  screen.getByText('This would have sent 41 messages: 29 texts, 12 e-mails, in the last 30 days.')
  screen.getByText(/The texts count as 34 segments of your plan\. E-mails count as none\./)
  const rows = within(screen.getByRole('list', { name: 'Would have got it' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Customer 1Fri, Jun 12, 12:00 PM by textHow was it?',
    'Customer 2Fri, Jun 12, 12:00 PM by e-mailYour visitHow was it by mail?',
  ])
  screen.getByText('The newest 2 messages by name:')
  screen.getByText('3 times nothing would have left')
  screen.getByText('No e-mail on file: 2')
})

it('speaks of mails alone where there are no texts, and of nothing where there is nothing', () => {
  const { rerender } = shown(<DryRunResult {...found} texts={0} mails={2} segments={0} />)
  screen.getByText('This would have sent 2 messages: 2 e-mails, in the last 30 days.')
  expect(screen.queryByText(/segments of your plan/)).toBeNull()
  rerender(
    <SessionContext value={session}>
      <MemoryRouter>
        <DryRunResult {...found} texts={0} mails={0} sent={[]} />
      </MemoryRouter>
    </SessionContext>,
  )
  screen.getByText('This would have sent nothing in the last 30 days.')
})

it('says of invoice reminders that what was owed is as it was then, and offers them to who sees money alone', async () => {
  const items = [
    { key: 'review', on: true, sentCount: 4 },
    { key: 'invoice_reminder', on: true, sentCount: 0 },
  ]
  answerWith((request) => ({ body: new URL(request.url).pathname.endsWith('/dry-run') ? found : { items } }))
  const { user, unmount } = shown(<OthersCard />)
  await user.click(await screen.findByRole('button', { name: 'Dry run of Invoice reminders' }))
  await screen.findByText(/With what was owed, promised and answered as it was then/)
  unmount()
  const dispatcher = { ...state, user: { ...state.user, role: 'Admin', permissions: ['customers'] } }
  show(
    <SessionContext value={{ ...session, get: () => dispatcher } as unknown as Session}>
      <MemoryRouter>
        <OthersCard />
      </MemoryRouter>
    </SessionContext>,
  )
  await screen.findByRole('button', { name: 'Dry run of Review request' })
  expect(screen.queryByRole('button', { name: 'Dry run of Invoice reminders' })).toBeNull()
})

it('is there for reminders and review requests, which other parts send, and for no more of them', async () => {
  const asked = answerWith((request) =>
    new URL(request.url).pathname === '/api/automation-others/dry-run'
      ? { body: { ...found, assumes: 'Reminders are off. This is how it would be with them on for all visits.' } }
      : {
          body: {
            items: [
              { key: 'reminder', on: false, sentCount: 0 },
              { key: 'moved', on: true, sentCount: 2 },
              { key: 'review', on: true, sentCount: 4 },
            ],
          },
        },
  )
  const { user } = shown(<OthersCard />)
  await screen.findByRole('button', { name: 'Dry run of Review request' })
  expect(screen.getAllByRole('button')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Dry run of Reminder the day before' }))
  await screen.findByText(/^Reminders are off\./)
  screen.getByText('This would have sent 41 messages: 29 texts, 12 e-mails, in the last 30 days.')
  expect(asked).toEqual(['GET /api/automation-others', 'GET /api/automation-others/dry-run'])
})

it('shows whole rows and a way to the rest, instead of a box that scrolls unseen', () => {
  const sent = Array.from({ length: 20 }, () => found.sent[0] as DryRun['sent'][number])
  shown(<DryRunResult {...found} sent={sent} />)
  const rows = () => within(screen.getByRole('list', { name: 'Would have got it' })).getAllByRole('listitem')
  expect(rows()).toHaveLength(8)
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(rows()).toHaveLength(20)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})
