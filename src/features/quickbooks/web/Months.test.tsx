import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { MonthCheck } from '../contract.ts'
import { Months } from './Months.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: ['money'], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const id = '01a202c7-f2af-717a-8cad-ef17944daad1'

const check: MonthCheck = {
  month: '2026-06',
  checkedAt: '2026-06-10T16:00:00Z',
  sums: [{ kind: 'invoice', count: 2, oursCents: 9400, theirsCents: 4000 }],
  differences: [
    {
      ...{ kind: 'invoice', localId: id, label: 'Invoice INV-1001', href: null, remoteUrl: null, why: 'waiting' },
      ...{ oursCents: 5400, theirsCents: null, theirsDay: null, waitsFor: 'Customer Alvin Thackeray', pays: null },
      ...{ isInQueue: false, theirs: null, who: null, twin: null, repairs: [], reason: '' },
    },
  ],
  left: [],
  more: false,
}
const one = (n: number, cents: number) => ({
  ...{ id: `${id.slice(0, -1)}${n}`, label: `Invoice INV-100${n}`, about: 'Alvin Thackeray', day: '2026-06-09' },
  ...{ cents, href: null },
})

const showMonths = (onQueue: () => void = () => undefined) => {
  answerWith(({ url }) =>
    url.includes('/months/records')
      ? { body: { items: [one(1, 5400), one(2, 4000)], nextCursor: null, count: 2, totalCents: 9400 } }
      : { body: { months: [{ month: '2026-06', check, failed: null }] } },
  )
  show(
    <MemoryRouter>
      <SessionContext value={session}>
        <Months onQueue={onQueue} />
      </SessionContext>
    </MemoryRouter>,
  )
}

it('a sum opens the records that it counts, and they add up to it', async () => {
  const user = userEvent.setup()
  showMonths()
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  await user.click(screen.getByRole('link', { name: '$94.00' }))
  expect(await screen.findByText('$94.00 in 2 records')).toBeTruthy()
  const rows = within(await screen.findByRole('list', { name: 'Records of this sum' }))
  expect(rows.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('$54.00'),
    expect.stringContaining('$40.00'),
  ])
})

it('a row that waits behind a customer who needs a decision says so and leads there', async () => {
  const user = userEvent.setup()
  const onQueue = vi.fn()
  showMonths(onQueue)
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  expect(screen.getByText('$54.00 in Swath. It waits for Customer Alvin Thackeray, which needs you.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'See what it needs' }))
  expect(onQueue).toHaveBeenCalledOnce()
})
