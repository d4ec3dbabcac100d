import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import { cashWeeks } from '../rules.ts'
import { CashTab } from './CashTab.tsx'

const state = { phase: 'signedIn', user: { _id: 'ann', business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const nothing = {
  today: '2031-06-12',
  weeks: Array.from({ length: cashWeeks }, () => ({
    from: '2031-06-12',
    to: '2031-06-18',
    in: { invoices: 0, drafts: 0, work: 0, plans: 0 },
    out: { labor: 0, recurring: 0, other: 0 },
  })),
  known: {
    daysToPay: null,
    daysToBill: null,
    hourCents: 0,
    drivePercent: 0,
    otherCents: 0,
    otherWeeks: 0,
    aheadCents: 0,
  },
}
const none = {
  doubtfulCents: 0,
  disputedCents: 0,
  laterCents: 0,
  neverBilledCents: 0,
  neverClosedCents: 0,
  neverClosedFrom: null,
  byContractCents: 0,
}
const open = (leftOut: object) => {
  answerWith(() => ({ body: { ...nothing, leftOut } }))
  show(
    <SessionContext value={session}>
      <MemoryRouter>
        <CashTab />
      </MemoryRouter>
    </SessionContext>,
  )
}

it('says of a business without work what will stand here, and where to begin', async () => {
  open(none)
  await screen.findByText('Nothing comes in or goes out yet')
  expect(screen.getByRole('link', { name: 'Create a job' })).toBeTruthy()
  expect(screen.queryByText('When it gets tight')).toBeNull()
})

it('does not say so where something is left out of the weeks', async () => {
  open({ ...none, disputedCents: 5000 })
  await screen.findByText('When it gets tight')
  expect(screen.queryByText('Nothing comes in or goes out yet')).toBeNull()
})
