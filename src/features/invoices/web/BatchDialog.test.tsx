import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { addDays, addMonths, dayOf } from '../../../shared/dates.ts'
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
  coveredCount: 0,
  usesCredit: false,
  taxes: [],
  groups: [
    {
      key: 'c',
      customer: { id: '01a202c7-f2af-717a-8cad-ef17944daad1', name: 'Rebecca Odom', email: 'rebecca@test.swath.test' },
      place: '1 Oak St',
      visits: [
        {
          id: '01a202c7-f2af-717a-8cad-ef17944daad2',
          day: '2026-06-12',
          place: '1 Oak St',
          taxPlace: { state: 'GA', city: null, zip: null },
          taxExempt: false,
          services: 'Mow',
          priceCents: 5500,
          lines: [{ quantity: 1, unitPriceCents: 5500, taxCategory: 'lawn' }],
        },
      ],
      subtotalCents: 5500,
      taxCents: 0,
      totalCents: 5500,
      creditCents: 0,
      note: null,
    },
  ],
  exceptions: [],
}

const opened = async (changes: Partial<BatchPreview>) => {
  const asked: string[] = []
  answerWith((request) => {
    asked.push(new URL(request.url).search)
    return { body: { ...preview, ...changes } }
  })
  show(
    <SessionContext value={session}>
      <BatchDialog open onClose={() => undefined} onShow={() => undefined} />
    </SessionContext>,
  )
  await screen.findByRole('button', { name: 'Create and send 1 invoice' })
  return asked
}
it('says that nothing waits, whether or not any work was ever finished', async () => {
  answerWith(() => ({ body: { ...preview, groups: [], invoiceCount: 0, visitCount: 0, totalCents: 0 } }))
  show(
    <SessionContext value={session}>
      <BatchDialog open onClose={() => undefined} onShow={() => undefined} />
    </SessionContext>,
  )
  expect(await screen.findByText('There is nothing to invoice.')).toBeTruthy()
  expect(screen.getByText('No finished work waits for an invoice')).toBeTruthy()
  expect(screen.queryByText(/Nothing is chosen|All finished work/)).toBeNull()
})

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

it.each([
  ['a day that cannot be read', '13/45', '', 'This is no day of the calendar.'],
  ['a last day that cannot be read', '', 'someday', 'This is no day of the calendar.'],
  ['days that run backwards', '6/10/26', '6/3/26', 'The first day is after the last.'],
])('%s shows no work and makes no invoice', async (_what, from, to, words) => {
  await opened({})
  const user = userEvent.setup()
  await user.selectOptions(screen.getByLabelText('Work of'), 'custom')
  if (from) await user.type(screen.getByLabelText(/^From/), from)
  if (to) await user.type(screen.getByLabelText(/^To/), to)
  await user.tab()
  expect(screen.getByText((text) => text.startsWith(words))).toBeTruthy()
  expect(screen.getByText('The days are not clear yet: put them right to see their work.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Create/ })).toBeNull()
  expect(screen.queryByText('Rebecca Odom')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Work of'), 'all')
  expect(await screen.findByRole('button', { name: 'Create and send 1 invoice' })).toBeTruthy()
})

it('takes all of last month, from its first day to its last', async () => {
  const asked = await opened({})
  const today = dayOf(new Date(), 'America/New_York')
  const first = `${today.slice(0, 7)}-01`
  await userEvent.setup().selectOptions(screen.getByLabelText('Work of'), 'Last month')
  await waitFor(() => expect(asked.at(-1)).toContain(`from=${addMonths(first, -1)}&to=${addDays(first, -1)}`))
})

it('says of whose work credit is there', async () => {
  await opened({ groups: preview.groups.map((group) => ({ ...group, creditCents: 26_945 })) })
  expect(screen.getByText('$269.45 credit').title).toContain('Use it on the new one once it is made.')
})

it('says that credit is used automatically where the business wants it so', async () => {
  await opened({ usesCredit: true, groups: preview.groups.map((group) => ({ ...group, creditCents: 26_945 })) })
  expect(screen.getByText('$269.45 credit').title).toContain('It is used on the new one automatically.')
})
