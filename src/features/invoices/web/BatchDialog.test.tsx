import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { BatchPreview } from '../contract.ts'
import { BatchDialog } from './BatchDialog.tsx'

const state = { phase: 'signedIn', user: { business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const preview: BatchPreview = {
  from: null,
  to: '2026-06-12',
  invoiceCount: 1,
  visitCount: 1,
  totalCents: 5500,
  more: false,
  moreExceptions: false,
  taxes: [],
  groups: [
    {
      key: 'c',
      customer: { id: '01a202c7-f2af-717a-8cad-ef17944daad1', name: 'Rebecca Odom', email: 'rebecca@test.swath.test' },
      place: '1 Oak St',
      taxExempt: false,
      visits: [
        {
          id: '01a202c7-f2af-717a-8cad-ef17944daad2',
          day: '2026-06-12',
          place: '1 Oak St',
          state: 'GA',
          services: 'Mow',
          priceCents: 5500,
          lines: [{ quantity: 1, unitPriceCents: 5500, taxCategory: 'lawn' }],
        },
      ],
      subtotalCents: 5500,
      taxCents: 0,
      totalCents: 5500,
      note: null,
    },
  ],
  exceptions: [],
}

const opened = async (changes: Partial<BatchPreview>) => {
  answerWith(() => ({ body: { ...preview, ...changes } }))
  show(
    <SessionContext value={session}>
      <BatchDialog open onClose={() => undefined} onShow={() => undefined} />
    </SessionContext>,
  )
  await screen.findByRole('button', { name: 'Create and send 1 invoice' })
}
const moreWaits = () => screen.queryByText('More work waits than one batch takes.')?.closest('[role="status"]')

it('says what one batch takes where more work waits, and that the rest is not lost', async () => {
  await opened({ more: true })
  expect(moreWaits()?.textContent).toContain('up to 5,000 visits, the oldest 200 of each job first')
  expect(moreWaits()?.textContent).toContain('Nothing is lost: invoice these, and the rest comes up here.')
  expect(moreWaits()?.textContent).toContain('to get past it, choose days that begin after it.')
})

it('says nothing of it where all that waits is there', async () => {
  await opened({ more: false })
  expect(moreWaits()).toBeUndefined()
})
