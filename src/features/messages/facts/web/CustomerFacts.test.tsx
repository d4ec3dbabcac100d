import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { CustomerFacts as Facts } from '../contract.ts'
import { CustomerFacts } from './CustomerFacts.tsx'

const id = '01a202c7-f2af-717a-8cad-ef17944daa01'
const jobId = '01a202c7-f2af-717a-8cad-ef17944daa02'
const state = {
  phase: 'signedIn',
  user: { _id: id, role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const visit = { id, jobId, title: 'Weekly mowing', street: '4 Mill Ln', status: 'scheduled', crewName: 'Crew 1' }
const facts: Facts = {
  customerId: id,
  nextVisit: { ...visit, day: '2031-06-12' },
  lastVisit: { ...visit, day: '2020-06-05', status: 'skipped' },
  money: {
    openCents: 12_000,
    overdueCents: 4_000,
    pendingCents: 0,
    creditCents: 0,
    plan: { id: jobId, name: 'Level 2026' },
  },
  properties: [{ id, street: '4 Mill Ln', city: 'Savannah', zip: '31401' }],
  propertyCount: 1,
  jobs: [{ id: jobId, title: 'Weekly mowing', street: '4 Mill Ln', status: 'paused', startOn: '2026-03-02' }],
  jobCount: 1,
  tags: ['VIP'],
  language: 'es',
  paperWay: 'both',
  email: null,
  phone: '+19125550101',
  noMail: null,
  noTexts: 'They replied STOP',
  noOffers: true,
}
const shown = (changes: Partial<Facts>, status = 200) => {
  answerWith(() => ({ status, body: status === 200 ? { ...facts, ...changes } : { code: 'internal', message: 'x' } }))
  return show(
    <SessionContext value={session}>
      <MemoryRouter>
        <CustomerFacts customerId={id} />
      </MemoryRouter>
    </SessionContext>,
  )
}
const hrefOf = async (name: string | RegExp) => (await screen.findByRole('link', { name })).getAttribute('href')

it('each fact opens its place, and says how they want to be written to', async () => {
  shown({})
  expect(await hrefOf('Thu, Jun 12, 2031')).toContain(`jobId=${jobId}`)
  screen.getByText(/, skipped/)
  expect(await hrefOf('$120.00')).toContain(`customerId=${id}`)
  screen.getByText('$40.00')
  expect(await hrefOf('Level 2026')).toContain(`billingPlanId=${jobId}`)
  expect(await hrefOf('4 Mill Ln, Savannah')).toContain(`customerId=${id}`)
  expect(await hrefOf('Weekly mowing')).toContain(`jobId=${jobId}`)
  expect(await hrefOf('VIP')).toContain('tag=VIP')
  for (const words of [
    'In Spanish',
    'Invoices by e-mail and text',
    'No texts: they replied STOP',
    'No e-mail on file',
    'No offers',
  ])
    screen.getByText(words)
})

it('says of two jobs of one name since when they are, and of a sum that a bank pays it', async () => {
  const job = facts.jobs[0]!
  shown({
    jobs: [
      { ...job, status: 'active' },
      { ...job, id, status: 'active', startOn: '2031-03-03' },
    ],
    jobCount: 2,
    money: { openCents: 14_400, overdueCents: 0, pendingCents: 14_400, creditCents: 0, plan: null },
  })
  await screen.findByText(/since Mon, Mar 2/)
  screen.getByText('from Mon, Mar 3, 2031')
  screen.getByText('on its way from their bank', { exact: false })
  expect(screen.queryByText(/overdue/)).toBeNull()
})

it('who does not see money sees neither a sum nor a plan', async () => {
  shown({ money: null, nextVisit: null, lastVisit: null, jobs: [], jobCount: 0 })
  await screen.findByText('None booked')
  expect(screen.queryByText(/\$/)).toBeNull()
  expect(screen.queryByText('Owes')).toBeNull()
  expect(screen.queryByText('Billing plan')).toBeNull()
})

it('what did not load is said, and asked for again', async () => {
  shown({}, 500)
  await screen.findByRole('button', { name: /try again/i })
})
