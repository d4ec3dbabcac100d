import { screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { LowLawn, LowLawns } from '../contract.ts'
import { PriceLettersTab } from './PriceLettersTab.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const lawn = (n: number, street: string): LowLawn => ({
  ...{ lineId: `00000000-0000-4000-8000-00000000000${n}`, jobId: `00000000-0000-4000-8000-00000000001${n}` },
  ...{ jobNumber: n, customerId: `00000000-0000-4000-8000-00000000002${n}`, customerName: 'Ann', street },
  propertyId: `00000000-0000-4000-8000-00000000003${n}`,
  ...{ serviceName: 'Mow', completions: 3, laborMinutes: 60, quantity: 1, unitPriceCents: 4200, earnedCents: 4200 },
  ...{ suggestedCents: 6000, monthCents: 7800 },
})
const found = (items: LowLawn[]): LowLawns => ({
  ...{ from: '2026-03-11', to: '2026-06-08', targetLaborHourCents: 6000, noticeDays: 30, earliestOn: '2026-07-08' },
  ...{ items, count: items.length, properties: items.length, left: [], leftCount: 0, told: items.length, letters: [] },
})

it('what is ticked and typed stays, whatever days are looked at and while another screen is', async () => {
  const both = [lawn(1, '1 Oak St'), lawn(2, '2 Elm Ave')]
  answerWith((request) => ({
    status: 200,
    body: found(request.url.includes('period=month') ? both.slice(0, 1) : both),
  }))
  const screenOf = () =>
    show(
      <SessionContext value={session}>
        <MemoryRouter>
          <PriceLettersTab />
        </MemoryRouter>
      </SessionContext>,
    )
  const { user, unmount } = screenOf()
  const box = (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  await user.click(await box(/1 Oak St/))
  await user.click(await box(/2 Elm Ave/))
  const price = () => screen.findByRole<HTMLInputElement>('textbox', { name: /New price for 1 Oak St/ })
  await user.clear(await price())
  await user.type(await price(), '71')
  await user.tab()
  await user.click(screen.getByRole('button', { name: '30 days' }))
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /2 Elm Ave/ })).toBeNull())
  expect([(await box(/1 Oak St/)).checked, (await price()).value]).toEqual([true, '71.00'])
  await user.click(screen.getByRole('button', { name: '90 days' }))
  expect((await box(/2 Elm Ave/)).checked).toBe(true)
  unmount()
  screenOf()
  expect([(await box(/1 Oak St/)).checked, (await price()).value]).toEqual([true, '71.00'])
})

const open = () =>
  show(
    <SessionContext value={session}>
      <MemoryRouter>
        <PriceLettersTab />
      </MemoryRouter>
    </SessionContext>,
  )

it('a price that no letter may name is refused at its field, before the letters are asked for', async () => {
  const asked = answerWith(() => ({ status: 200, body: found([lawn(3, '3 Ash Ct')]) }))
  const { user } = open()
  await user.click(await screen.findByRole('checkbox', { name: /3 Ash Ct/ }))
  const price = screen.getByRole('textbox', { name: /New price for 3 Ash Ct/ })
  const write = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Write/ })
  expect(write().disabled).toBe(false)
  await user.clear(price)
  await user.type(price, '1000000')
  await user.tab()
  expect(await screen.findByText('At most $100,000.00.')).toBeTruthy()
  expect(write().disabled).toBe(true)
  await user.clear(price)
  await user.type(price, '100000')
  await user.tab()
  expect(write().disabled).toBe(false)
  expect(screen.getByText(/over 10 times/)).toBeTruthy()
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
})

it('letters that are refused say why and lead back to a list that is asked for anew, without a second try', async () => {
  const asked = answerWith((request) =>
    request.method === 'GET'
      ? { status: 200, body: found([lawn(4, '4 Fir Way')]) }
      : {
          status: 409,
          body: {
            code: 'state_conflict',
            message: 'Ann, 4 Fir Way: gets a new price on Wed, Dec 30, 2026 already. Nothing was changed.',
            requestId: 'abc',
          },
        },
  )
  const { user } = open()
  await user.click(await screen.findByRole('checkbox', { name: /4 Fir Way/ }))
  await user.click(screen.getByRole('button', { name: /^Write/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(/gets a new price on Wed, Dec 30, 2026 already/)).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(dialog.queryByText(/For support/)).toBeNull()
  const before = asked.filter((one) => one.startsWith('GET')).length
  await user.click(dialog.getByRole('button', { name: 'Back to the list' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(asked.filter((one) => one.startsWith('GET')).length).toBeGreaterThan(before))
})
