import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { call } from '#src/shared/client.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type OwnerSession, OwnerSessionContext } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { LeadDetails } from './LeadDetails.tsx'
import { LeadList } from './LeadList.tsx'
import { NotifyContext } from './notice.ts'

const lead = {
  _id: '1',
  name: 'Ann Lee',
  email: 'ann@lee.test',
  phone: '(912) 555-0142',
  status: 'new',
  source: 'landing_page',
  createdAt: '2026-06-01T12:00:00Z',
  utm_source: 'spring-mail',
  emailTracking: [],
  smsTracking: [],
} as unknown as Lead

const around = (part: React.ReactNode) =>
  show(
    <MemoryRouter>
      <OwnerSessionContext value={{ ask: call } as unknown as OwnerSession}>
        <NotifyContext value={() => undefined}>{part}</NotifyContext>
      </OwnerSessionContext>
    </MemoryRouter>,
  )

it('a search asks for the figures above the list again, not for the list alone', async () => {
  const asked = answerWith((request) => ({
    body: request.url.includes('analytics') ? { campaigns: [] } : { leads: [], total: 0, nextCursor: null },
  }))
  const { user } = around(<LeadList onLead={() => undefined} currentId={null} />)
  const figures = () => asked.filter((one) => one.includes('analytics')).length
  await waitFor(() => expect(figures()).toBe(1))
  await user.type(screen.getByRole('searchbox', { name: 'Search leads' }), 'ann')
  await waitFor(() => expect(figures()).toBeGreaterThan(1))
})

it('a lead begins with the person, and how they came is last', async () => {
  answerWith(() => ({ body: { items: [], calls: [], notes: [], history: [], sprint: null } }))
  around(<LeadDetails lead={lead} onClose={() => undefined} onLead={() => undefined} />)
  const mail = await screen.findByText('ann@lee.test')
  const came = screen.getByRole('heading', { name: 'How they came' })
  expect(mail.compareDocumentPosition(came)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  for (const other of screen.getAllByRole('heading', { level: 3 }).filter((one) => one !== came))
    expect(other.compareDocumentPosition(came)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})
